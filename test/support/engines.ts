/** Runs the same tests on the storage engines. */
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe } from "vitest";
import { runDirectory } from "./directory.ts";
import { freshDatabaseUrl, migratedDatabaseUrl } from "./postgres-schema.ts";

/** The storage engines. */
export type Engine = "sqlite" | "postgres";

/** The engines of this process: the one of its project of vitest, or both where tests start programs. */
export const engines: readonly Engine[] = (["sqlite", "postgres"] as const).filter(
  (engine) => (process.env["TESSERA_TEST_ENGINE"] ?? engine) === engine,
);

const directories: string[] = [];

/** Makes a directory that is removed when the test file ends. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(runDirectory(), "tessera-test-"));
  directories.push(directory);
  return directory;
}

/** Removes what `temporaryDirectory` made. */
export function removeTemporaryDirectories(): void {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
}

/**
 * Returns the `--database` value of a new database of that engine, which holds no rows; it goes when the test file ends.
 *
 * @param isBare also without a schema, on PostgreSQL; a file of SQLite is not even there
 */
export async function makeDatabaseUrl(engine: Engine, isBare = false): Promise<string> {
  if (engine === "sqlite") return `sqlite:${join(temporaryDirectory(), "tessera.db")}`;
  return isBare ? freshDatabaseUrl() : migratedDatabaseUrl();
}

/** Describes cases of one engine, where this process tests it. */
export function forEngine(engine: Engine, body: () => void): void {
  describe.each(engines.filter((each) => each === engine))("on %s", () => {
    body();
  });
}

/** Describes the same cases once per engine of this process. `makeUrl` gives a new database at every call. */
export function forEachEngine(body: (engine: Engine, makeUrl: (isBare?: boolean) => Promise<string>) => void): void {
  for (const engine of engines) {
    describe(engine, () => {
      body(engine, (isBare) => makeDatabaseUrl(engine, isBare));
    });
  }
}
