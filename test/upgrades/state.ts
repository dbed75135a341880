/** Reads the contents of a database past the application. */
import { DatabaseSync } from "node:sqlite";
import { withClient } from "../support/postgres-schema.ts";

export type Row = Readonly<Record<string, unknown>>;

/** Runs one query. @param database a `--database` value */
export async function query(database: string, sql: string): Promise<Row[]> {
  if (!database.startsWith("sqlite:")) {
    return withClient(database, async (client) => (await client.query<Row>(sql)).rows);
  }
  const db = new DatabaseSync(database.slice("sqlite:".length), { readOnly: true });
  try {
    return db.prepare(sql).all();
  } finally {
    db.close();
  }
}

/** Columns by table, indexes and triggers: what makes two schemas the same for a program. */
export async function schemaOf(database: string): Promise<Row[]> {
  if (database.startsWith("sqlite:")) {
    return query(
      database,
      `select s.type, s.name, s.tbl_name, c.name as column, c.type as kind, c."notnull", c.dflt_value, c.pk
         from sqlite_schema s left join pragma_table_info(s.name) c on s.type = 'table'
         where s.name not like 'tags_search%_%' order by 1, 2, c.cid`,
    );
  }
  const columns = await query(
    database,
    `select table_name, column_name, data_type, collation_name, is_nullable, column_default
       from information_schema.columns where table_schema = 'public' order by 1, ordinal_position`,
  );
  const indexes = await query(database, "select indexdef from pg_indexes where schemaname = 'public' order by 1");
  const triggers = await query(
    database,
    `select tgrelid::regclass::text as table, tgname from pg_trigger where not tgisinternal
     union all select 'function', proname from pg_proc where pronamespace = 'public'::regnamespace
       and prolang = (select oid from pg_language where lanname = 'plpgsql') order by 1, 2`,
  );
  return [...columns, ...indexes, ...triggers];
}

/** All rows by table, in an order that is theirs. */
export async function rowsOf(database: string, but: readonly string[]): Promise<Record<string, string[]>> {
  const tables = await query(
    database,
    database.startsWith("sqlite:")
      ? "select name from sqlite_schema where type = 'table' and name not like 'tags_search%' order by 1"
      : "select table_name as name from information_schema.tables where table_schema = 'public' order by 1",
  );
  const rows: Record<string, string[]> = {};
  for (const name of tables.map((table) => String(table["name"])).filter((table) => !but.includes(table))) {
    rows[name] = (await query(database, `select * from ${name}`)).map((row) => JSON.stringify(row)).toSorted();
  }
  return rows;
}
