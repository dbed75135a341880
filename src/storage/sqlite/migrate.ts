import type { DatabaseSync } from "node:sqlite";
import { sqliteDigest, SQLITE_DIGEST } from "../proofs/proofs.ts";
import { MIGRATIONS, newerWarning, pendingMigrations, type AppliedMigration } from "../migrations/migrate.ts";
import { DIALECTS, type Migration } from "../migrations/migration.ts";

/**
 * Brings the schema up to date. The file belongs to this process alone, so nothing has to wait for an older program.
 *
 * @param known those of this program, unless it is to be brought to where an earlier one had it
 * @throws StartError when the schema is of a newer version that this one cannot work with
 */
export function migrateSqlite(
  db: DatabaseSync,
  onWarning: (message: string) => void,
  known: readonly Migration[] = MIGRATIONS,
): void {
  db.function(SQLITE_DIGEST, { varargs: true, deterministic: true }, sqliteDigest);
  db.exec("begin immediate");
  try {
    makeTable(db);
    const rows = db.prepare("select name, phase from schema_migrations order by name").all();
    const { now, left, newer } = pendingMigrations(rows as unknown as AppliedMigration[], known);
    const insert = db.prepare("insert into schema_migrations (name, applied_at, phase) values (?, ?, ?)");
    const dialect = { ...DIALECTS.sqlite, servesEarlier: rows.length > 0 };
    for (const migration of [...now, ...left]) {
      for (const statement of migration.statements(dialect)) db.exec(statement);
      for (const statement of migration.optional?.(dialect) ?? []) db.exec(statement);
      insert.run(migration.name, new Date().toISOString(), migration.phase ?? "expand");
    }
    db.exec("commit");
    if (newer.length > 0) onWarning(newerWarning(newer));
  } catch (error) {
    if (db.isTransaction) db.exec("rollback");
    throw error;
  }
}

function makeTable(db: DatabaseSync): void {
  db.exec("create table if not exists schema_migrations (name text primary key, applied_at text not null)");
  const columns = db.prepare("select name from pragma_table_info('schema_migrations')").all();
  // Tables of earlier versions do not have it.
  if (columns.some((column) => column["name"] === "phase")) return;
  db.exec("alter table schema_migrations add column phase text not null default 'expand'");
}
