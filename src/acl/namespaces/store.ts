import { sql, type SqlBool } from "kysely";
import { contains, visible } from "../../storage/reads/conditions.ts";
import type { Reader, Transaction } from "../../storage/database.ts";
import { definePoint, defineQuery } from "../../storage/reads/query.ts";
import { provenRows, type RowContent } from "../../storage/proofs/proofs.ts";
import type { PageRequest } from "../../lists/page.ts";
import { recordedForm, writeRecorder, type RecordExtras } from "../audited.ts";
import { recordsOf, type RecordOf } from "../kit/records.ts";
import { moveToTrash, type Deletion } from "../kit/trash.ts";
import { fold } from "../../fold.ts";
import type { Visibility } from "../../rights/rules/visibility.ts";
import { DEFAULT_SCOPE, homeOf, isRootScope, type Scope } from "../../rights/scope.ts";
import { ordersOfNamed, type Sortable } from "../../lists/sorted.ts";
import { TABLES } from "../../storage/tables/tables.ts";

/** Policies and roles that all tokens of a namespace have behind their own, by IDs. */
export interface NamespaceDefaults {
  policies: readonly string[];
  roles: readonly string[];
}

type Stored = RecordOf<"namespaces", { defaultPolicies: readonly string[]; defaultRoles: readonly string[] }>;

export interface Namespace extends Omit<Stored, "id" | "hasDefaults" | "defaultPolicies" | "defaultRoles"> {
  /** Undefined when it was written without any, which answers show. */
  defaults: NamespaceDefaults | undefined;
}

const records = recordsOf<"namespaces", Stored>("namespaces");

/** The namespace of a row that was read. @throws StorageDamaged when it is not what was written */
export function namespaceOf(row: object): Namespace {
  return ofStored(records.of(row));
}

/** The namespace in the content of an entry of the trash. */
export function namespaceIn(content: string): Namespace {
  return ofStored(records.part(JSON.parse(content) as object) as Stored);
}

function ofStored({ id: _, hasDefaults, defaultPolicies: policies, defaultRoles: roles, ...rest }: Stored): Namespace {
  return { ...rest, defaults: hasDefaults ? { policies, roles } : undefined };
}

function rowOf({ defaults, ...rest }: Namespace): RowContent<"namespaces"> {
  return records.rowOf({
    ...rest,
    id: idOf({ partition: rest.partition, namespace: rest.name }),
    hasDefaults: defaults !== undefined,
    defaultPolicies: defaults?.policies ?? [],
    defaultRoles: defaults?.roles ?? [],
  });
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

/** Namespaces of a partition that may be seen, as `readSorted` and `countSorted` take them. */
export function sortableNamespaces({ engine }: Reader, partition: string, seen: Visibility): Sortable {
  return {
    table: "namespaces",
    id: "id",
    key: "name",
    columns: NAMESPACE_COLUMNS,
    orders: ordersOfNamed("name"),
    search: ["name", "description"],
    where: [sql<SqlBool>`partition = ${partition}`, visible(engine, sql.ref("name"), seen)],
    isOfSeveral: false,
  };
}

const NAMESPACE_COLUMNS = Object.keys(TABLES.namespaces);

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

const stored = provenRows("namespaces");

const recordWrite = writeRecorder<Namespace>("namespaces", ({ partition }) => homeOf(partition));

export function insertNamespace(tx: Transaction, namespace: Namespace, told?: RecordExtras): void {
  stored.insert(tx, rowOf(namespace));
  tx.adds({ kind: "namespaces", place: namespace.partition });
  recordWrite(tx, undefined, shownInRecords(namespace), told);
}

/** Puts a namespace that is marked for deletion into the trash of its partition. @param namespace as before */
export function discardNamespace(tx: Transaction, namespace: Namespace, deletion: Deletion): Promise<void> {
  const { partition, name } = namespace;
  const entry = { table: "namespaces", scope: homeOf(partition), objectId: name, object: namespace } as const;
  return moveToTrash(tx, { ...entry, row: rowOf(namespace) }, deletion);
}

/** @param before as it is stored @param action where it is more than an update */
export function updateNamespace(tx: Transaction, namespace: Namespace, before: Namespace, action?: "delete"): void {
  stored.update(tx, rowOf(namespace));
  recordWrite(tx, shownInRecords(before), shownInRecords(namespace), action && { action });
}

const recordedForms = recordedForm("namespaces");

/** A namespace as its records show it. */
export function recordedNamespace(namespace: Namespace): ReturnType<typeof recordedForms> {
  return recordedForms(shownInRecords(namespace));
}

/** With its defaults as rows have them, since records go by the row. */
export function shownInRecords(namespace: Namespace): Namespace {
  const { policies = [], roles = [] } = namespace.defaults ?? {};
  return Object.assign({ defaultPolicies: policies, defaultRoles: roles }, namespace);
}
