/** A schema in which nothing was ever written: a start that was refused has left it, and it counts as an empty database. */
import type pg from "pg";
import { DIALECTS } from "../migrations/migration.ts";
import { MIGRATIONS } from "../migrations/migrate.ts";
import { TABLES } from "../tables/tables.ts";

/** Tables into which migrations put rows. Whatever else is written raises a counter. */
const FILLED_BY_MIGRATIONS: ReadonlySet<string> = new Set(["partitions", "namespaces", "object_counts"]);

/** Tables of this version and of those before, also such as no code uses yet. */
const OWN: readonly string[] = [
  ...new Set([
    ...Object.keys(TABLES),
    ...MIGRATIONS.flatMap(({ statements }) => statements(DIALECTS.postgres))
      .flatMap((statement) => [...statement.matchAll(/\bcreate table (?:if not exists )?(\w+)/gi)])
      .map(([, name = ""]) => name),
  ]),
];

/**
 * Takes the schema out where nothing was written since it was made, in the transaction of the schema's turn. Tables of others stay.
 *
 * @returns whether it was so; if not, nothing has changed
 */
export async function dropIfEmpty(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
       where relkind = 'r' and relnamespace = current_schema()::regnamespace and relname = any($1::text[])`,
    [OWN],
  );
  const tables = rows.map(({ name }) => name);
  for (const table of tables) {
    const isWritten = table === "counters" ? "where value <> 0" : "";
    if (FILLED_BY_MIGRATIONS.has(table)) continue;
    const found = await client.query(`select 1 from ${table} ${isWritten} limit 1`);
    if (found.rowCount !== 0) return false;
  }
  const functions = await client.query<{ name: string }>(
    `select distinct p.oid::regprocedure::text as name from pg_trigger t
       join pg_proc p on p.oid = t.tgfoid join pg_class c on c.oid = t.tgrelid
       where not t.tgisinternal and p.pronamespace = current_schema()::regnamespace
         and c.relnamespace = current_schema()::regnamespace and c.relname = any($1::text[])`,
    [tables],
  );
  if (tables.length > 0) await client.query(`drop table ${tables.join(", ")} cascade`);
  for (const { name } of functions.rows) await client.query(`drop function ${name}`);
  await client.query("delete from schema_migrations");
  return true;
}
