/**
 * The bill of materials of a release, by CycloneDX 1.6: each library that lies in the package, and the Node.js that comes with it. It is
 * made of what the bundlers say that they took, since no list of dependencies knows that, and of the lock file's sums.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Libraries, Library } from "../licences.ts";

interface Locked {
  version?: string;
  integrity?: string;
}

interface Manifest {
  name: string;
  version: string;
  description: string;
  license: string;
  optionalDependencies: Record<string, string>;
}

/**
 * Makes it, the same for the same commit.
 *
 * @param root of a checkout in which `npm run build` has run
 * @param epoch seconds since 1970, of the commit
 */
export function billOfMaterials(root: string, epoch: number): string {
  const libraries = readJson<Libraries>(root, "dist/libraries.json");
  const manifest = readJson<Manifest>(root, "dist/package/package.json");
  const { packages } = readJson<{ packages: Record<string, Locked> }>(root, "package-lock.json");
  const sums = new Map(
    Object.entries(packages).map(([path, { version, integrity }]) => [`${nameOf(path)}@${version ?? ""}`, integrity]),
  );
  const nodes = Object.entries(manifest.optionalDependencies).map(([name, version]) => ({
    name,
    version,
    license: "MIT",
  }));
  const components = [
    ...parts("server", libraries.server, sums),
    ...parts("console", libraries.console, sums),
    ...parts("reference", libraries.reference, sums),
    ...nodes.map((each) => component("node", each, sums)),
  ].toSorted((one, other) => (one["bom-ref"] < other["bom-ref"] ? -1 : 1));
  const self = `pkg:npm/${purlName(manifest.name)}@${manifest.version}`;
  const bill = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      timestamp: new Date(epoch * 1000).toISOString(),
      component: {
        type: "application",
        "bom-ref": self,
        name: manifest.name,
        version: manifest.version,
        description: manifest.description,
        licenses: [{ license: { id: manifest.license } }],
        purl: self,
      },
    },
    components,
    dependencies: [{ ref: self, dependsOn: components.map((each) => each["bom-ref"]) }],
  };
  return `${JSON.stringify(bill, undefined, 2)}\n`;
}

type Named = Pick<Library, "name" | "version" | "license">;

function parts(part: string, libraries: readonly Library[], sums: ReadonlyMap<string, string | undefined>) {
  // A library of one version may be in several folders.
  const once = new Map(libraries.map((each) => [`${each.name}@${each.version ?? ""}`, each]));
  return [...once.values()].map((each) => component(part, each, sums));
}

/** One library in one part; the same library in two parts is two components, as it is there twice. */
function component(part: string, { name, version, license }: Named, sums: ReadonlyMap<string, string | undefined>) {
  const purl = `pkg:npm/${purlName(name)}${version === undefined ? "" : `@${version}`}`;
  const integrity = version === undefined ? undefined : sums.get(`${name}@${version}`);
  return {
    type: "library",
    "bom-ref": `${part}:${purl}`,
    name,
    ...(version === undefined ? {} : { version }),
    scope: "required",
    ...(integrity === undefined ? {} : { hashes: [hashOf(integrity)] }),
    licenses: [/[ ()]/.test(license) ? { expression: license } : { license: named(license) }],
    purl,
    properties: [{ name: "tessera:part", value: part }],
  };
}

/** Returns a license as an SPDX identifier, or as a name when it is not one. */
function named(license: string): { id: string } | { name: string } {
  return license === "BSD" ? { name: license } : { id: license };
}

/** @throws Error for a sum that is not npm's usual one */
function hashOf(integrity: string): { alg: string; content: string } {
  const [, sum] = /^sha512-([\w+/=]+)/.exec(integrity) ?? [];
  if (sum === undefined) throw new Error(`a sum in the lock file is no SHA-512: ${integrity}`);
  return { alg: "SHA-512", content: Buffer.from(sum, "base64").toString("hex") };
}

function purlName(name: string): string {
  return name.replace("@", "%40");
}

function nameOf(path: string): string {
  return path.replace(/^.*node_modules\//, "");
}

function readJson<T>(root: string, name: string): T {
  return JSON.parse(readFileSync(join(root, name), "utf8")) as T;
}
