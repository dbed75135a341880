/**
 * Packs the client as it is published: `dist/tessera-server-client-VERSION.tgz`, JavaScript with its types, made from the folder
 * `dist/client`; with a folder as argument, both in there instead of `dist`. It is compiled for what browsers and Node.js 20 have, and without the types of either's own modules.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const here = import.meta.dirname;
const root = resolve(here, "../..");
const folder = resolve(process.argv[2] ?? join(root, "dist"));
const target = join(folder, "client");

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
const compiled = join(target, "dist");
run("node_modules/.bin/tsc", "-p", join(here, "tsconfig.pack.json"), "--outDir", compiled);
for (const path of globSync("**/*.d.ts", { cwd: compiled })) {
  const file = join(compiled, path);
  // The compiler leaves those as they were written.
  writeFileSync(file, readFileSync(file, "utf8").replaceAll(/(["']\.\/[^"']+)\.ts(["'])/g, "$1.js$2"));
}
const manifest = JSON.parse(readFileSync(join(here, "package.json"), "utf8")) as object;
const exported = { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } };
writeFileSync(join(target, "package.json"), `${JSON.stringify({ ...manifest, exports: exported }, undefined, 2)}\n`);
copyFileSync(join(here, "README.md"), join(target, "README.md"));
copyFileSync(join(root, "LICENSE"), join(target, "LICENSE"));
run("npm", "pack", target, "--pack-destination", folder, "--silent");

function run(command: string, ...given: string[]): void {
  const { status, error } = spawnSync(command, given, { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
  if (status !== 0) throw new Error(`${command} ${given.join(" ")} failed`, { cause: error });
}
