/** Runs the same tests on every storage engine. */
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe } from "vitest";
import { runDirectory } from "./directory.ts";
import { freshDatabaseUrl } from "./postgres-schema.ts";

/** The storage engines. */
export type Engine = "sqlite" | "postgres";

/** Both, in the order in which the tests run. */
export const engines: readonly Engine[] = ["sqlite", "postgres"];

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

/** Returns the `--database` value of a new, empty database of that engine; it goes when the test file ends. */
export async function makeDatabaseUrl(engine: Engine): Promise<string> {
  return engine === "sqlite" ? `sqlite:${join(temporaryDirectory(), "tessera.db")}` : freshDatabaseUrl();
}

/** Describes the same cases once per engine. `makeUrl` gives a new, empty database at every call. */
export function forEachEngine(body: (engine: Engine, makeUrl: () => Promise<string>) => void): void {
  for (const engine of engines) {
    describe(engine, () => {
      body(engine, () => makeDatabaseUrl(engine));
    });
  }
}
