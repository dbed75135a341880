/**
 * An SQLite file that holds the schema and nothing else, made once for a test run: the schema costs more than all else
 * that is done when a database is opened for the first time. Tests of the opening itself begin without a file.
 */
import { chmodSync, copyFileSync, existsSync } from "node:fs";
import { openConnection } from "../../src/storage/sqlite/connection.ts";
import { migrateSqlite } from "../../src/storage/sqlite/migrate.ts";

/** Names the file to the workers of a run. */
export const TEMPLATE_VARIABLE = "TESSERA_TEST_SQLITE";
const PREFIX = "sqlite:";

/** Makes the file. */
export function makeTemplate(file: string): void {
  const connection = openConnection(file, "write");
  migrateSqlite(connection.db, () => undefined);
  connection.close();
  chmodSync(file, 0o600);
}

/** Puts a copy where the `--database` value says, unless something is there already. PostgreSQL is left as it is. */
export function fillFromTemplate(url: string): void {
  const template = process.env[TEMPLATE_VARIABLE];
  const path = url.slice(PREFIX.length);
  if (template === undefined || !url.startsWith(PREFIX) || existsSync(path)) return;
  copyFileSync(template, path);
}
