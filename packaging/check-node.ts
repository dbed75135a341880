/**
 * Compares the Node.js binaries that the package brings along with `node-binaries.json`; ends with 1 where one differs.
 *
 *     npm run check:node               those that are installed here
 *     npm run check:node -- --all      those of all platforms, fetched from the registry
 *     … -- --print                     prints the sums instead, for the table
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const table = JSON.parse(readFileSync(join(import.meta.dirname, "node-binaries.json"), "utf8")) as {
  version: string;
  sha256: Record<string, string>;
};

/** @throws Error when a binary is another than the table says, or none is there to compare */
export function checkInstalledNode(): void {
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    optionalDependencies: Record<string, string>;
  };
  for (const [name, version] of Object.entries(optionalDependencies)) {
    if (table.sha256[name] === undefined || version !== table.version) {
      throw new Error(`packaging/node-binaries.json has no sum of ${name}@${version}`);
    }
  }
  const installed = Object.keys(table.sha256).filter((name) => existsSync(binaryIn(join(root, "node_modules", name))));
  if (installed.length === 0) throw new Error("no bundled Node.js is installed; run npm ci");
  for (const name of installed) compare(name, sumOf(binaryIn(join(root, "node_modules", name))));
}

function binaryIn(folder: string): string {
  return join(folder, "bin/node");
}

function sumOf(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

function compare(name: string, found: string): void {
  const wanted = table.sha256[name];
  if (found !== wanted) throw new Error(`the binary of ${name}@${table.version} has the sum ${found}, not ${wanted}`);
}

/** Fetches a platform's package; npm compares it with the registry's integrity. @returns the sum of its binary */
function fetchedSum(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), "tessera-node-"));
  try {
    run("npm", ["pack", "--silent", `${name}@${table.version}`], folder);
    run("tar", ["-xzf", readdirSync(folder)[0] ?? "", "package/bin/node"], folder);
    return sumOf(binaryIn(join(folder, "package")));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(command: string, args: string[], cwd: string): void {
  const { status, stderr } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed: ${stderr}`);
}

if (process.argv[1] === import.meta.filename) {
  if (!process.argv.includes("--all")) checkInstalledNode();
  else {
    for (const name of Object.keys(table.sha256)) {
      const sum = fetchedSum(name);
      if (process.argv.includes("--print")) console.log(`${sum}  ${name}@${table.version}`);
      else compare(name, sum);
    }
  }
}
