/**
 * Writes `dist/package`, the folder that is packed and published: built JavaScript, a manifest and a shrinkwrap with the
 * exact dependencies, and the documents. Whatever is in it is in the package, and nothing else: packing runs no script,
 * so none can be left out.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { checkInstalledNode } from "./check-node.ts";

const root = resolve(import.meta.dirname, "..");
const target = join(root, "dist/package");

interface Manifest {
  name: string;
  version: string;
  license: string;
  bin: Record<string, string>;
  engines: Record<string, string>;
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
}

interface Lock {
  packages: Record<string, { dev?: boolean }>;
}

checkInstalledNode();
rmSync(join(root, "dist"), { recursive: true, force: true });
mkdirSync(target, { recursive: true });
const tsc = spawnSync(join(root, "node_modules/.bin/tsc"), ["-p", "tsconfig.build.json"], {
  cwd: root,
  stdio: "inherit",
});
if (tsc.status !== 0) process.exit(1);
const { dependencies, optionalDependencies } = readJson<Manifest>("package.json");
const manifest = { ...readJson<Manifest>("packaging/manifest.json"), dependencies, optionalDependencies };
writeJson("package.json", manifest);
writeJson("npm-shrinkwrap.json", shrinkwrap(manifest));
for (const name of ["README.md", "CHANGELOG.md", "SECURITY.md", "LICENSE"])
  copyFileSync(join(root, name), join(target, name));

/** What an installation gets: the lock file without what only a checkout needs. */
function shrinkwrap({ name, version, license, bin, engines, ...own }: Manifest): object {
  const { packages, ...lock } = readJson<Lock>("package-lock.json");
  const needed = Object.entries(packages).filter(([path, { dev }]) => path !== "" && dev !== true);
  const self = { name, version, license, dependencies: own.dependencies, bin, engines };
  return {
    ...lock,
    name,
    version,
    packages: { "": { ...self, optionalDependencies: own.optionalDependencies }, ...Object.fromEntries(needed) },
  };
}

function readJson<T>(name: string): T {
  return JSON.parse(readFileSync(join(root, name), "utf8")) as T;
}

function writeJson(name: string, content: object): void {
  writeFileSync(join(target, name), `${JSON.stringify(content, undefined, 2)}\n`);
}
