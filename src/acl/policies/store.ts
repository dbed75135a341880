import type { ListScope } from "../list-scope.ts";
import { sql } from "kysely";
import type { Reader, Transaction } from "../../storage/database.ts";
import { contains } from "../../storage/conditions.ts";
import { definePoint, defineQuery, oneOf } from "../../storage/query.ts";
import { checkProof, provenRows, shortColumns, type Content } from "../../storage/proofs.ts";
import { behind, inListScope, outsideListScope } from "../../storage/scoped.ts";
import type { PoliciesTable } from "../../storage/tables.ts";
import { noteDeletedLink } from "../deleted-links.ts";
import { listOf } from "../grants.ts";
import { idsByName } from "../ids-by-name.ts";
import type { PageRequest } from "../page.ts";
import { namesOf, NO_NAMES, type NamesById } from "../names.ts";
import { fold } from "../rules/fold.ts";
import type { RuleSize } from "../rule-limit.ts";
import { isIn, type Scope } from "../scope.ts";

export interface Policy {
  id: string;
  scope: Scope;
  name: string;
  description: string;
  rules: string;
  ruleCount: number;
  /** Where it counts; empty for everywhere. */
  datacenters: readonly string[];
  hash: string;
  createIndex: number;
  modifyIndex: number;
}

/** @param row without its rules where nobody asks for them */
function policyOf(row: Omit<PoliciesTable, "rules"> & { rules?: string }): Policy {
  checkProof("policies", row);
  return {
    id: row.id,
    scope: { partition: row.partition, namespace: row.namespace },
    name: row.name,
    description: row.description,
    rules: row.rules ?? "",
    ruleCount: row.rule_count,
    datacenters: listOf<string>(row.datacenters),
    hash: row.hash,
    createIndex: row.create_index,
    modifyIndex: row.modify_index,
  };
}

function rowOf(policy: Policy): Content<"policies"> {
  return {
    id: policy.id,
    ...policy.scope,
    name: policy.name,
    name_key: fold(policy.name),
    description: policy.description,
    rules: policy.rules,
    rule_count: policy.ruleCount,
    datacenters: JSON.stringify(policy.datacenters),
    hash: policy.hash,
    create_index: policy.createIndex,
    modify_index: policy.modifyIndex,
  };
}

const byId = definePoint("policies.id", (db) => db.selectFrom("policies").selectAll());

/** Finds a policy by its ID; one of another scope is not found. */
export async function findPolicy(db: Reader, scope: Scope, id: string): Promise<Policy | undefined> {
  const row = await db.point(byId, id);
  const policy = row && policyOf(row);
  return policy !== undefined && isIn(policy.scope, scope) ? policy : undefined;
}

const byName = defineQuery((db, p: Scope & { nameKey: string }) =>
  db
    .selectFrom("policies")
    .selectAll()
    .where("partition", "=", p.partition)
    .where("namespace", "=", p.namespace)
    .where("name_key", "=", p.nameKey),
);

/** Finds a policy by its name, in any case. */
export async function findPolicyByName(db: Reader, scope: Scope, name: string): Promise<Policy | undefined> {
  const [row] = await db.run(byName, { ...scope, nameKey: fold(name) });
  return row && policyOf(row);
}

const byIds = defineQuery((db, p: Scope & { ids: readonly string[] }, engine) =>
  db
    .selectFrom("policies")
    .selectAll()
    .where(oneOf(engine, sql.ref("id"), p.ids))
    .where("partition", "=", p.partition)
    .where("namespace", "=", p.namespace),
);

/** Policies by their IDs, in no order; those that are gone or lie elsewhere are left out. */
export async function findPolicies(db: Reader, scope: Scope, ids: readonly string[]): Promise<Policy[]> {
  return ids.length === 0 ? [] : (await db.run(byIds, { ...scope, ids })).map(policyOf);
}

/** Policies by their names in lower case, with their IDs. */
export const findPolicyIds = idsByName("policies");

/** All but the rules, which may be long. */
const SHORT = shortColumns("policies");

const nameById = definePoint("policies.id", (db) => db.selectFrom("policies").select(SHORT));
const namesByIds = defineQuery((db, p: { ids: readonly string[] }, engine) =>
  db
    .selectFrom("policies")
    .select(SHORT)
    .where(oneOf(engine, sql.ref("id"), p.ids)),
);

/** So few are read by their keys, which is faster than a list of them. */
const FEW = 4;

/** Names of policies by their IDs, wherever they lie; those that are gone have none. */
export async function findPolicyNames(db: Reader, ids: readonly string[]): Promise<NamesById> {
  if (ids.length === 0) return NO_NAMES;
  const few = ids.length <= FEW ? await Promise.all(ids.map((id) => db.point(nameById, id))) : undefined;
  const rows = few?.filter((row) => row !== undefined) ?? (await db.run(namesByIds, { ids }));
  return namesOf(rows.map(policyOf));
}

const ruleSizes = defineQuery((db, p: Scope & { ids: readonly string[] }, engine) =>
  db
    .selectFrom("policies")
    .select((eb) => [
      eb.fn.countAll<number | string>().as("policies"),
      eb.fn.sum<number | string | null>("rule_count").as("rules"),
      eb.fn.sum<number | string | null>(sql<number>`octet_length(rules)`).as("bytes"),
    ])
    .where(oneOf(engine, sql.ref("id"), p.ids))
    .where("partition", "=", p.partition)
    .where("namespace", "=", p.namespace),
);

/** How many of these policies there are, how many rules they have together, and of what length, without reading them. */
export async function sizeOfPolicies(db: Reader, scope: Scope, ids: readonly string[]): Promise<RuleSize> {
  const [row] = ids.length === 0 ? [] : await db.run(ruleSizes, { ...scope, ids });
  return { policies: Number(row?.policies ?? 0), rules: Number(row?.rules ?? 0), bytes: Number(row?.bytes ?? 0) };
}

/** Policies without their rules, in order of namespaces and names, after that of the page. */
export async function listPolicies(
  db: Reader,
  scope: ListScope,
  page: PageRequest & { size: number },
): Promise<Policy[]> {
  const nameKey = sql.ref("name_key");
  const rows = await db.sql
    .selectFrom("policies")
    .select(SHORT)
    .where(inListScope(db.engine, scope))
    .where(behind(scope, "name_key", page.after))
    .$if(page.search !== "", (query) => query.where(contains(db.engine, nameKey, fold(page.search))))
    .orderBy("namespace")
    .orderBy("name_key")
    .limit(page.size)
    .execute();
  return rows.map(policyOf);
}

/** Whether the partition has policies that the caller may not read. */
export async function hasHiddenPolicies(db: Reader, scope: ListScope): Promise<boolean> {
  const outside = outsideListScope(db.engine, scope);
  if (outside === undefined) return false;
  return (await db.sql.selectFrom("policies").select("id").where(outside).limit(1).execute()).length > 0;
}

const stored = provenRows("policies", ["partition", "namespace", "create_index"]);
const remove = defineQuery((db, p: { id: string }) => db.deleteFrom("policies").where("id", "=", p.id));

export function insertPolicy(tx: Transaction, policy: Policy): void {
  stored.insert(tx, rowOf(policy));
}

/** Writes what may change of a policy; its scope never does. */
export function updatePolicy(tx: Transaction, policy: Policy): void {
  stored.update(tx, rowOf(policy));
}

export function deletePolicy(tx: Transaction, { id, scope }: Policy): void {
  tx.write(remove, { id });
  noteDeletedLink(tx, scope, id);
}
