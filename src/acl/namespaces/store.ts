import { sql } from "kysely";
import { contains, visible } from "../../storage/conditions.ts";
import type { Reader, Transaction } from "../../storage/database.ts";
import { definePoint, defineQuery } from "../../storage/query.ts";
import { checkProof, provenRows, type Content } from "../../storage/proofs.ts";
import type { NamespacesTable } from "../../storage/tables.ts";
import { listOf } from "../grants.ts";
import type { PageRequest } from "../page.ts";
import { fold } from "../rules/fold.ts";
import type { Visibility } from "../rules/visibility.ts";
import { DEFAULT_SCOPE, isRootScope, type Scope } from "../scope.ts";

/** Policies and roles that all tokens of a namespace have behind their own, by IDs. */
export interface Defaults {
  policies: readonly string[];
  roles: readonly string[];
}

export interface Namespace {
  partition: string;
  name: string;
  description: string;
  meta: Readonly<Record<string, string>>;
  /** Undefined when it was written without any, which answers show. */
  defaults: Defaults | undefined;
  /** When its deletion began, ISO 8601; empty before. */
  deletedAt: string;
  createIndex: number;
  modifyIndex: number;
}

function namespaceOf(row: NamespacesTable): Namespace {
  checkProof("namespaces", row);
  const defaults = { policies: listOf<string>(row.default_policies), roles: listOf<string>(row.default_roles) };
  return {
    partition: row.partition,
    name: row.name,
    description: row.description,
    meta: row.meta === "{}" ? {} : (JSON.parse(row.meta) as Record<string, string>),
    defaults: row.has_defaults === 1 ? defaults : undefined,
    deletedAt: row.deleted_at,
    createIndex: row.create_index,
    modifyIndex: row.modify_index,
  };
}

function rowOf(namespace: Namespace): Content<"namespaces"> {
  const { partition, name, defaults } = namespace;
  return {
    id: idOf({ partition, namespace: name }),
    partition,
    name,
    description: namespace.description,
    meta: JSON.stringify(namespace.meta),
    has_defaults: defaults === undefined ? 0 : 1,
    default_policies: JSON.stringify(defaults?.policies ?? []),
    default_roles: JSON.stringify(defaults?.roles ?? []),
    deleted_at: namespace.deletedAt,
    create_index: namespace.createIndex,
    modify_index: namespace.modifyIndex,
  };
}

/** No name holds a slash. */
function idOf({ partition, namespace }: Scope): string {
  return `${partition}/${namespace}`;
}

const byId = definePoint("namespaces.id", (db) => db.selectFrom("namespaces").selectAll());

/** Finds a namespace by its folded names. */
export async function findNamespace(db: Reader, scope: Scope): Promise<Namespace | undefined> {
  const row = await db.point(byId, idOf(scope));
  return row && namespaceOf(row);
}

/** Namespaces of a partition that may be seen, in order of their names, after that of the page. */
export async function listNamespaces(
  db: Reader,
  partition: string,
  seen: Visibility,
  page: PageRequest & { size: number },
): Promise<Namespace[]> {
  const rows = await db.sql
    .selectFrom("namespaces")
    .selectAll()
    .where("partition", "=", partition)
    .where(visible(db.engine, sql.ref("name"), seen))
    .$if(page.search !== "", (query) => query.where(contains(db.engine, sql.ref("name"), fold(page.search))))
    .where("name", ">", page.after)
    .orderBy("name")
    .limit(page.size)
    .execute();
  return rows.map(namespaceOf);
}

/** Whether there are others, which may not be seen. */
export async function hasHiddenNamespaces(db: Reader, partition: string, seen: Visibility): Promise<boolean> {
  const hidden = db.sql
    .selectFrom("namespaces")
    .select("name")
    .where("partition", "=", partition)
    .where((eb) => eb.not(visible(db.engine, sql.ref("name"), seen)))
    .limit(1);
  return (await hidden.execute()).length > 0;
}

const beyondDefault = defineQuery((db, _: object) =>
  db
    .selectFrom("namespaces")
    .select(["partition", "name"])
    .where((eb) =>
      eb.or([eb("id", "!=", idOf(DEFAULT_SCOPE)), eb("default_policies", "!=", "[]"), eb("default_roles", "!=", "[]")]),
    )
    .orderBy("id")
    .limit(1),
);
const otherPartition = defineQuery((db, _: object) =>
  db.selectFrom("partitions").select("name").where("name", "!=", DEFAULT_SCOPE.partition).orderBy("name").limit(1),
);

/** Anything that a server without namespaces and partitions cannot know, in words; undefined when there is nothing. */
export async function findSomethingBeyondDefault(db: Reader): Promise<string | undefined> {
  const [[partition], [found]] = await Promise.all([db.run(otherPartition, {}), db.run(beyondDefault, {})]);
  if (partition !== undefined) return `the partition "${partition.name}"`;
  if (found === undefined) return undefined;
  const isDefault = isRootScope({ partition: found.partition, namespace: found.name });
  return isDefault ? `defaults of the namespace "${found.name}"` : `the namespace "${found.name}"`;
}

const stored = provenRows("namespaces", ["partition", "name", "create_index"]);
const remove = defineQuery((db, p: { id: string }) => db.deleteFrom("namespaces").where("id", "=", p.id));

export function insertNamespace(tx: Transaction, namespace: Namespace): void {
  stored.insert(tx, rowOf(namespace));
}

export function updateNamespace(tx: Transaction, namespace: Namespace): void {
  stored.update(tx, rowOf(namespace));
}

export function deleteNamespace(tx: Transaction, scope: Scope): void {
  tx.write(remove, { id: idOf(scope) });
}
