import type { Reader, Transaction } from "../../storage/database.ts";
import { digest } from "../hash.ts";
import { MANAGEMENT_RULES, READ_ONLY_RULES } from "../rules/builtin.ts";
import { parseRules } from "../rules/parse.ts";
import { DEFAULT_SCOPE } from "../scope.ts";
import { RESERVED_PREFIX } from "../uuid.ts";
import type { Change } from "../write.ts";
import { findPolicies, insertPolicy, type Policy } from "./store.ts";

/** What a request says of a policy. */
export interface PolicyInput {
  name: string;
  description: string;
  rules: string;
  datacenters: readonly string[];
}

export const POLICIES = "policies";

/** IDs of the policies that are there from the start. */
export const MANAGEMENT_POLICY = `${RESERVED_PREFIX}01`;
export const READ_ONLY_POLICY = `${RESERVED_PREFIX}02`;

const BUILTINS: readonly (PolicyInput & { id: string })[] = [
  {
    id: MANAGEMENT_POLICY,
    name: "global-management",
    description: "A built-in policy that grants read and write access to all Consul features",
    rules: MANAGEMENT_RULES,
    datacenters: [],
  },
  {
    id: READ_ONLY_POLICY,
    name: "builtin/global-read-only",
    description: "A built-in policy that grants read-only access to all Consul features",
    rules: READ_ONLY_RULES,
    datacenters: [],
  },
];

/** Whether this is one of them, which may be neither deleted nor given other rules. */
export function isBuiltin(id: string): boolean {
  return id === MANAGEMENT_POLICY || id === READ_ONLY_POLICY;
}

/** Whether they have been made. */
export async function hasBuiltinPolicies(db: Reader): Promise<boolean> {
  return (await findBuiltins(db)).length === BUILTINS.length;
}

/** Makes those that are missing. */
export async function insertBuiltinPolicies(tx: Transaction, change: Change): Promise<void> {
  const [index, found] = await Promise.all([tx.index(), findBuiltins(tx)]);
  for (const { id, ...input } of BUILTINS) {
    if (found.some((policy) => policy.id === id)) continue;
    const base = { id, scope: DEFAULT_SCOPE, createIndex: index, modifyIndex: index };
    insertPolicy(tx, assemble(base, input, parseRules(input.rules).length));
    change(POLICIES, id);
  }
}

function findBuiltins(db: Reader): Promise<Policy[]> {
  return findPolicies(
    db,
    DEFAULT_SCOPE,
    BUILTINS.map((policy) => policy.id),
  );
}

/** Puts a policy together, with its hash. @param ruleCount how many rules the text has */
export function assemble(
  base: Pick<Policy, "id" | "scope" | "createIndex" | "modifyIndex">,
  { name, description, rules, datacenters }: PolicyInput,
  ruleCount: number,
): Policy {
  const { id, scope, createIndex, modifyIndex } = base;
  const hash = digest([scope.partition, scope.namespace, name, description, rules, datacenters]);
  return { id, scope, createIndex, modifyIndex, name, description, rules, ruleCount, datacenters, hash };
}
