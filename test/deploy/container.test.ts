/**
 * The image, built by buildah where there is one; elsewhere the steps of the Containerfile are done here. It runs in a root of its own that can
 * only be read, as a user that is not root: the directory is entered by chroot, for which nothing but root is needed.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { makeContext } from "../../packaging/container.ts";
import { temporaryDirectory } from "../support/engines.ts";
import { skipWithout } from "../support/installed.ts";
import { programFile } from "../support/program.ts";

const PORT = 18_587;
const USER = 65_532;
const LEFT = "rootfs/usr/lib/tessera/dist/left.js";
const missing = missingTools();
let image = "";
let data = "";

function missingTools(): string | undefined {
  if (process.getuid?.() !== 0) return "no root can be entered without root";
  const tried = spawnSync("unshare", ["--mount", "true"]).status;
  if (tried !== 0) return "nothing can be mounted here";
  return spawnSync("apt-get", ["--version"]).status === 0 ? undefined : "there is no apt to take libraries from";
}

beforeAll(() => {
  if (missing !== undefined) return;
  const program = join(temporaryDirectory(), "program");
  cpSync(dirname(programFile()), join(program, "dist"), { recursive: true });
  writeFileSync(join(program, "package.json"), JSON.stringify({ version: "0.1.0", type: "module" }));
  const target = join(temporaryDirectory(), "context");
  // A file that an interrupted build left.
  mkdirSync(join(target, "rootfs/usr/lib/tessera/dist"), { recursive: true });
  writeFileSync(join(target, LEFT), "");
  makeContext({ program, node: process.execPath, target });
  image = built(target) ?? join(target, "rootfs");
  process.stderr.write(
    `the image lies in ${image.includes("rootfs") ? "a plain directory" : "what buildah has built"}\n`,
  );
  data = join(temporaryDirectory(), "data");
  mkdirSync(data);
  chownSync(data, USER, USER);
  // The way to it is for this user only; inside of the image it is not asked.
  for (let folder = dirname(data); folder.startsWith("/tmp/"); folder = dirname(folder)) chmodSync(folder, 0o755);
}, 300_000);

/** Directory of the image's files; undefined if there is no buildah. */
function built(context: string): string | undefined {
  const store = temporaryDirectory();
  const buildah = (...args: string[]): string => {
    const places = ["--storage-driver", "vfs", "--root", join(store, "root"), "--runroot", join(store, "run")];
    const { status, stdout, stderr } = spawnSync("buildah", [...places, ...args], { encoding: "utf8" });
    if (status !== 0) throw new Error(`buildah ${args.join(" ")} failed: ${stderr}`);
    return stdout.trim();
  };
  if (spawnSync("buildah", ["--version"]).status !== 0) return undefined;
  buildah("bud", "--format", "docker", "--isolation", "chroot", "--tag", "tessera", context);
  const config = JSON.parse(buildah("inspect", "--type", "image", "tessera")) as { Docker: { config: object } };
  expect(config.Docker.config).toMatchObject({
    User: `${USER}:${USER}`,
    Entrypoint: expect.anything(),
    Healthcheck: expect.anything(),
    Labels: {
      "org.opencontainers.image.title": "Tessera",
      "org.opencontainers.image.version": "0.1.0",
      "org.opencontainers.image.licenses": "Apache-2.0",
      "org.opencontainers.image.source": "https://github.com/tessera-server/tessera",
    },
    Env: expect.arrayContaining(["PATH=/usr/bin"]),
  });
  const made = join(store, "image");
  cpSync(buildah("mount", buildah("from", "tessera")), made, { recursive: true });
  return made;
}

/** Runs what the image runs, with its root to be read only and the volume at its place. */
function inImage(...args: string[]) {
  return within(["/usr/lib/tessera/bin/node", "/usr/lib/tessera/dist/main.js"], args);
}

function within(entry: readonly string[], args: readonly string[]) {
  const script =
    'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && mount --bind "$1" "$0/data" && r=$0 && shift && exec chroot --userspec=65532:65532 "$r" "$@"';
  const env = {
    TESSERA_LISTEN: `127.0.0.1:${PORT}`,
    TESSERA_DATA_DIR: "/data",
    NODE_DISABLE_COMPILE_CACHE: "1",
    PATH: "/usr/sbin:/usr/bin:/sbin:/bin",
  };
  return { command: "unshare", args: ["--mount", "sh", "-c", script, image, data, ...entry, ...args], env };
}

function healthcheck() {
  const { command, args, env } = inImage("healthcheck");
  return spawnSync(command, args, { env, encoding: "utf8" });
}

test("the image has no shell and no file that others may write", (context) => {
  skipWithout(context, missing);
  const files = readdirSync(image, { recursive: true, encoding: "utf8" });
  expect(files.filter((name) => /(^|\/)(sh|bash|dash|busybox|apt|dpkg)$/.test(name))).toEqual([]);
  expect(files.length).toBeGreaterThan(20);
  expect(files.filter((name) => name.endsWith("/left.js"))).toEqual([]);
  expect(readFileSync(join(image, "etc/debian-packages"), "utf8")).toMatch(/^libc6_/m);
  const lax = spawnSync("find", [image, "-perm", "/0022", "-not", "-type", "l"], { encoding: "utf8" });
  expect(lax.stdout).toBe("");
});

test("tessera is a command in it, by its name", (context) => {
  skipWithout(context, missing);
  const { command, args, env } = within(["tessera"], ["--version"]);
  expect(spawnSync(command, args, { env, encoding: "utf8" })).toMatchObject({ status: 0, stdout: "tessera 0.1.0\n" });
});

/** Starts what the image runs; it is killed when the test ends. */
function serve() {
  const { command, args, env } = inImage("serve");
  const child = spawn(command, args, { env, stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  return { child, ended: once(child, "exit") };
}

async function expectReady(): Promise<void> {
  await expect.poll(healthcheck, { timeout: 60_000, interval: 200 }).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^\[\+\] server: running\n.*\nready\n$/s),
  });
}

/** Asks with the first token. */
async function statusOf(path: string, init: RequestInit = {}): Promise<number> {
  const token = readFileSync(join(data, "management-token"), "utf8").trim();
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`http://127.0.0.1:${PORT}${path}`, { ...init, headers })).status;
}

test("it serves from a root that can only be read, as a user that is not root, and its check says so", async (context) => {
  skipWithout(context, missing);
  expect(healthcheck()).toMatchObject({ status: 1 });
  const { child, ended } = serve();
  await expectReady();
  expect(readFileSync(`/proc/${child.pid}/status`, "utf8")).toMatch(/^Uid:\s+65532\s+65532\s+65532\s+65532$/m);
  expect(await statusOf("/v1/acl/policy", { method: "PUT", body: '{"Name":"kept"}' })).toBe(200);
  child.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
  expect(existsSync(join(data, "tessera.db"))).toBe(true);
});

test("a container that is killed, and one that is killed while it starts in its place, leave a volume with which the next goes on", async (context) => {
  skipWithout(context, missing);
  const first = serve();
  await expectReady();
  expect(await statusOf("/v1/acl/policy", { method: "PUT", body: '{"Name":"before"}' })).toBe(200);
  first.child.kill("SIGKILL");
  await first.ended;
  // At another point of its start each time.
  for (const milliseconds of [50, 200, 400, 800]) {
    const cut = serve();
    await sleep(milliseconds);
    cut.child.kill("SIGKILL");
    await cut.ended;
  }
  const last = serve();
  await expectReady();
  expect(await statusOf("/v1/acl/policy/name/before")).toBe(200);
  last.child.kill("SIGTERM");
  expect(await last.ended).toEqual([0, null]);
});

test("without a volume that can be written it says so in a line, and what to do", (context) => {
  skipWithout(context, missing);
  const { command, args, env } = inImage("serve");
  const { status, stderr } = spawnSync(command, args, {
    env: { ...env, TESSERA_DATA_DIR: "/etc/none" },
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([2, expect.stringMatching(/^tessera: [^\n]+\n$/)]);
  expect(stderr).toContain("--data-dir");
});
