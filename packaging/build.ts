/**
 * Writes `dist/package`, the folder that is packed and published: the bundle, a manifest and a shrinkwrap with the
 * exact dependencies that are not in it, the licences of those that are, and the documents. Whatever is in it is in the package, and nothing else: packing runs no script,
 * so none can be left out.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { BUILT } from "../src/console/build.ts";
import { bundle } from "./bundle.ts";
import { checkInstalledNode } from "./check-node.ts";
import { licencesText, readLibraries } from "./licences.ts";

const root = resolve(import.meta.dirname, "..");
const target = join(root, "dist/package");

interface Manifest {
  name: string;
  version: string;
  license: string;
  bin: Record<string, string>;
  engines: Record<string, string>;
  optionalDependencies: Record<string, string>;
}

interface Lock {
  packages: Record<string, object>;
}

checkInstalledNode();
rmSync(join(root, "dist"), { recursive: true, force: true });
mkdirSync(target, { recursive: true });
const server = await bundle(join(target, "dist"));
const libraries = readLibraries({ server, console: buildConsole() });
writeFileSync(join(target, "THIRD-PARTY-LICENSES"), licencesText(libraries));
// Input for the bill of materials, not part of the package.
writeFileSync(join(root, "dist/libraries.json"), JSON.stringify(libraries));
// The libraries are in the bundle: what is left to install is Node.js itself.
const { optionalDependencies } = readJson<Manifest>("package.json");
const manifest = { ...readJson<Manifest>("packaging/manifest.json"), optionalDependencies };
writeJson("package.json", manifest);
writeJson("npm-shrinkwrap.json", shrinkwrap(manifest));
for (const name of ["README.md", "CHANGELOG.md", "SECURITY.md", "LICENSE"])
  copyFileSync(join(root, name), join(target, name));

/** Builds the console, without which the package is not published. @returns folders of the libraries in it */
function buildConsole(): string[] {
  const list = "dist/console-libraries.json";
  execFileSync(process.execPath, ["console/build.ts", list], { cwd: root, stdio: "inherit" });
  cpSync(join(root, BUILT), join(target, "dist/console"), { recursive: true });
  return readJson<string[]>(list);
}

/**
 * Returns the lock file of the published package: the entries of `package-lock.json` for the manifest's dependencies.
 */
function shrinkwrap({ name, version, license, bin, engines, ...own }: Manifest): object {
  const { packages, ...lock } = readJson<Lock>("package-lock.json");
  const paths = Object.keys(own.optionalDependencies).map((each) => `node_modules/${each}`);
  const needed = Object.entries(packages).filter(([path]) => paths.includes(path));
  const self = { name, version, license, bin, engines };
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
