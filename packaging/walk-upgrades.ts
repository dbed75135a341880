/** Upgrades of what npm and npx have installed, over a server that runs, and one that is cut. Part of `walk.ts`. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { env, type Installed, killGroup, run, start } from "./installed.ts";

const NEXT = "99.0.0";
const WRITE = { method: "PUT", body: JSON.stringify({ Name: "before-the-upgrade" }) };
const READ = "/v1/acl/policy/name/before-the-upgrade";

/**
 * Walks them. @param tarball of the package @param scratch an empty folder
 * @throws Error where one disturbs the server, loses something, or does not lead to the new version
 */
export async function walkUpgrades(tarball: string, scratch: string): Promise<void> {
  const next = repack(tarball, scratch);
  await upgradeGlobal(tarball, next, folderIn(scratch, "global"));
  await upgradeNpx(tarball, next, folderIn(scratch, "npx"));
}

/** The same program as a later version, with other files: parts have names that follow from what is in them. */
function repack(tarball: string, scratch: string): string {
  run("tar", ["-xzf", tarball], scratch);
  const folder = join(scratch, "package");
  for (const name of ["package.json", "npm-shrinkwrap.json"]) {
    const manifest = JSON.parse(readFileSync(join(folder, name), "utf8")) as Manifest;
    manifest.version = NEXT;
    if (manifest.packages?.[""] !== undefined) manifest.packages[""].version = NEXT;
    writeFileSync(join(folder, name), JSON.stringify(manifest));
  }
  const part = /-([\w-]{8})\.js\b/g;
  for (const name of readdirSync(join(folder, "dist"), { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".js")) continue;
    const file = join(folder, "dist", name);
    writeFileSync(file, readFileSync(file, "utf8").replaceAll(part, "-$1-next.js"));
    renameSync(file, file.replace(part, "-$1-next.js"));
  }
  run("npm", ["pack", "--silent", folder, "--pack-destination", scratch], scratch);
  rmSync(folder, { recursive: true });
  const made = readdirSync(scratch).find((name) => name.endsWith(".tgz"));
  return join(scratch, made ?? "");
}

interface Manifest {
  version: string;
  packages?: Record<string, { version: string }>;
}

async function upgradeGlobal(tarball: string, next: string, prefix: string): Promise<void> {
  const install = (from: string): string[] => ["install", "-g", "--no-audit", "--no-fund", "--prefix", prefix, from];
  run("npm", install(tarball), prefix);
  const command = join(prefix, "bin/tessera");
  const old = await start(command, [], prefix);
  try {
    await old.expect("/v1/acl/policy", 200, WRITE);
    await cutInstall(install(next), prefix);
    await expectServing(old);
    run("npm", install(next), prefix);
    expectNext(run(command, ["--version"], prefix), "npm install -g, after one that was cut");
    await expectServing(old);
    if ((await old.stop()) !== 0) throw new Error("a server whose files were replaced did not stop well");
    const renewed = await start(command, [], prefix);
    await renewed.expect(READ, 200);
    await renewed.expect("/openapi.json", 200);
    renewed.remove();
  } finally {
    old.remove();
  }
}

async function upgradeNpx(tarball: string, next: string, folder: string): Promise<void> {
  const words = (from: string): string[] => ["--yes", "--package", from, "tessera"];
  const old = await start("npx", words(tarball), folder);
  try {
    await old.expect("/v1/acl/policy", 200, WRITE);
    expectNext(run("npx", [...words(next), "--version"], folder), "npx of a later version");
    await expectServing(old);
    // Each version lies in a folder of its own: nothing was replaced.
    await old.expect("/openapi.json", 200);
    await old.interrupt();
    const renewed = await start("npx", words(next), folder);
    await renewed.expect(READ, 200);
    renewed.remove();
  } finally {
    old.remove();
  }
}

/** Kills an installation when it has begun to move files. */
async function cutInstall(args: readonly string[], prefix: string): Promise<void> {
  const scope = join(prefix, "lib/node_modules/@tessera-server");
  const npm = spawn("npm", args, { cwd: prefix, env, stdio: "ignore", detached: true });
  const ended = once(npm, "exit");
  const isOver = () => npm.exitCode !== null || npm.signalCode !== null;
  // npm puts the old version aside under a name with a dot until the new one is there.
  while (!isOver() && !readdirSync(scope).some((name) => name.startsWith("."))) await sleep(2);
  killGroup(npm.pid);
  await ended;
  console.log(`npm install -g was cut: ${readdirSync(scope).join(" ")}`);
}

async function expectServing(server: Installed): Promise<void> {
  await server.expect("/readyz", 200);
  await server.expect(READ, 200);
  await server.expect("/v1/acl/policies", 200);
  await server.expect("/v1/acl/policy/name/none", 404);
}

function expectNext(said: string, how: string): void {
  if (said !== `tessera ${NEXT}\n`) throw new Error(`${how} says ${JSON.stringify(said)}, not ${NEXT}`);
  console.log(`${how}: ${said.trim()}`);
}

function folderIn(scratch: string, name: string): string {
  const folder = join(scratch, name);
  mkdirSync(folder);
  return folder;
}
