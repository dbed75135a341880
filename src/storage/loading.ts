/** An empty database that a backup is loaded into. See `backup/restore.ts`. */
import { MIGRATIONS } from "./migrate.ts";
import type { Migration } from "./migration.ts";
import { StartError } from "./start-error.ts";

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
  /** Applies what this version has beyond the migrations of the backup, and makes all of it a database, durably. */
  finish(): Promise<void>;
  /** Leaves the place as empty as it was. */
  abandon(): Promise<void>;
}

/** @throws StartError when the backup's schema has what this program does not know */
export function migrationsOf(names: readonly string[]): Migration[] {
  const newer = names.find((name) => MIGRATIONS.every((known) => known.name !== name));
  if (newer !== undefined) {
    throw new StartError(
      `the backup has migration ${newer}, which this version does not know; use the version that made it, or a newer one`,
    );
  }
  return MIGRATIONS.filter(({ name }) => names.includes(name));
}

/** Why a restore is refused on a database that is in use. */
export function notEmpty(what: string): StartError {
  return new StartError(`${what} is not empty, and a backup is restored into an empty database only; name another one`);
}
