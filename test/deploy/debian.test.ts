/** The Debian package, installed into a directory: this machine has no systemd that could run the unit (see systemd.test.ts). */
import { spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { makeDeb } from "../../packaging/deb.ts";
import { type DebianRoot, makeDebianRoot, missingDpkg } from "../support/debian-root.ts";
import { temporaryDirectory } from "../support/engines.ts";
import { skipWithout } from "../support/installed.ts";
import { programFile } from "../support/program.ts";
import { type RunningServer, startServer } from "../support/server.ts";

const VERSIONS = ["0.1.0", "0.1.1", "0.1.2"] as const;
const packages = new Map<string, string>();
const missing = missingDpkg();

/** The same program under several versions: what an upgrade changes of the database is tested in test/upgrades. */
beforeAll(async () => {
  if (missing !== undefined) return;
  const target = temporaryDirectory();
  for (const version of VERSIONS) {
    const program = join(temporaryDirectory(), version);
    mkdirSync(program);
    copyProgram(join(program, "dist"), version);
    writeFileSync(join(program, "package.json"), JSON.stringify({ version, type: "module" }));
    const node = process.execPath;
    const file = await makeDeb({ version, program, node, target, compression: "none", epoch: "1700000000" });
    packages.set(version, file);
  }
});

/** Parts of the program have names that follow from what is in them: in another version they are other files. */
function copyProgram(target: string, version: string): void {
  cpSync(dirname(programFile()), target, { recursive: true });
  if (version === VERSIONS[0]) return;
  const part = /-([\w-]{8})\.js\b/g;
  for (const name of readdirSync(target, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".js")) continue;
    const text = readFileSync(join(target, name), "utf8");
    rmSync(join(target, name));
    writeFileSync(join(target, name.replace(part, `-$1.${version}.js`)), text.replaceAll(part, `-$1.${version}.js`));
  }
}

const deb = (version: (typeof VERSIONS)[number]): string => packages.get(version) ?? "";

function versionIn(root: DebianRoot): string {
  return spawnSync(root.path("usr/bin/tessera"), ["--version"], { encoding: "utf8" }).stdout.trim();
}

async function start(root: DebianRoot): Promise<RunningServer> {
  mkdirSync(root.path("var/lib/tessera"), { recursive: true });
  return startServer({
    entry: root.path("usr/lib/tessera/dist/main.js"),
    dataDir: root.path("var/lib/tessera"),
    args: ["--key-file", root.path("etc/tessera/master-key")],
    // As the unit says.
    env: { NODE_COMPILE_CACHE: root.path("var/cache/tessera") },
  });
}

/** Writes and reads with a token, in all the ways that take a part of the program that may not be loaded yet. */
async function use({ url, token }: RunningServer, name: string): Promise<unknown[]> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const ask = async (path: string, init = {}) => (await fetch(`${url}${path}`, { headers, ...init })).status;
  const body = JSON.stringify({ Name: name, Rules: 'service "web" { policy = "read" }' });
  return [
    await ask("/v1/acl/policy", { method: "PUT", body }),
    await ask(`/v1/acl/policy/name/${name}`),
    await ask("/v1/acl/policies"),
    await ask("/v1/audit"),
    await ask("/v1/acl/auth-method", { method: "PUT", body: method(name) }),
    await ask("/openapi.json"),
    await ask("/metrics"),
    await ask("/readyz"),
  ];
}

function method(name: string): string {
  const keys = generateKeyPairSync("ed25519").publicKey.export({ format: "pem", type: "spki" });
  return JSON.stringify({ Name: name, Type: "jwt", Config: { JWTValidationPubKeys: [keys] } });
}

const GOOD = [200, 200, 200, 200, 200, 200, 200, 200];
/**
 * Statuses of a server whose files were replaced while it runs: it answers 503 where it needs a file that it has not
 * loaded yet.
 */
const FROM_MEMORY = [200, 200, 200, 200, 503, 503, 200, 200];

test("an installation makes a user, a key that only root reads, and a configuration", (context) => {
  skipWithout(context, missing);
  const root = makeDebianRoot();
  root.dpkg("--install", deb("0.1.0"));
  expect(versionIn(root)).toBe("tessera 0.1.0");
  expect(readFileSync(root.path("etc/passwd"), "utf8")).toMatch(
    /^tessera:.*:\/var\/lib\/tessera:\/usr\/sbin\/nologin$/m,
  );
  const key = root.path("etc/tessera/master-key");
  expect([statSync(key).mode & 0o777, Buffer.from(readFileSync(key, "utf8"), "base64").length]).toEqual([0o600, 32]);
  expect(JSON.parse(readFileSync(root.path("etc/tessera/config.json"), "utf8"))).toMatchObject({
    "data-dir": "/var/lib/tessera",
  });
  expect(existsSync(root.path("usr/lib/systemd/system/tessera.service"))).toBe(true);
  for (const folder of ["usr", "usr/lib", "etc"]) expect(statSync(root.path(folder)).mode & 0o777).toBe(0o755);
});

test("it brings a manual page, completions for three shells and its licence, where Debian looks for them", (context) => {
  skipWithout(context, missing);
  const root = makeDebianRoot();
  root.dpkg("--install", deb("0.1.0"));
  const page = gunzipSync(readFileSync(root.path("usr/share/man/man1/tessera.1.gz"))).toString("utf8");
  expect(page).toMatch(/^\.TH TESSERA 1 2023-11-14 "tessera 0\.1\.0"/);
  expect(page).toContain("\\fBpolicy create\\fR \\fIname\\fR\nCreate a policy.");
  expect(page.split("\n").filter((line) => line.startsWith(".") && !/^\.(TH|SH|TP|B|I|br)\b/.test(line))).toEqual([]);
  for (const [path, first] of [
    ["usr/share/bash-completion/completions/tessera", "# tessera completion bash"],
    ["usr/share/zsh/vendor-completions/_tessera", "#compdef tessera"],
    ["usr/share/fish/vendor_completions.d/tessera.fish", "# tessera completion fish"],
    ["usr/share/doc/tessera/copyright", "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/"],
  ] as const) {
    expect(readFileSync(root.path(path), "utf8").startsWith(first), path).toBe(true);
    expect(statSync(root.path(path)).mode & 0o777, path).toBe(0o644);
  }
});

test("an upgrade over a running server is no 500 and stops nobody, and the next start is of the new version", async (context) => {
  skipWithout(context, missing);
  const root = makeDebianRoot();
  root.dpkg("--install", deb("0.1.0"));
  const key = readFileSync(root.path("etc/tessera/master-key"), "utf8");
  const settings = root.path("etc/tessera/config.json");
  writeFileSync(settings, '{ "data-dir": "/var/lib/tessera", "log-level": "debug" }\n');
  const old = await start(root);
  root.dpkg("--install", deb("0.1.1"));
  expect(versionIn(root)).toBe("tessera 0.1.1");
  expect(await use(old, "while-old")).toEqual(FROM_MEMORY);
  expect(await (await fetch(`${old.url}/openapi.json`)).text()).toBe(
    "the server was upgraded on disk while it was running. Restart it\n",
  );
  expect(await old.stop()).toBe(0);
  expect(readFileSync(root.path("etc/tessera/master-key"), "utf8")).toBe(key);
  expect(readFileSync(settings, "utf8")).toContain("debug");
  const renewed = await start(root);
  expect(await use(renewed, "while-new")).toEqual(GOOD);
  expect(await renewed.stop()).toBe(0);
});

test.for(["Unpacking", "Setting up"])(
  "an upgrade that is cut at %s is made whole by another one",
  async (words, context) => {
    skipWithout(context, missing);
    const root = makeDebianRoot();
    root.dpkg("--install", deb("0.1.0"));
    const old = await start(root);
    await root.cutAt(words, "--install", deb("0.1.1"));
    expect((await use(old, "in-between"))[0]).toBe(200);
    root.dpkg("--install", deb("0.1.2"));
    expect(versionIn(root)).toBe("tessera 0.1.2");
    expect(await old.stop()).toBe(0);
    const renewed = await start(root);
    expect(await use(renewed, "after")).toEqual(GOOD);
    expect(await renewed.stop()).toBe(0);
  },
);

test.for(["--remove", "--purge"])(
  "%s leaves the data and its key, and the next installation goes on with them",
  async (how, context) => {
    skipWithout(context, missing);
    const root = makeDebianRoot();
    root.dpkg("--install", deb("0.1.0"));
    const first = await start(root);
    const { token } = first;
    expect(await use(first, "before")).toEqual(GOOD);
    expect(await first.stop()).toBe(0);
    root.dpkg(how, "tessera");
    expect(existsSync(root.path("usr/lib/tessera"))).toBe(false);
    expect(existsSync(root.path("var/lib/tessera/tessera.db"))).toBe(true);
    root.dpkg("--install", deb("0.1.1"));
    const again = await start(root);
    expect(again.token).toBe(token);
    expect((await use(again, "again"))[0]).toBe(200);
    expect(await again.stop()).toBe(0);
  },
);

test("no key is made beside a database that has lost its own", (context) => {
  skipWithout(context, missing);
  const root = makeDebianRoot();
  mkdirSync(root.path("var/lib/tessera"), { recursive: true });
  writeFileSync(root.path("var/lib/tessera/tessera.db"), "");
  expect(root.dpkg("--install", deb("0.1.0"))).toContain("/etc/tessera/master-key is missing");
  expect(existsSync(root.path("etc/tessera/master-key"))).toBe(false);
});

test("the package is the same, byte for byte, whenever it is made of the same tree", async (context) => {
  skipWithout(context, missing);
  const make = async (target: string) => {
    const program = join(temporaryDirectory(), "program");
    mkdirSync(join(program, "dist"), { recursive: true });
    writeFileSync(join(program, "package.json"), "{}");
    const file = await makeDeb({ version: "1.0.0-rc.1", program, node: "/bin/true", target, epoch: "1700000000" });
    return [file.slice(target.length), readFileSync(file).toString("base64")];
  };
  const made = [await make(temporaryDirectory()), await make(temporaryDirectory())];
  expect(made[0]).toEqual(made[1]);
  expect(made[0]?.[0]).toMatch(/^\/tessera_1\.0\.0~rc\.1_/);
});
