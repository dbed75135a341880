import type { Engine } from "./database.ts";
import { foundation } from "./migrations/0001-foundation.ts";
import { accessControl } from "./migrations/0002-access-control.ts";
import { feed } from "./migrations/0003-feed.ts";
import { namespaces } from "./migrations/0004-namespaces.ts";
import { login } from "./migrations/0005-login.ts";

/** Column types by engine: identifiers compare by bytes on both, whatever the database's locale is. */
export interface Dialect {
  engine: Engine;
  text: string;
  integer: string;
}

/** One numbered change of the schema. Applied once, in order, and never edited after a release. */
export interface Migration {
  name: string;
  statements(dialect: Dialect): string[];
  /** Statements that may fail for lack of rights; each is left out when it does. */
  optional?(dialect: Dialect): string[];
}

export const MIGRATIONS: readonly Migration[] = [foundation, accessControl, feed, namespaces, login];

export const DIALECTS: Record<Engine, Dialect> = {
  sqlite: { engine: "sqlite", text: "text", integer: "integer" },
  postgres: { engine: "postgres", text: `text collate "C"`, integer: "bigint" },
};

/**
 * The migrations that are still to run.
 *
 * @param applied names that the database has
 * @throws Error when the database has one that this program does not know: it was made by a newer version
 */
export function pendingMigrations(applied: readonly string[]): Migration[] {
  const unknown = applied.find((name) => !MIGRATIONS.some((migration) => migration.name === name));
  if (unknown !== undefined) throw new Error(`the database has migration ${unknown}, which this version does not know`);
  return MIGRATIONS.filter((migration) => !applied.includes(migration.name));
}
