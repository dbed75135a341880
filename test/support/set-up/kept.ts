/** Folders that set-ups make of the source and keep for the runs to come, by a digest of what they are made of. */
import { createHash, type Hash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { join, resolve } from "node:path";

const repository = resolve(import.meta.dirname, "../../..");
const CACHE = join(repository, "node_modules/.cache/tessera-tests");
/** Digests whose folders stay: of two branches, and one between. */
const KEPT = 3;
/** No run lasts so long: what was asked for since may still be in use. */
const IN_USE_MS = 6 * 3_600_000;
/** Package-lock.json stands for all libraries. */
const MADE_OF = ["src", "packages/client/src", "packages/model", "packaging", "test/support", "package-lock.json"];

/**
 * Gives the folder of a name that was made of the source as it is, and makes it where there is none yet.
 *
 * @param make fills an empty folder; what it makes may hold no path of that folder
 * @returns its path; it is shared with other runs, so nobody writes into it
 */
export async function keptFolder(name: string, make: (folder: string) => Promise<void> | void): Promise<string> {
  const home = join(CACHE, digestOfSource());
  const folder = join(home, name);
  mkdirSync(home, { recursive: true });
  utimesSync(home, new Date(), new Date());
  if (existsSync(folder)) return folder;
  const half = mkdtempSync(join(home, `${name}-half-`));
  try {
    await make(half);
    renameSync(half, folder);
  } catch (error) {
    rmSync(half, { recursive: true, force: true });
    // Another run has made the same meanwhile.
    if (!existsSync(folder)) throw error;
  }
  removeOldest();
  return folder;
}

function removeOldest(): void {
  const found = readdirSync(CACHE).map((name) => join(CACHE, name));
  const ages = found.map((path) => ({
    path,
    age: Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0),
  }));
  const byAge = ages.toSorted((a, b) => a.age - b.age);
  for (const { path } of byAge.slice(KEPT).filter(({ age }) => age > IN_USE_MS)) {
    rmSync(path, { recursive: true, force: true });
  }
}

let digest: string | undefined;

function digestOfSource(): string {
  if (digest !== undefined) return digest;
  const hash = createHash("sha256").update(process.version);
  for (const path of MADE_OF) addTo(hash, join(repository, path));
  return (digest = hash.digest("hex").slice(0, 32));
}

function addTo(hash: Hash, path: string): void {
  const found = statSync(path);
  if (found.isDirectory()) {
    const names = readdirSync(path).filter((name) => name !== "node_modules" && !name.endsWith(".test.ts"));
    for (const name of names.toSorted()) addTo(hash, join(path, name));
  } else hash.update(`${path.slice(repository.length)}\0${found.size}\0`).update(readFileSync(path));
}
