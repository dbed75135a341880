import { sql } from "kysely";
import type { Reader, Transaction } from "../../storage/database.ts";
import { defineQuery, oneOf, type PreparedQuery } from "../../storage/reads/query.ts";
import { slices } from "../../storage/purge/slices.ts";
import { keyOf, type ScopedTable } from "../../storage/tables/tables.ts";
import { noteDeletedLink } from "../kit/link-store.ts";
import { isCounted } from "../../storage/writes/object-limits.ts";
import { AUDIT } from "../../storage/writes/recorded.ts";
import { NAMESPACES, PARTITIONS, SCOPED_KINDS, SCOPED_TOPICS, type ScopedKind } from "../../rights/kinds.ts";
import { orderOf } from "../kit/scoped-objects.ts";
import { ANY_NAMESPACE, DEFAULT_SCOPE, homeOf, type Scope } from "../../rights/scope.ts";
import {
  goneRecorder,
  recordEnd,
  recordEndOfPartition,
  type Cause,
  type RecordGone,
  type WholeRow,
} from "./records.ts";

/** A table of what lies in namespaces, and how its rows are deleted. */
interface TableRemoval {
  name: string;
  /** The column that a row is found by, and the one that has what the change feed calls it. */
  key: string;
  told: string;
  /** Topic under which the change feed reports it; undefined: no events. */
  topic: string | undefined;
  /** Undefined for notes of the server's own. */
  record: RecordGone | undefined;
  rows: PreparedQuery<Scope & { limit: number }, WholeRow>;
  remove: PreparedQuery<{ keys: readonly string[] }, unknown>;
}

function removalOf({ table, topic, told }: Omit<ScopedKind, "table"> & { table: ScopedTable }): TableRemoval {
  const key = keyOf(table);
  return {
    name: table,
    key,
    told: told ?? key,
    topic,
    record: topic === undefined || table === "deleted_links" ? undefined : goneRecorder(table),
    rows: defineQuery((db, p: Scope & { limit: number }) =>
      // The statements are the same for each table; the types need one of them.
      db
        .selectFrom(table as "roles")
        .selectAll()
        .where("partition", "=", p.partition)
        .where("namespace", "=", p.namespace)
        .orderBy(sql.ref(orderOf(table)))
        .limit(p.limit),
    ),
    remove: defineQuery((db, p: { keys: readonly string[] }, engine) =>
      db.deleteFrom(table).where(oneOf(engine, sql.ref(key), p.keys)),
    ),
  };
}

/** Notes of what was linked to go last, after all that may link to it. */
const LINK_ROWS = removalOf({ table: "deleted_links", topic: undefined });
const KIND_ROWS = Object.fromEntries(SCOPED_KINDS.map((kind) => [kind.table, removalOf(kind)])) as Record<
  ScopedKind["table"],
  TableRemoval
>;
const SCOPED_TABLES: readonly TableRemoval[] = [...Object.values(KIND_ROWS), LINK_ROWS];

/** Their names. */
export const SCOPED_TABLE_NAMES: readonly string[] = SCOPED_TABLES.map(({ name }) => name);

/** Rows of one table. */
export interface FoundRows {
  table: TableRemoval;
  rows: readonly WholeRow[];
}

/** Some of what is left in a namespace, of one table; undefined when it is empty. */
export function findLeft(db: Reader, scope: Scope, limit: number): Promise<FoundRows | undefined> {
  // Other namespaces of the partition link to what lay in that one; see `findLeftOfPartition`.
  const tables = isHome(scope) ? Object.values(KIND_ROWS) : SCOPED_TABLES;
  return firstFound(db, inScope(tables), { ...scope, limit });
}

type RowsQuery<P extends object> = readonly [table: TableRemoval, rows: PreparedQuery<P, WholeRow>];

function inScope(tables: readonly TableRemoval[]): RowsQuery<Scope & { limit: number }>[] {
  return tables.map((table) => [table, table.rows]);
}

/** Asks one table after the other. @returns rows of the first table that has any; undefined when none has */
async function firstFound<P extends object>(
  db: Reader,
  queries: readonly RowsQuery<P>[],
  parameters: P,
): Promise<FoundRows | undefined> {
  for (const [table, query] of queries) {
    const rows = await db.run(query, parameters);
    if (rows.length > 0) return { table, rows };
  }
  return undefined;
}

/** The content of a namespace, of each table so many rows at the most. */
export async function findContent(db: Reader, scope: Scope, limit: number): Promise<FoundRows[]> {
  const found = SCOPED_TABLES.map(async (table) => ({ table, rows: await db.run(table.rows, { ...scope, limit }) }));
  return (await Promise.all(found)).filter(({ rows }) => rows.length > 0);
}

/** Some of what is left of a partition without namespaces; undefined when nothing is. */
export function findLeftOfPartition(db: Reader, name: string, limit: number): Promise<FoundRows | undefined> {
  // A namespace that is deleted after the one named default is put into the trash of that one.
  return firstFound(db, inScope([KIND_ROWS.trash, LINK_ROWS]), { ...homeOf(name), limit });
}

function isHome({ partition, namespace }: Scope): boolean {
  return namespace === homeOf(partition).namespace;
}

/** Rows of a table that an auth method made, in an order that an index has. */
function ofMethod(table: "tokens" | "binding_rules" | "use_rows" | "views", ...order: readonly string[]) {
  return defineQuery((db, p: { id: string; limit: number }) => {
    // The statements are the same for each table; the types need one of them.
    const rows = db
      .selectFrom(table as "tokens")
      .selectAll()
      .where("method_id", "=", p.id);
    // As in the condition of the indexes.
    const led = rows.where("method_id", "<>", "").limit(p.limit);
    return order.reduce((query, column) => query.orderBy(sql.ref(column)), led);
  });
}

/** Tables with rows that an auth method made in any namespace, in the order in which they are emptied. */
const OF_METHOD: readonly RowsQuery<{ id: string; limit: number }>[] = [
  [KIND_ROWS.tokens, ofMethod("tokens", "namespace", "accessor_id")],
  [KIND_ROWS.binding_rules, ofMethod("binding_rules", "id")],
  [KIND_ROWS.use_rows, ofMethod("use_rows", "subject", "id")],
  [KIND_ROWS.views, ofMethod("views", "identity", "id")],
];

/** Some of what is left of an auth method, in whatever namespaces; undefined when nothing is. */
export function findLeftOfMethod(db: Reader, id: string, limit: number): Promise<FoundRows | undefined> {
  return firstFound(db, OF_METHOD, { id, limit });
}

/** An auth method takes along what it made elsewhere. */
const noteMethods = defineQuery((db, p: { keys: readonly string[]; now: string }, engine) =>
  db
    .insertInto("deleted_methods")
    .columns(["id", "partition", "name", "deleted_at"])
    .expression((eb) =>
      eb
        .selectFrom("auth_methods")
        .select(["id", "partition", "name", sql<string>`cast(${p.now} as text)`.as("deleted_at")])
        .where(oneOf(engine, sql.ref("id"), p.keys)),
    ),
);

/** Deletes what was found, with a record of each object, and tells of each row. */
export function deleteFound(tx: Transaction, { table, rows }: FoundRows, cause: Cause): void {
  const keys = rows.map((row) => String(row[table.key]));
  if (table === KIND_ROWS.roles || table === KIND_ROWS.policies) {
    // Links from other places may remain.
    for (const row of rows) if (isHome(row)) noteDeletedLink(tx, row, String(row[table.key]));
  }
  for (const slice of slices(tx, keys)) {
    if (table === KIND_ROWS.auth_methods) tx.write(noteMethods, { keys: slice, now: new Date().toISOString() });
    tx.write(table.remove, { keys: slice });
  }
  if (isCounted(table.name)) {
    for (const { partition, namespace } of rows) {
      tx.adds({ kind: table.name, place: `${partition}/${namespace}` }, -1);
    }
  }
  if (table.record === undefined) tx.unrecorded("notes of the server's own");
  else table.record(tx, rows, cause);
  if (table.topic === undefined) return;
  for (const row of rows) {
    const { partition, namespace } = row;
    tx.touch({ partition, namespace, table: table.topic, key: String(row[table.told]) });
  }
}

const deletedMethods = defineQuery((db, _: object) =>
  db.selectFrom("deleted_methods").select(["id", "partition", "name"]).orderBy("id"),
);
const forgetMethod = defineQuery((db, p: { id: string }) => db.deleteFrom("deleted_methods").where("id", "=", p.id));

/** An auth method that is gone and may have left something. */
export interface DeletedMethod {
  id: string;
  partition: string;
  name: string;
}

export function listDeletedMethods(db: Reader): Promise<DeletedMethod[]> {
  return db.run(deletedMethods, {});
}

/** Nothing is left of it. */
export function forgetDeletedMethod(tx: Transaction, id: string): void {
  tx.unrecorded("its deletion is, and what went with it");
  tx.write(forgetMethod, { id });
}

const deleteIndexes = defineQuery((db, p: { names: readonly string[] }, engine) =>
  db.deleteFrom("table_indexes").where(oneOf(engine, sql.ref("name"), p.names)),
);

const namespaces = defineQuery((db, _: object) =>
  db.selectFrom("namespaces").select(["partition", "name as namespace"]).where("deleted_at", "!=", "").orderBy("id"),
);
const inPartitions = defineQuery((db, _: object) =>
  db
    .selectFrom("namespaces")
    .innerJoin("partitions", "partitions.name", "namespaces.partition")
    .select(["namespaces.partition", "namespaces.name as namespace"])
    .where("partitions.deleted_at", "!=", "")
    .where("namespaces.deleted_at", "=", "")
    .orderBy("namespaces.id"),
);
const partitions = defineQuery((db, _: object) =>
  db.selectFrom("partitions").select(["name"]).where("deleted_at", "!=", "").orderBy("name"),
);

/** Namespaces that are to be emptied: those that are marked, and all of partitions that are. */
export async function listMarkedNamespaces(db: Reader): Promise<Scope[]> {
  return (await Promise.all([db.run(namespaces, {}), db.run(inPartitions, {})])).flat();
}

/** Partitions that are marked. */
export function listMarkedPartitions(db: Reader): Promise<{ name: string }[]> {
  return db.run(partitions, {});
}

const anyNamespaces = defineQuery((db, p: { partition: string; limit: number }) =>
  db.selectFrom("namespaces").select("id").where("partition", "=", p.partition).limit(p.limit),
);
const anyMethod = defineQuery((db, p: { partition: string }) =>
  db.selectFrom("deleted_methods").select("id").where("partition", "=", p.partition).limit(1),
);

/** Whether a partition has no more namespaces than so many, and nothing to be removed of auth methods. */
export async function hasNamespacesUpTo(db: Reader, partition: string, most: 0 | 1): Promise<boolean> {
  const [found, methods] = await Promise.all([
    db.run(anyNamespaces, { partition, limit: most + 1 }),
    db.run(anyMethod, { partition }),
  ]);
  return found.length <= most && methods.length === 0;
}

const removeNamespace = defineQuery((db, p: { id: string }) => db.deleteFrom("namespaces").where("id", "=", p.id));
const removeNotes = defineQuery((db, p: Scope) =>
  db.deleteFrom("deleted_links").where("partition", "=", p.partition).where("namespace", "=", p.namespace),
);
const removeGap = defineQuery((db, p: { place: string }) => db.deleteFrom("use_gaps").where("place", "=", p.place));
const removePartition = defineQuery((db, p: { name: string }) =>
  db.deleteFrom("partitions").where("name", "=", p.name),
);

/** Deletes the row of a namespace that is empty, and the indexes of its tables: later ones, under the same name, are greater all the same. */
export function deleteNamespace(tx: Transaction, { partition, namespace }: Scope): void {
  recordEnd(tx, { partition, namespace });
  tx.write(removeNamespace, { id: `${partition}/${namespace}` });
  // A later namespace of this name has no gaps in its recorded use.
  tx.write(removeGap, { place: `${partition}/${namespace}` });
  tx.adds({ kind: "namespaces", place: partition }, -1);
  const tables = [...SCOPED_TOPICS, AUDIT].map((table) => `${partition}/${namespace}/${table}`);
  removeIndexes(tx, tables);
  tx.touch({ ...homeOf(partition), table: NAMESPACES, key: namespace });
}

function removeIndexes(tx: Transaction, names: readonly string[]): void {
  tx.write(deleteIndexes, { names });
  tx.endIndexes(names);
}

/** The same for a partition: the indexes are those of all its namespaces together, and of the namespaces themselves. */
export function deletePartition(tx: Transaction, name: string): void {
  recordEndOfPartition(tx, name);
  // There may be notes of what went in this transaction, which only other namespaces of the partition needed.
  tx.write(removeNotes, homeOf(name));
  tx.write(removePartition, { name });
  const tables = [...SCOPED_TOPICS, NAMESPACES, AUDIT].map((table) => `${name}/${ANY_NAMESPACE}/${table}`);
  // The indexes about its namespaces are in its first namespace, which may have been removed before others.
  const first = [NAMESPACES, AUDIT].map((table) => `${name}/${DEFAULT_SCOPE.namespace}/${table}`);
  removeIndexes(tx, [...tables, ...first]);
  tx.touch({ ...homeOf(name), table: PARTITIONS, key: name });
}
