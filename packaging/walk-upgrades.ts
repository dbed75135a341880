/** Upgrades and removals of what npm and npx have installed, over a server that runs, and upgrades that are cut. Part of `walk.ts`. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { env, type Installed, killGroup, run, start } from "./installed.ts";

const NAME = "@tessera-server/tessera";
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
    await removeGlobal(renewed, install(next), prefix);
  } finally {
    old.remove();
  }
}

/** Takes the package away under a server that runs: its data stays, and the next installation goes on with it. */
async function removeGlobal(server: Installed, install: readonly string[], prefix: string): Promise<void> {
  const command = join(prefix, "bin/tessera");
  run("npm", ["uninstall", "-g", "--prefix", prefix, NAME], prefix);
  const left = [command, join(prefix, "lib/node_modules", NAME)].filter((path) => existsSync(path));
  if (left.length > 0) throw new Error(`npm uninstall -g left ${left.join(" ")}`);
  await expectServing(server);
  if ((await server.stop()) !== 0) throw new Error("a server whose files were removed did not stop well");
  run("npm", install, prefix);
  const again = await start(command, [], prefix);
  await expectServing(again);
  again.remove();
  console.log("npm uninstall -g, npm install -g: the data is there");
}

async function upgradeNpx(tarball: string, next: string, folder: string): Promise<void> {
  const words = (from: string): string[] => ["--yes", "--package", from, "tessera"];
  const old = await start("npx", words(tarball), folder);
  try {
    await old.expect("/v1/acl/policy", 200, WRITE);
    await cutNpx([...words(next), "--version"], folder);
    await expectServing(old);
    expectNext(run("npx", [...words(next), "--version"], folder), "npx of a later version, after one that was cut");
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
  // npm puts the old version aside under a name with a dot until the new one is there.
  await cut("npm", args, prefix, () => readdirSync(scope).some((name) => name.startsWith(".")));
  console.log(`npm install -g was cut: ${readdirSync(scope).join(" ")}`);
}

/** Kills an npx that installs when first files of the program lie in npx's cache: all of them and Node.js are still to come. */
async function cutNpx(args: readonly string[], folder: string): Promise<void> {
  const cache = join(run("npm", ["config", "get", "cache"], folder).trim(), "_npx");
  const before = readdirSync(cache);
  const made = (): string[] => readdirSync(cache).filter((name) => !before.includes(name));
  const modules = (name: string): string => join(cache, name, "node_modules");
  // A machine that is busy may look too late.
  for (let left = 5; left > 0; left--) {
    await cut("npx", args, folder, () => made().some((name) => existsSync(join(modules(name), NAME, "dist"))));
    const half = made().find((name) => !existsSync(join(modules(name), ".bin/tessera")));
    if (half !== undefined) {
      const there = readdirSync(join(modules(half), NAME, "dist"), { recursive: true }).length;
      return console.log(`npx was cut: ${there} entries of the program, no command`);
    }
    for (const name of made()) rmSync(join(cache, name), { recursive: true });
  }
  throw new Error("npx was over each time before it could be cut");
}

/** Runs a command until something is seen, and kills it then. */
async function cut(command: string, args: readonly string[], cwd: string, isSeen: () => boolean): Promise<void> {
  const child = spawn(command, args, { cwd, env, stdio: "ignore", detached: true });
  const ended = once(child, "exit");
  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  while (!isOver() && !isSeen()) await sleep(2);
  killGroup(child.pid);
  await ended;
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
