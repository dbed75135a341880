/** All of a database as it was at one moment, for backups. */
import type { Engine } from "../engine.ts";
import { MIGRATIONS } from "../migrations/migrate.ts";
import { StartError } from "../start-error.ts";

/** Values of a row, in the order of the columns that were asked for. */
export type SnapshotRow = readonly (string | number | null)[];

export interface Snapshot {
  engine: Engine;
  /** Time by the clock of the database; the snapshot contains everything that was committed before. */
  takenAt: string;
  /** Names of the migrations that the database has. */
  migrations: readonly string[];
  /** The rows of a table in the order of its key, compared by bytes, a bounded number at a time. */
  rows(table: string, columns: readonly string[], key: readonly string[]): AsyncIterable<SnapshotRow[]>;
  close(): Promise<void>;
}

/** Rows that are read at a time. */
export const ROWS_AT_A_TIME = 1000;

/** The statement for the rows of a table. All names are the program's own. */
export function selectRows(table: string, columns: readonly string[], key: readonly string[]): string {
  return `select ${columns.join(", ")} from ${table} order by ${key.join(", ")}`;
}

/** @throws StartError unless the schema is the one that this program knows: of another it would leave out what it does not know */
export function checkSchema(applied: readonly string[]): void {
  const newer = applied.find((name) => MIGRATIONS.every((known) => known.name !== name));
  if (newer !== undefined) {
    throw new StartError(
      `the database has migration ${newer}, which this version does not know. Use the version of its server`,
    );
  }
  const missing = MIGRATIONS.find(({ name, phase }) => phase !== "contract" && !applied.includes(name));
  if (missing === undefined) return;
  throw new StartError(
    applied.length === 0
      ? "the database is empty: no server has used it"
      : `the database has an older version (${missing.name} is missing). Use the version of its server`,
  );
}
