import { sql } from "kysely";
import type { Visibility } from "../rights/rules/visibility.ts";
import { visible } from "../storage/reads/conditions.ts";
import type { Reader } from "../storage/database.ts";
import { oneOf } from "../storage/reads/query.ts";

/** The tables whose rows are counted in each namespace. */
export const COUNTED = ["tokens", "policies", "roles", "auth_methods", "binding_rules"] as const;
export type CountedTable = (typeof COUNTED)[number];
export type TableCounts = Record<CountedTable, number>;

const NONE: TableCounts = { tokens: 0, policies: 0, roles: 0, auth_methods: 0, binding_rules: 0 };

/** Names of those namespaces of a partition that may be seen, the first ones, and how many there are. */
export async function firstNamespaces(
  db: Reader,
  partition: string,
  seen: Visibility,
  limit: number,
): Promise<{ names: string[]; count: number }> {
  const all = db.sql
    .selectFrom("namespaces")
    .where("partition", "=", partition)
    .where(visible(db.engine, sql.ref("name"), seen));
  const [rows, [counted]] = await Promise.all([
    all.select("name").orderBy("name").limit(limit).execute(),
    all.select(({ fn }) => fn.countAll<number>().as("count")).execute(),
  ]);
  return { names: rows.map(({ name }) => name), count: counted?.count ?? 0 };
}

/** How much lies in each of these namespaces. */
export async function countsOfNamespaces(
  db: Reader,
  partition: string,
  names: readonly string[],
): Promise<Map<string, TableCounts>> {
  const found = new Map(names.map((name) => [name, { ...NONE }]));
  if (names.length === 0) return found;
  const keys = names.flatMap((name) => COUNTED.map((table) => `${partition}/${name}/${table}`));
  const rows = await db.sql
    .selectFrom("object_counts")
    .select(["name", "value"])
    .where(oneOf(db.engine, sql.ref("name"), keys))
    .execute();
  for (const { name, value } of rows) {
    const [, namespace = "", table = ""] = name.split("/");
    const counts = found.get(namespace);
    if (counts !== undefined) counts[table as CountedTable] = value;
  }
  return found;
}

/** How much lies in all namespaces of a partition that may be seen. */
export async function countsOfAll(db: Reader, partition: string, seen: Visibility): Promise<TableCounts> {
  const totals = COUNTED.map((table) =>
    sql<number | string | null>`sum((select c.value from object_counts c
      where c.name = namespaces.partition || '/' || namespaces.name || ${sql.lit(`/${table}`)}))`.as(table),
  );
  const [row] = await db.sql
    .selectFrom("namespaces")
    .select(totals)
    .where("partition", "=", partition)
    .where(visible(db.engine, sql.ref("name"), seen))
    .execute();
  return Object.fromEntries(COUNTED.map((table) => [table, Number(row?.[table] ?? 0)])) as TableCounts;
}
