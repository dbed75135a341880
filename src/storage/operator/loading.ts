/** An empty database that a backup is loaded into. See `backup/restore.ts`. */
import { isMigration, MIGRATIONS } from "../migrations/migrate.ts";
import type { Migration } from "../migrations/migration.ts";
import type { SnapshotRow } from "./snapshot.ts";
import { StartError } from "../start-error.ts";

export interface Loading {
  /**
   * Adds rows to a table.
   *
   * @param lines each a JSON array of the columns, with a line break behind each
   */
  load(table: string, columns: readonly string[], lines: string): Promise<void>;
  /**
   * Runs a statement that both engines understand.
   *
   * @param list what `{list}` in it stands for, as in `where id in {list}`
   */
  run(sql: string, list?: readonly string[]): Promise<unknown[]>;
  /** Rows of a table as they have been loaded, in the order of its key, a bounded number at a time. */
  rows(table: string, columns: readonly string[], key: readonly string[]): AsyncIterable<SnapshotRow[]>;
  /**
   * Takes out whatever the tables have, what an earlier move brought included.
   *
   * @param tables what refers to others comes first
   */
  empty(tables: readonly string[]): Promise<void>;
  /**
   * Applies what this version has beyond the migrations of the backup, and makes all of it a database, durably. When it is one
   * that moves, no server starts on it before `give`.
   *
   * @param mayGoOn asked again and again, the last time right before it is a database; what it throws ends it
   */
  finish(mayGoOn?: () => void): Promise<void>;
  /** Lets servers start on it, after `finish`, durably. @throws StartError; then none starts */
  give(): Promise<void>;
  /** Does work that can wait until the database is ready and nothing waits for it. Its failure loses no data. */
  tidy(): Promise<void>;
  /** Leaves the place as empty as it was. */
  abandon(): Promise<void>;
}

/** Migrations of the backup's schema. This program knows all of them: `backup/shapes.ts` has checked that. */
export function migrationsOf(names: readonly string[]): Migration[] {
  return MIGRATIONS.filter((migration) => names.some((name) => isMigration(migration, name)));
}

/**
 * State of the target of a move whose source was left: the call made it available (`given`), it was available before
 * (`free`), or it is another database (`other`) and the call did nothing.
 */
export type KeyOrigin = "given" | "free" | "other";

/**
 * Returns the error of a restore, or a move, to a database that is in use.
 *
 * @param isMove whether a database is moved, and not a backup restored
 */
export function notEmpty(what: string, isMove: boolean): StartError {
  const only = isMove
    ? "a database can only be moved to an empty database"
    : "a backup can only be restored into an empty database";
  return new StartError(`${what} is not empty, and ${only}. Choose another database`);
}
