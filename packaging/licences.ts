/** The licences of the libraries that are in the package, which have to go with it. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { MAY_DEVELOP, MAY_GO_ALONG, permits } from "./licence-rules.ts";
import { WORDS } from "./licence-words.ts";

const root = resolve(import.meta.dirname, "..");
const REDOC = "node_modules/redoc";

/** Library in the package. */
export interface Library {
  name: string;
  /** Version; undefined for a library inside a script that was bundled elsewhere, whose version is unknown. */
  version?: string;
  license: string;
  /** Full text of the license, with its copyright notice. */
  text: string;
}

/** The libraries of each part of the package. */
export interface Libraries {
  /** Libraries of the program. */
  server: Library[];
  /** Libraries of the console, which runs in browsers. */
  console: Library[];
  /** Libraries of the page at `/docs`: Redoc and the libraries inside its script. */
  reference: Library[];
}

interface Manifest {
  name: string;
  version: string;
  license?: string;
  author?: string | { name: string };
}

/**
 * Reads the licences of what is in the package.
 *
 * @param folders of the libraries of each part, from the root of the checkout; Redoc's are found here
 * @throws Error when a library names no licence, or one that this package cannot go with
 */
export function readLibraries(folders: { server: Iterable<string>; console: Iterable<string> }): Libraries {
  const read = (paths: Iterable<string>): Library[] =>
    [...paths].toSorted().map((path) => readLibrary(join(root, path)));
  return {
    server: read(folders.server),
    console: read(folders.console),
    reference: [readLibrary(join(root, REDOC)), ...insideRedoc()],
  };
}

/** Gives the text of `THIRD-PARTY-LICENSES`, the same for the same libraries in any order. */
export function licencesText(libraries: Libraries): string {
  const titles = {
    server: "The program holds, besides itself, these libraries.",
    console: "The console (dist/console) holds these.",
    reference: "The page at /docs (dist/docs) holds Redoc, and in its script these.",
  };
  return (Object.keys(titles) as (keyof Libraries)[])
    .map((part) => `${titles[part]}\n\n${libraries[part].map(entry).toSorted().join("\n")}`)
    .join("\n\n");
}

/**
 * Returns the dependencies in the lock file whose license is not allowed; empty when all are. Development dependencies
 * have a wider list of allowed licenses.
 *
 * @param shipped names of the libraries in the package
 */
export function refusedLicences(shipped: ReadonlySet<string>): string[] {
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, { version?: string; license?: string; link?: boolean }>;
  };
  return Object.entries(lock.packages).flatMap(([path, { version = "", license, link }]) => {
    const name = path.replace(/^.*node_modules\//, "");
    if (!path.includes("node_modules/") || link === true) return [];
    const told = license ?? NOT_IN_MANIFEST[name] ?? "none";
    const allowed =
      shipped.has(name) ||
      name.startsWith("node-linux-") ||
      name.startsWith("node-darwin-") ||
      name.startsWith("node-bin-")
        ? MAY_GO_ALONG
        : MAY_DEVELOP;
    return permits(allowed, told) ? [] : [`${name}@${version} has the licence ${told}`];
  });
}

function entry({ name, version, license, text }: Library): string {
  return `${"=".repeat(80)}\n${name}${version === undefined ? "" : ` ${version}`} (${license})\n\n${text.trim()}\n`;
}

/** @throws Error when it may not go along */
function readLibrary(folder: string): Library {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
  const { name, version } = manifest;
  const license = manifest.license ?? NOT_IN_MANIFEST[name] ?? "none";
  if (!permits(MAY_GO_ALONG, license)) throw new Error(`${name}@${version} has the licence ${license}`);
  return { name, version, license, text: textIn(folder) ?? standardText({ ...manifest, license }) };
}

/**
 * Returns the libraries inside Redoc's script, from the source map next to it. The map contains no versions, so none is
 * named; the license texts are those of the libraries installed here.
 */
function insideRedoc(): Library[] {
  const maps = readdirSync(join(root, REDOC, "bundles")).filter((name) =>
    /^(redoc\.standalone|.*\.worker)\.js\.map$/.test(name),
  );
  const sources = maps.flatMap(
    (name) => (JSON.parse(readFileSync(join(root, REDOC, "bundles", name), "utf8")) as { sources: string[] }).sources,
  );
  const names = sources.flatMap((source) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? []);
  return [...new Set(names)].toSorted().map(libraryInRedoc);
}

function libraryInRedoc(name: string): Library {
  const folder = [join(root, REDOC, "node_modules", name), join(root, "node_modules", name)].find((each) =>
    existsSync(each),
  );
  if (folder !== undefined) {
    const { version: _installed, ...library } = readLibrary(folder);
    return library;
  }
  const told = NOT_INSTALLED[name];
  if (told === undefined) throw new Error(`Redoc's script holds ${name}, of which no licence is known here`);
  return { name, license: told.license, text: standardText({ name, version: "", ...told }) };
}

/**
 * Licenses of libraries whose manifests contain none, or none in machine-readable form; taken from their files or
 * repositories.
 */
const NOT_IN_MANIFEST: Readonly<Record<string, string>> = { decko: "MIT", stickyfill: "MIT" };

/** Libraries that are inside Redoc's script but not among its installed dependencies. */
const NOT_INSTALLED: Readonly<Record<string, { license: string; author: string }>> = {
  "@emotion/stylis": { license: "MIT", author: "Emotion team and other contributors; Sultan Tarimo" },
  "@emotion/unitless": { license: "MIT", author: "Emotion team and other contributors" },
  "css-loader": { license: "MIT", author: "JS Foundation and other contributors" },
  "hoist-non-react-statics": { license: "BSD-3-Clause", author: "Yahoo! Inc." },
  "js-yaml": { license: "MIT", author: "Vitaly Puzrin" },
  "lodash.isequal": { license: "MIT", author: "OpenJS Foundation and other contributors" },
  "lodash.noop": { license: "MIT", author: "OpenJS Foundation and other contributors" },
  shallowequal: { license: "MIT", author: "Alberto Leal" },
  "style-loader": { license: "MIT", author: "JS Foundation and other contributors" },
  unfetch: { license: "MIT", author: "Jason Miller" },
  "workerize-loader": { license: "MIT", author: "Jason Miller" },
};

/** Returns the texts of the licenses and notices in a library's folder; undefined when there are none. */
function textIn(folder: string): string | undefined {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((each) => each.isFile() && /^(licen[cs]e|copying|notice)/i.test(each.name))
    .map(({ name }) => name);
  const texts = names.toSorted().map((name) => readFileSync(join(folder, name), "utf8"));
  return texts.length > 0 ? texts.join("\n") : undefined;
}

/** The words of a licence that the library names in its manifest alone. @throws Error for one whose words are not here */
function standardText({ name, license = "", author = name }: Manifest): string {
  const words = WORDS[license];
  if (words === undefined) throw new Error(`${name} holds no text of its licence ${license}`);
  return `Copyright (c) ${typeof author === "string" ? author : author.name}\n\n${words}`;
}
