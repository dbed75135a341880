import { sql } from "kysely";
import type { Reader, Transaction } from "../../storage/database.ts";
import { defineQuery, oneOf, type Query } from "../../storage/query.ts";
import { slices } from "../../storage/slices.ts";
import type { Scope } from "../scope.ts";

/** A table of what lies in namespaces, and how its rows are deleted. */
interface ScopedTable {
  name: string;
  keys: Query<Scope & { limit: number }, { key: string }>;
  remove: Query<{ keys: readonly string[] }, unknown>;
}

function scopedTable(name: "tokens" | "roles" | "policies", column: "accessor_id" | "id"): ScopedTable {
  return {
    name,
    keys: defineQuery((db, p: Scope & { limit: number }) =>
      db
        .selectFrom(name)
        .select(sql<string>`${sql.ref(column)}`.as("key"))
        .where("partition", "=", p.partition)
        .where("namespace", "=", p.namespace)
        // In the order of an index: without one PostgreSQL may walk the whole table for a few rows.
        .orderBy(column === "id" ? sql`name_key` : sql`accessor_id`)
        .limit(p.limit),
    ),
    remove: defineQuery((db, p: { keys: readonly string[] }, engine) =>
      db.deleteFrom(name).where(oneOf(engine, sql.ref(column), p.keys)),
    ),
  };
}

/**
 * All tables of what lies in namespaces, in the order in which they are
 * emptied: first who may do something, last what says what may be done, so
 * that no step leaves anybody with more rights than before.
 */
const SCOPED_TABLES: readonly ScopedTable[] = [
  scopedTable("tokens", "accessor_id"),
  scopedTable("roles", "id"),
  scopedTable("policies", "id"),
];

/** Their names. */
export const SCOPED_TABLE_NAMES: readonly string[] = SCOPED_TABLES.map(({ name }) => name);

/** Rows of one table. */
export interface Found {
  table: ScopedTable;
  keys: string[];
}

/** Some of what is left in a namespace, of one table; undefined when it is empty. */
export async function findLeft(db: Reader, scope: Scope, limit: number): Promise<Found | undefined> {
  for (const table of SCOPED_TABLES) {
    const rows = await db.run(table.keys, { ...scope, limit });
    if (rows.length > 0) return { table, keys: rows.map(({ key }) => key) };
  }
  return undefined;
}

export function deleteFound(tx: Transaction, { table, keys }: Found): void {
  for (const slice of slices(tx, keys)) tx.write(table.remove, { keys: slice });
}

const deleteIndexes = defineQuery((db, p: { names: readonly string[] }, engine) =>
  db.deleteFrom("table_indexes").where(oneOf(engine, sql.ref("name"), p.names)),
);

/** Forgets the indexes of the tables of a namespace: later ones, under the same name, are greater all the same. */
export function deleteTableIndexes(tx: Transaction, { partition, namespace }: Scope): void {
  tx.write(deleteIndexes, { names: SCOPED_TABLE_NAMES.map((table) => `${partition}/${namespace}/${table}`) });
}

/** What is marked for deletion. */
export interface Marked extends Scope {
  /** ISO 8601. */
  since: string;
}

const namespaces = defineQuery((db, _: object) =>
  db
    .selectFrom("namespaces")
    .select(["partition", "name as namespace", "deleted_at as since"])
    .where("deleted_at", "!=", "")
    .orderBy("id"),
);
const inPartitions = defineQuery((db, _: object) =>
  db
    .selectFrom("namespaces")
    .innerJoin("partitions", "partitions.name", "namespaces.partition")
    .select(["namespaces.partition", "namespaces.name as namespace", "partitions.deleted_at as since"])
    .where("partitions.deleted_at", "!=", "")
    .where("namespaces.deleted_at", "=", "")
    .orderBy("namespaces.id"),
);
const partitions = defineQuery((db, _: object) =>
  db.selectFrom("partitions").select(["name", "deleted_at as since"]).where("deleted_at", "!=", "").orderBy("name"),
);

/** Namespaces that are to be emptied: those that are marked, and all of partitions that are. */
export async function listMarkedNamespaces(db: Reader): Promise<Marked[]> {
  const [marked, inMarked] = await Promise.all([db.run(namespaces, {}), db.run(inPartitions, {})]);
  return [...marked, ...inMarked];
}

/** Partitions that are marked. */
export function listMarkedPartitions(db: Reader): Promise<{ name: string; since: string }[]> {
  return db.run(partitions, {});
}

const anyNamespace = defineQuery((db, p: { partition: string }) =>
  db.selectFrom("namespaces").select("id").where("partition", "=", p.partition).limit(1),
);

/** Whether a partition has no namespace left. */
export async function isEmptyPartition(db: Reader, partition: string): Promise<boolean> {
  return (await db.run(anyNamespace, { partition })).length === 0;
}
