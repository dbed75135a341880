/**
 * The program as tests start it: bundled once for a test run, since most of a start is the search for its 700 files. As
 * source it is walked by test/docs/readme.test.ts, as the published package by packaging/walk.ts.
 */
import { cpSync } from "node:fs";
import { join, resolve } from "node:path";
import { rolldown } from "rolldown";

const VARIABLE = "TESSERA_TEST_PROGRAM";
const repository = resolve(import.meta.dirname, "../..");

/** What is started by a path of its own, beside the main file: threads and child processes of SQLite. */
const ENTRIES = ["read-worker", "checkpoint-worker", "wal-sync-worker", "quick-check-process"];

/** The file that `node` runs; the source's outside of a test run. */
export function programFile(): string {
  return process.env[VARIABLE] ?? join(repository, "src/main.ts");
}

/** Writes the bundle below a directory, and tells the workers of it by their environment. */
export async function bundleProgram(directory: string): Promise<void> {
  const ofSqlite = ENTRIES.map((name) => [
    name,
    name === "read-worker" ? "src/read-worker.ts" : `src/storage/sqlite/${name}.ts`,
  ]);
  const bundle = await rolldown({
    cwd: repository,
    platform: "node",
    input: { main: "src/main.ts", ...Object.fromEntries(ofSqlite) },
    external: [/^node:/, "pg-native"],
    logLevel: "silent",
  });
  // Two folders below the manifest, as the file that reads it is in the package.
  await bundle.write({ dir: join(directory, "dist/program"), entryFileNames: "[name].js", format: "esm" });
  await bundle.close();
  cpSync(join(repository, "packaging/manifest.json"), join(directory, "package.json"));
  process.env[VARIABLE] = join(directory, "dist/program/main.js");
}
