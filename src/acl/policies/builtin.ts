import type { Reader, Transaction } from "../../storage/database.ts";
import { POLICIES } from "../../rights/kinds.ts";
import { MANAGEMENT_RULES, NAMESPACE_RULES, READ_ONLY_RULES } from "../../rights/rules/builtin.ts";
import { parseRules } from "../../rights/rules/parse.ts";
import { countRules } from "../../rights/rules/rule.ts";
import { DEFAULT_SCOPE, type Scope } from "../../rights/scope.ts";
import { newUuid, RESERVED_PREFIX } from "../../rights/uuid.ts";
import type { NoteChange } from "../kit/write.ts";
import { EMPTY_POLICY, policyStore, writePolicies, assemblePolicy, type PolicyInput, type Policy } from "./store.ts";

/** IDs of the policies that are there from the start. */
export const MANAGEMENT_POLICY = `${RESERVED_PREFIX}01`;
export const READ_ONLY_POLICY = `${RESERVED_PREFIX}02`;

const BUILTINS: readonly (PolicyInput & { id: string })[] = [
  {
    ...EMPTY_POLICY,
    id: MANAGEMENT_POLICY,
    name: "global-management",
    description: "A built-in policy that grants read and write access to all Consul features",
    rules: MANAGEMENT_RULES,
  },
  {
    ...EMPTY_POLICY,
    id: READ_ONLY_POLICY,
    name: "builtin/global-read-only",
    description: "A built-in policy that grants read-only access to all Consul features",
    rules: READ_ONLY_RULES,
  },
];

/** Whether this is one of them, which may be neither deleted nor given other rules. */
export function isBuiltin(id: string): boolean {
  return id === MANAGEMENT_POLICY || id === READ_ONLY_POLICY;
}

/** Whether they are there, with the rules of this version. */
export async function hasBuiltinPolicies(db: Reader): Promise<boolean> {
  const found = await findBuiltins(db);
  return BUILTINS.every(({ id, rules }) => found.some((policy) => policy.id === id && policy.rules === rules));
}

/** Makes those that are missing, and gives the others the rules of this version; their names may have been changed. */
export async function writeBuiltinPolicies(tx: Transaction, change: NoteChange): Promise<void> {
  const [index, found] = await Promise.all([tx.index(), findBuiltins(tx)]);
  for (const { id, ...input } of BUILTINS) {
    const current = found.find((policy) => policy.id === id);
    if (current?.rules === input.rules) continue;
    const ruleCount = countRules(parseRules(input.rules));
    const base = { id, scope: DEFAULT_SCOPE, createIndex: index, modifyIndex: index };
    if (current === undefined) writePolicies.insert(tx, assemblePolicy(base, input, ruleCount));
    else
      writePolicies.update(
        tx,
        assemblePolicy({ ...current, modifyIndex: index }, { ...current, rules: input.rules }, ruleCount),
        current,
      );
    change(POLICIES, id);
  }
}

/** The policy that each namespace is born with. */
export const NAMESPACE_MANAGEMENT = "namespace-management";

/** Gives a new namespace the policy by which it is managed; a policy like any other. */
export async function insertNamespaceManagement(tx: Transaction, scope: Scope): Promise<void> {
  const index = await tx.index();
  const id = newUuid();
  const input = {
    ...EMPTY_POLICY,
    name: NAMESPACE_MANAGEMENT,
    description: "Grants all rights in this namespace",
    rules: NAMESPACE_RULES,
  };
  const base = { id, scope, createIndex: index, modifyIndex: index };
  writePolicies.insert(tx, assemblePolicy(base, input, countRules(parseRules(input.rules))));
  tx.touch({ ...scope, table: POLICIES, key: id });
}

function findBuiltins(db: Reader): Promise<Policy[]> {
  return policyStore.all(
    db,
    DEFAULT_SCOPE,
    BUILTINS.map((policy) => policy.id),
  );
}
