/**
 * Looks up the targets of links, which are policies and roles: their names and IDs of each other, and the fate of those
 * that are not found. Objects are deleted while others link to them, and a link to a deleted object has no effect
 * (decision 12). A policy may deny, though: one that is missing and was never deleted must not be ignored.
 */
import { sql } from "kysely";
import { damaged } from "../../storage/proofs/damaged-rows.ts";
import type { Reader, Transaction } from "../../storage/database.ts";
import { definePoint, defineQuery, oneOf } from "../../storage/reads/query.ts";
import { checkProof, shortColumns } from "../../storage/proofs/proofs.ts";
import { runInSlices } from "../../storage/purge/slices.ts";
import { findLiving } from "../namespaces/living.ts";
import type { ListScope } from "../../rights/permission.ts";
import { isIn, type Scope } from "../../rights/scope.ts";

/** The tables of what is linked to. */
export type LinkedTable = "policies" | "roles";

/** Reads of a table's rows without their long text: one by its ID, several wherever they lie, and those of a scope by their names. */
function readsOf(table: LinkedTable) {
  return {
    one: definePoint(`${table}.id`, (db) => db.selectFrom(table).select(shortColumns(table))),
    several: defineQuery((db, p: { ids: readonly string[] }, engine) =>
      db
        .selectFrom(table)
        .select(shortColumns(table))
        .where(oneOf(engine, sql.ref("id"), p.ids)),
    ),
    named: defineQuery((db, p: Scope & { nameKeys: readonly string[] }, engine) =>
      db
        .selectFrom(table)
        .select(shortColumns(table))
        .where("partition", "=", p.partition)
        .where("namespace", "=", p.namespace)
        .where(oneOf(engine, sql.ref("name_key"), p.nameKeys)),
    ),
  };
}

const READS = { policies: readsOf("policies"), roles: readsOf("roles") };

/** Objects of a scope by their names in lower case, with their IDs; those that there are not are left out. */
export async function findIds(
  db: Reader,
  table: LinkedTable,
  scope: Scope,
  nameKeys: readonly string[],
): Promise<Map<string, { id: string; name: string }>> {
  const rows = await runInSlices(db, READS[table].named, nameKeys, (slice) => ({ ...scope, nameKeys: slice }));
  for (const row of rows) checkProof(table, row);
  return new Map(rows.map(({ name_key: nameKey, id, name }) => [nameKey, { id, name }]));
}

/** Names of objects that are linked to, by their IDs, with where they lie. */
export type NamesById = ReadonlyMap<string, Scope & { name: string }>;

/** Maximum number of IDs that are read by their keys, which is faster than a list of them. */
const FEW = 4;

/** Finds names by IDs, in any scope; deleted objects have none. */
export async function findNames(db: Reader, table: LinkedTable, ids: readonly string[]): Promise<NamesById> {
  const { one, several } = READS[table];
  const few = ids.length <= FEW ? await Promise.all(ids.map((id) => db.point(one, id))) : undefined;
  const rows = few?.filter((row) => row !== undefined) ?? (await db.run(several, { ids }));
  for (const row of rows) checkProof(table, row);
  return new Map(rows.map(({ id, name, partition, namespace }) => [id, { partition, namespace, name }]));
}

/** The name of an object of a scope; undefined when it is gone or lies elsewhere, which is the same to who links to it. */
export function nameIn(names: NamesById, scope: Scope, id: string): string | undefined {
  const found = names.get(id);
  return found !== undefined && isIn(found, scope) ? found.name : undefined;
}

/** Whether an object that a list is filtered by is where the list is read: a link to what is gone counts for nothing. */
export async function isListed(db: Reader, table: LinkedTable, scope: ListScope, id: string): Promise<boolean> {
  const found = (await findNames(db, table, [id])).get(id);
  if (found === undefined) return false;
  return scope.visible === undefined ? isIn(found, scope) : found.partition === scope.partition;
}

const insert = defineQuery((db, p: Scope & { id: string }) =>
  db
    .insertInto("deleted_links")
    .values({ id: p.id, partition: p.partition, namespace: p.namespace })
    .onConflict((conflict) => conflict.doNothing()),
);

/** Notes that a policy or role is deleted, in the transaction that does it. */
export function noteDeletedLink(tx: Transaction, { partition, namespace }: Scope, id: string): void {
  tx.write(insert, { partition, namespace, id });
}

const unnote = defineQuery((db, p: { id: string }) => db.deleteFrom("deleted_links").where("id", "=", p.id));

/** Takes the note away, in the transaction that restores the policy or role: from now on a missing row is damage again. */
export function unnoteDeletedLink(tx: Transaction, id: string): void {
  tx.write(unnote, { id });
}

const noted = defineQuery((db, p: { ids: readonly string[] }, engine) =>
  db
    .selectFrom("deleted_links")
    .select("id")
    .where(oneOf(engine, sql.ref("id"), p.ids)),
);

/** An object with links, as it was read. */
export interface LinkingObject {
  scope: Scope;
  /** Undefined where it is not known: then the namespace of its scope that is there now counts as the one it lay in. */
  createIndex?: number;
}

/**
 * Checks that what is linked to and was not found was deleted, or lies elsewhere: then the link counts for nothing.
 *
 * @param found whether it was, by ID
 * @param holdersOf the objects with a link, as they were read before
 * @param scope where it was looked for, when that was in one scope alone: what lies there and was not found has lost its
 * place in an index, and is not elsewhere
 * @throws StorageDamaged when it was lost
 */
export async function checkMissing(
  db: Reader,
  table: LinkedTable,
  ids: readonly string[],
  found: { has(id: string): boolean },
  holdersOf: (id: string) => readonly LinkingObject[],
  scope?: Scope,
): Promise<void> {
  const missing = ids.filter((id) => !found.has(id));
  if (missing.length === 0) return;
  const [deleted, others] = await Promise.all([
    runInSlices(db, noted, missing, (slice) => ({ ids: slice })),
    runInSlices(db, READS[table].several, missing, (slice) => ({ ids: slice })),
  ]);
  for (const row of others) {
    checkProof(table, row);
    if (scope !== undefined && isIn(row, scope)) throw damaged({ table, key: row.id });
  }
  const known = new Set([...deleted, ...others].map(({ id }) => id));
  const living = new Map<string, Promise<{ createIndex: number } | undefined>>();
  for (const id of missing) {
    if (!known.has(id) && (await anyStands(db, holdersOf(id), living))) throw damaged({ table, key: id });
  }
}

/**
 * Whether the namespace of one of these objects is still the one they were read in. The notes of a namespace's deleted objects go
 * with it, after all that links to them: who read such an object before finds neither the link's target nor a note.
 *
 * @param living what was read of namespaces, each once
 */
async function anyStands(
  db: Reader,
  holders: readonly LinkingObject[],
  living: Map<string, Promise<{ createIndex: number } | undefined>>,
): Promise<boolean> {
  for (const { scope, createIndex } of holders) {
    const key = `${scope.partition}/${scope.namespace}`;
    const read = living.get(key) ?? findLiving(db, scope);
    living.set(key, read);
    const namespace = await read;
    if (namespace !== undefined && namespace.createIndex <= (createIndex ?? Infinity)) return true;
  }
  return false;
}
