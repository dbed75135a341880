import type pg from "pg";
import { DIALECTS, pendingMigrations } from "../migrate.ts";
import type { Servers } from "./servers.ts";

/**
 * Brings the schema up to date. Nodes that start at once take turns: each locks
 * the same row, so one migrates and the others wait for it.
 */
export async function migratePostgres(servers: Servers): Promise<void> {
  const { client } = await servers.connect("write", { application_name: "tessera" }, () => Promise.resolve());
  try {
    await makeLockRow(client);
    await client.query("begin");
    await client.query("update schema_lock set taken = taken + 1");
    const applied = await client.query<{ name: string }>("select name from schema_migrations");
    for (const migration of pendingMigrations(applied.rows.map((row) => row.name))) {
      for (const statement of migration.statements(DIALECTS.postgres)) await client.query(statement);
      await tryOptional(client, migration.optional?.(DIALECTS.postgres) ?? []);
      await client.query("insert into schema_migrations (name, applied_at) values ($1, $2)", [
        migration.name,
        new Date().toISOString(),
      ]);
    }
    await client.query("commit");
  } finally {
    await client.end();
  }
}

/** "If not exists" is no protection against a second node at the same moment: that one tries again. */
async function makeLockRow(client: pg.Client): Promise<void> {
  for (let attempts = 0; ; attempts++) {
    try {
      await client.query(
        "create table if not exists schema_migrations (name text primary key, applied_at text not null)",
      );
      await client.query("create table if not exists schema_lock (id integer primary key, taken bigint not null)");
      await client.query("insert into schema_lock (id, taken) values (1, 0) on conflict do nothing");
      return;
    } catch (error) {
      if (attempts >= 5) throw error;
    }
  }
}

async function tryOptional(client: pg.Client, statements: string[]): Promise<void> {
  try {
    await client.query("savepoint optional");
    for (const statement of statements) await client.query(statement);
  } catch {
    await client.query("rollback to savepoint optional");
  }
}
