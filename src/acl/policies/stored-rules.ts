/** Rules as text, stored or thought of, and by which grammar they are read: the one by which they were written. */
import { parseStoredInSteps, type Grammar } from "../../rights/rules/parse.ts";
import type { Rule } from "../../rights/rules/rule.ts";
import type { Steps } from "../../rights/rules/scanner.ts";
import type { Scope } from "../../rights/scope.ts";
import type { PolicyEdition } from "./service.ts";
import { grammarOf, type Policy } from "./store.ts";

/**
 * All that a decision takes of a policy, stored or thought of: its rules as text, and where they count. Whatever decides or
 * explains takes this and never a `Policy`, so what a policy has for display is none of its business. Its hash says by which
 * grammar its rules are read (`grammarOf`). Parsed it is `PolicyRules`.
 */
export type PolicyText = Pick<Policy, "id" | "name" | "scope" | "rules" | "ruleCount" | "datacenters" | "hash">;

/**
 * Makes a policy that is only thought of: it counts in every datacenter, and the present grammar reads it.
 *
 * @param name also its ID
 */
export function thoughtPolicy(name: string, scope: Scope, rules: string, ruleCount: number): PolicyText {
  return { id: name, name, scope, rules, ruleCount, datacenters: [], hash: "" };
}

/**
 * The rules of a policy that is stored, or thought of, as work that can pause.
 *
 * @param keep.places whether each rule says where in its text it stands
 */
export function* readStoredRules(
  policy: Pick<PolicyText, "rules" | "hash">,
  edition: PolicyEdition,
  keep: { places?: boolean; grammar?: Grammar } = {},
): Steps<Rule[]> {
  return yield* parseStoredInSteps(policy.rules, edition, { grammar: grammarOf(policy), ...keep });
}
