/** Rules as they are stored, and by which grammar they are read: the one by which they were written. */
import { parseStoredInSteps, type Grammar } from "../rules/parse.ts";
import type { Rule } from "../rules/rule.ts";
import type { Steps } from "../rules/scanner.ts";
import type { PolicyEdition } from "./service.ts";
import { grammarOf, type Policy } from "./store.ts";

/**
 * The rules of a policy that is stored, or thought of, as work that can pause.
 *
 * @param keep.places whether each rule says where in its text it stands
 */
export function* readStoredRules(
  policy: Pick<Policy, "rules" | "hash">,
  edition: PolicyEdition,
  keep: { places?: boolean; grammar?: Grammar } = {},
): Steps<Rule[]> {
  return yield* parseStoredInSteps(policy.rules, edition, { grammar: grammarOf(policy), ...keep });
}
