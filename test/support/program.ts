/**
 * The program as tests and benchmarks start it: bundled once for a run, as it is published, since most of a start is the search for
 * its 700 files. As source it is walked by test/docs/readme.test.ts, as the published package by packaging/walk.ts.
 */
import { cpSync } from "node:fs";
import { join, resolve } from "node:path";
import { bundle } from "../../packaging/bundle.ts";

/** Names the bundle to the workers of a run, and to what they start. */
export const PROGRAM_VARIABLE = "TESSERA_TEST_PROGRAM";
const repository = resolve(import.meta.dirname, "../..");

/** The file that `node` runs; the source's unless a bundle was made. */
export function programFile(): string {
  return process.env[PROGRAM_VARIABLE] ?? join(repository, "src/main.ts");
}

/** The same for an environment with a module that is loaded in front: it may look for the source's files. */
export function programFor(env: Readonly<Record<string, string>> = {}): string {
  return env["NODE_OPTIONS"]?.includes("--import") === true ? join(repository, "src/main.ts") : programFile();
}

/** Writes the bundle below a directory: the program is its `dist/main.js`. */
export async function writeProgram(directory: string): Promise<void> {
  await bundle(join(directory, "dist"));
  cpSync(join(repository, "packaging/manifest.json"), join(directory, "package.json"));
}

/** Writes the bundle below a directory, and tells this process and those that it starts of it by their environment. */
export async function bundleProgram(directory: string): Promise<void> {
  await writeProgram(directory);
  process.env[PROGRAM_VARIABLE] = join(directory, "dist/main.js");
}
