import { sql } from "kysely";
import { contains } from "../../storage/conditions.ts";
import type { Reader, Transaction } from "../../storage/database.ts";
import { definePoint, defineQuery } from "../../storage/query.ts";
import { checkProof, provenRows, type Content } from "../../storage/proofs.ts";
import { behind, inListScope, outsideListScope } from "../../storage/scoped.ts";
import type { AuthMethodsTable } from "../../storage/tables.ts";
import { listOf } from "../grants.ts";
import type { ListScope } from "../list-scope.ts";
import type { PageRequest } from "../page.ts";
import { fold } from "../rules/fold.ts";
import type { Scope } from "../scope.ts";
import type { NamespaceRule } from "./namespace-rules.ts";

export interface AuthMethod {
  /** Of this method alone: a later one of the same name has another. Never shown. */
  id: string;
  scope: Scope;
  name: string;
  type: string;
  displayName: string;
  description: string;
  /** How long the tokens that it makes live, in nanoseconds; 0 for ever. */
  maxTokenTtl: bigint;
  /** As it was given: empty is local. */
  tokenLocality: string;
  /** Its configuration as JSON, sealed. */
  configSealed: string;
  namespaceRules: readonly NamespaceRule[];
  /** Index of the last write of one of its binding rules. */
  rulesIndex: number;
  /** What its binding rules take compiled, in bytes, about. */
  rulesWeight: number;
  createIndex: number;
  modifyIndex: number;
}

/** An auth method as lists show it, without what may be long. */
export type ListedMethod = Omit<AuthMethod, "configSealed" | "namespaceRules">;

function methodOf(row: AuthMethodsTable): AuthMethod {
  checkProof("auth_methods", row);
  const namespaceRules = listOf<NamespaceRule>(row.namespace_rules);
  return { ...listedOf(row), configSealed: row.config_sealed, namespaceRules };
}

/** Not proven, since not all of the row was read: this is shown, and nothing is decided by it. */
function listedOf(row: Omit<AuthMethodsTable, "config_sealed" | "namespace_rules" | "proof">): ListedMethod {
  return {
    id: row.id,
    scope: { partition: row.partition, namespace: row.namespace },
    name: row.name,
    type: row.type,
    displayName: row.display_name,
    description: row.description,
    maxTokenTtl: BigInt(row.max_token_ttl),
    tokenLocality: row.token_locality,
    rulesIndex: row.rules_index,
    rulesWeight: row.rules_weight,
    createIndex: row.create_index,
    modifyIndex: row.modify_index,
  };
}

function rowOf(method: AuthMethod): Content<"auth_methods"> {
  return {
    ...method.scope,
    id: method.id,
    name: method.name,
    name_key: fold(method.name),
    type: method.type,
    display_name: method.displayName,
    description: method.description,
    max_token_ttl: String(method.maxTokenTtl),
    token_locality: method.tokenLocality,
    config_sealed: method.configSealed,
    namespace_rules: JSON.stringify(method.namespaceRules),
    rules_index: method.rulesIndex,
    rules_weight: method.rulesWeight,
    create_index: method.createIndex,
    modify_index: method.modifyIndex,
  };
}

const byName = defineQuery((db, p: Scope & { nameKey: string }) =>
  db
    .selectFrom("auth_methods")
    .selectAll()
    .where("partition", "=", p.partition)
    .where("namespace", "=", p.namespace)
    .where("name_key", "=", p.nameKey),
);

/** Finds an auth method by its name, in any case. */
export async function findMethod(db: Reader, scope: Scope, name: string): Promise<AuthMethod | undefined> {
  const [row] = await db.run(byName, { ...scope, nameKey: fold(name) });
  return row && methodOf(row);
}

const byId = definePoint("auth_methods.id", (db) => db.selectFrom("auth_methods").selectAll());

/** Finds an auth method by its ID, in whatever scope. */
export async function findMethodById(db: Reader, id: string): Promise<AuthMethod | undefined> {
  const row = await db.point(byId, id);
  return row && methodOf(row);
}

/** Auth methods in order of namespaces and names, after that of the page. */
export async function listMethods(
  db: Reader,
  scope: ListScope,
  page: PageRequest & { size: number },
): Promise<ListedMethod[]> {
  const rows = await db.sql
    .selectFrom("auth_methods")
    .select(["id", "partition", "namespace", "name", "name_key", "type", "display_name", "description"])
    .select(["max_token_ttl", "token_locality", "rules_index", "rules_weight", "create_index", "modify_index"])
    .where(inListScope(db.engine, scope))
    .where(behind(scope, "name_key", page.after))
    .$if(page.search !== "", (query) => query.where(contains(db.engine, sql.ref("name_key"), fold(page.search))))
    .orderBy("namespace")
    .orderBy("name_key")
    .limit(page.size)
    .execute();
  return rows.map(listedOf);
}

/** What anybody may know of an auth method. */
export type PublicMethod = Pick<AuthMethod, "name" | "displayName" | "type" | "scope">;

// Not its configuration, which may be long: nobody has to have a token to ask for this list.
const ofType = defineQuery((db, p: Scope & { type: string; limit: number }) =>
  db
    .selectFrom("auth_methods")
    .select(["name", "display_name", "type"])
    .where("partition", "=", p.partition)
    .where("namespace", "=", p.namespace)
    .where("type", "=", p.type)
    .orderBy("name_key")
    .limit(p.limit),
);

/** Auth methods of a type in a namespace, in order of their names, the first ones. */
export async function listMethodsOfType(
  db: Reader,
  scope: Scope,
  type: string,
  limit: number,
): Promise<PublicMethod[]> {
  const rows = await db.run(ofType, { ...scope, type, limit });
  return rows.map((row) => ({ scope, name: row.name, displayName: row.display_name, type: row.type }));
}

const firstIds = defineQuery((db, p: Scope & { limit: number }) =>
  db
    .selectFrom("auth_methods")
    .select("id")
    .where("partition", "=", p.partition)
    .where("namespace", "=", p.namespace)
    .orderBy("name_key")
    .limit(p.limit),
);

/** Whether a namespace has at least so many auth methods. */
export async function hasMethods(db: Reader, scope: Scope, count: number): Promise<boolean> {
  return (await db.run(firstIds, { ...scope, limit: count })).length >= count;
}

/** Whether the partition has auth methods that the caller may not read. */
export async function hasHiddenMethods(db: Reader, scope: ListScope): Promise<boolean> {
  const outside = outsideListScope(db.engine, scope);
  if (outside === undefined) return false;
  return (await db.sql.selectFrom("auth_methods").select("id").where(outside).limit(1).execute()).length > 0;
}

const stored = provenRows("auth_methods", ["partition", "namespace", "name", "name_key", "type", "create_index"]);
const remove = defineQuery((db, p: { id: string }) => db.deleteFrom("auth_methods").where("id", "=", p.id));
const insertDeleted = defineQuery((db, p: { id: string; partition: string; name: string; now: string }) =>
  db.insertInto("deleted_methods").values({ id: p.id, partition: p.partition, name: p.name, deleted_at: p.now }),
);

export function insertMethod(tx: Transaction, method: AuthMethod): void {
  stored.insert(tx, rowOf(method));
}

/** Writes what may change of an auth method: never its name, type and scope. */
export function updateMethod(tx: Transaction, method: AuthMethod): void {
  stored.update(tx, rowOf(method));
}

/**
 * Notes that one of the method's rules was written, so that logins see that theirs are old.
 *
 * @param method as the transaction has read it
 * @param weight of all of them now
 */
export function noteRulesChange(tx: Transaction, method: AuthMethod, index: number, weight: number): void {
  stored.update(tx, rowOf({ ...method, rulesIndex: index, rulesWeight: weight }));
}

/**
 * Deletes an auth method, and notes it for the removal of what it made.
 *
 * @param now ISO 8601
 */
export function deleteMethod(tx: Transaction, { id, scope, name }: AuthMethod, now: string): void {
  tx.write(remove, { id });
  tx.write(insertDeleted, { id, partition: scope.partition, name, now });
}
