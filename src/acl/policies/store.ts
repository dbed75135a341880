import { sql } from "kysely";
import type { TextsOf } from "../../../packages/model/text-members.ts";
import type { Reader, Transaction } from "../../storage/database.ts";
import { compared, defineQuery, oneOf } from "../../storage/reads/query.ts";
import { noteDeletedLink } from "../kit/link-store.ts";
import { type RecordOf, digest } from "../kit/records.ts";
import type { Grammar } from "../../rights/rules/parse.ts";
import type { RuleSize } from "../rule-limit.ts";
import type { Scope } from "../../rights/scope.ts";
import { scopedStore } from "../kit/scoped-objects.ts";
import { emptyTexts, textsIn } from "../kit/texts.ts";
import type { Deletion } from "../kit/trash.ts";
import type { SyntheticPolicy } from "../templated-policies/templates.ts";

export type Policy = RecordOf<"policies", { datacenters: readonly string[] }>;

/** A policy as lists read it: rules may be long. */
export type ListedPolicy = Omit<Policy, "rules">;

export const { reads: policyStore, writes: writePolicies } = scopedStore<Policy, ListedPolicy>("policies");

const ruleSizes = defineQuery((db, p: Scope & { ids: readonly string[] }, engine) =>
  db
    .selectFrom("policies")
    .select((eb) => [
      eb.fn.countAll<number | string>().as("policies"),
      eb.fn.sum<number | string | null>("rule_count").as("rules"),
      eb.fn.sum<number | string | null>(sql<number>`octet_length(rules)`).as("bytes"),
    ])
    .where(oneOf(engine, sql.ref("id"), p.ids))
    .where(compared(engine, "partition"), "=", p.partition)
    .where(compared(engine, "namespace"), "=", p.namespace),
);

/** How many of these policies there are, how many rules they have together, and of what length, without reading them. */
export async function sizeOfPolicies(db: Reader, scope: Scope, ids: readonly string[]): Promise<RuleSize> {
  const [row] = ids.length === 0 ? [] : await db.run(ruleSizes, { ...scope, ids });
  return { policies: Number(row?.policies ?? 0), rules: Number(row?.rules ?? 0), bytes: Number(row?.bytes ?? 0) };
}

export async function deletePolicy(tx: Transaction, policy: Policy, deletion: Deletion): Promise<void> {
  await writePolicies.discard(tx, policy, deletion);
  noteDeletedLink(tx, policy.scope, policy.id);
}

/** Members of a policy that a request sets. */
export type PolicyInput = Pick<Policy, "name" | keyof TextsOf<"policy"> | "rules" | "datacenters">;

/** A policy without content; others are made from it. */
export const EMPTY_POLICY: PolicyInput = { name: "", ...emptyTexts("policy"), rules: "", datacenters: [] };

/**
 * Returns the grammar that reads the rules of a policy. The hash contains it, and so it is copied with the policy: an
 * earlier hash has 32 bytes, later ones have the number of the grammar after them, and base64 then adds no `=`.
 */
export function grammarOf({ hash }: Pick<Policy, "hash">): Grammar {
  return hash.endsWith("=") ? "earlier" : "present";
}

/** The hashes of policies that are read by the earlier grammar, as a pattern of SQL. */
export const EARLIER_HASHES = "%=";

const PRESENT = Buffer.from([2]);

function hashOf(fields: readonly unknown[], grammar: Grammar): string {
  const hash = digest(fields);
  return grammar === "earlier" ? hash : Buffer.concat([Buffer.from(hash, "base64"), PRESENT]).toString("base64");
}

/**
 * Puts a policy together, with its hash.
 *
 * @param ruleCount how many rules the text has
 * @param grammar by which the text was written
 */
export function assemblePolicy(
  base: Pick<Policy, "id" | "scope" | "createIndex" | "modifyIndex">,
  input: PolicyInput,
  ruleCount: number,
  grammar: Grammar = "present",
): Policy {
  const { id, scope, createIndex, modifyIndex } = base;
  const { name, description, rules, datacenters } = input;
  const hash = hashOf([scope.partition, scope.namespace, name, description, rules, datacenters], grammar);
  const texts = textsIn("policy", input);
  return { id, scope, createIndex, modifyIndex, name, ...texts, rules, ruleCount, datacenters, hash };
}

/** Gives the policy of an identity or a template the form of stored ones, in which answers show it. */
export function asStored(policy: SyntheticPolicy, scope: Scope): Policy {
  return { ...policy, scope, createIndex: 0, modifyIndex: 0 };
}
