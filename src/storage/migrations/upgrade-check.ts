/** Predicts the changes that a start of this version would make to a database, without changing it. */
import { sql } from "kysely";
import type { Reader } from "../database.ts";
import { type AppliedMigration, pendingMigrations } from "./migrate.ts";
import { NAMES, PREFIX, type StoredSettings } from "../settings.ts";
import { StartError } from "../start-error.ts";

export interface UpgradeCheck {
  /** Names of the migrations that the database has. */
  applied: readonly string[];
  /** Names of the migrations that a start would apply, in order. */
  now: readonly string[];
  /**
   * Names of the migrations that wait for `tessera finish-upgrade` on PostgreSQL, and are applied at the start of an
   * embedded database.
   */
  left: readonly string[];
  /** Names of the migrations of a newer version, with which this one works. */
  newer: readonly string[];
}

/**
 * @param db of whichever version its schema is
 * @param given with which servers would be started
 * @throws StartError when the database is none of this product, of a version that this one cannot work with, or was made with
 * other settings
 */
export async function checkUpgrade(db: Reader, given: StoredSettings): Promise<UpgradeCheck> {
  const applied = await readApplied(db);
  const { now, left, newer } = pendingMigrations(applied);
  await refuseOtherSettings(db, given);
  const names = (migrations: readonly { name: string }[]): string[] => migrations.map(({ name }) => name);
  return { applied: names(applied), now: names(now), left: names(left), newer };
}

async function readApplied(db: Reader): Promise<AppliedMigration[]> {
  try {
    const { rows } = await sql<{ name: string; phase?: string }>`select * from schema_migrations order by name`.execute(
      db.sql,
    );
    // Tables of the first versions do not have the phase; all that these knew only added.
    return rows.map(({ name, phase = "expand" }) => ({ name, phase }));
  } catch (error) {
    throw new StartError("the database is not a Tessera database. Check --database and --data-dir", { cause: error });
  }
}

async function refuseOtherSettings(db: Reader, given: StoredSettings): Promise<void> {
  const { rows } = await sql<{
    name: string;
    value: string;
  }>`select name, value from meta where name like ${`${PREFIX}%`}`.execute(db.sql);
  const stored = new Map(rows.map(({ name, value }) => [name, value]));
  for (const name of NAMES) {
    const value = stored.get(`${PREFIX}${name}`);
    if (value === undefined || value === given[name]) continue;
    throw new StartError(
      `--${name} ${given[name]} does not match this database, which was created with ${value}. Set --${name} ${value}`,
    );
  }
}
