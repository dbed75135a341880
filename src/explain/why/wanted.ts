/** Finds the changes that would allow an access: the smallest rule, and the roles that have it already. */
import { AppError } from "../../errors.ts";
import type { Reader } from "../../storage/database.ts";
import { readEffective, type Effective, type EffectivePolicy } from "../../acl/effective.ts";
import { NO_GRANTS } from "../../acl/grants.ts";
import { thoughtPolicy } from "../../acl/policies/stored-rules.ts";
import { roleStore } from "../../acl/roles/store.ts";
import type { Explanation } from "../../rights/rules/authorizer.ts";
import { decide } from "../../rights/rules/decide.ts";
import { NO_FACTS, type RightsQuestion } from "../../rights/rules/question.ts";
import { smallestRule } from "../../rights/rules/smallest.ts";
import type { Scope } from "../../rights/scope.ts";
import { compilePolicies } from "../../acl/tokens/compile.ts";
import { type AccessOptions } from "../../acl/tokens/resolve.ts";
import type { Subject } from "./subject.ts";

/** Changes that would allow an access. */
export interface MissingRules {
  /** Rules of a policy; undefined when no policy in the scope of the subject can allow the access. */
  rules: string | undefined;
  /** Whether the rule that decides now is stronger: it must be removed before any other applies. */
  isOverruled: boolean;
  /** First few roles that could be added to the subject. */
  roles: { id: string; name: string }[];
  /** Whether all roles were looked at. */
  isComplete: boolean;
}

/** Roles that one answer looks at, and rules that they may have together. */
const MOST_ROLES = 200;
const MOST_RULES = 20_000;
/** Roles that are named for one question. */
const MOST_NAMED = 5;

/**
 * Finds the changes that would allow each of the questions. All were denied to the subject.
 *
 * @param seeks `rules` leaves out the roles, whose names are for callers with acl:read
 */
export async function findWanted(
  db: Reader,
  { scope, effective }: Pick<Subject, "scope" | "effective">,
  denied: readonly { asked: RightsQuestion; explanation: Explanation }[],
  options: AccessOptions,
  seeks: "roles" | "rules",
): Promise<MissingRules[]> {
  const wanted: MissingRules[] = [];
  const known = [...effective.policies, ...effective.defaults.policies];
  for (const { asked, explanation } of denied) {
    const { resource, segment, access, scope: where } = asked;
    const rules = smallestRule(resource, segment, access, where, scope);
    const holders = policiesBehind(explanation, known);
    const isOverruled =
      rules !== undefined && !(await allowsWith(asked, explanation, holders, [policyOf(rules, scope)], options));
    wanted.push({ rules, isOverruled, roles: [], isComplete: seeks === "roles" });
  }
  if (seeks === "rules") return wanted;
  if (wanted.every(({ rules, isOverruled }) => rules === undefined || isOverruled)) return wanted;
  let left = MOST_RULES;
  const roles = await roleStore.list(db, scope, { size: MOST_ROLES + 1, after: "", search: "" });
  for (const [index, role] of roles.entries()) {
    if (left <= 0 || index >= MOST_ROLES) {
      for (const each of wanted) each.isComplete = false;
      break;
    }
    const given = await givenBy(db, scope, role.id, options);
    if (given === undefined) continue;
    left -= given.policies.reduce((sum, { policy }) => sum + policy.ruleCount, 1);
    const alone = await compilePolicies(given, options);
    for (const [place, each] of wanted.entries()) {
      const question = denied[place];
      if (question === undefined || each.rules === undefined || each.isOverruled || each.roles.length >= MOST_NAMED)
        continue;
      const { asked, explanation } = question;
      if (!decide(alone, asked, NO_FACTS).allow) continue;
      if (!(await allowsWith(asked, explanation, policiesBehind(explanation, known), given.policies, options)))
        continue;
      each.roles.push({ id: role.id, name: role.name });
    }
  }
  return wanted;
}

/** Grants of a role alone; undefined when they exceed the limit of a token, so that no token can have the role. */
async function givenBy(
  db: Reader,
  scope: Scope,
  role: string,
  { datacenter }: AccessOptions,
): Promise<Effective | undefined> {
  try {
    return await readEffective(db, { ...NO_GRANTS, scope, roles: [role] }, undefined, datacenter);
  } catch (error) {
    if (error instanceof AppError && error.code === "invalid") return undefined;
    throw error;
  }
}

/** The policies that hold the rule that decides: beside them no other of the subject's counts. */
function policiesBehind({ policies = [] }: Explanation, known: readonly EffectivePolicy[]): EffectivePolicy[] {
  const ids = new Set(policies.map(({ ID }) => ID));
  return known.filter(({ policy }) => ids.has(policy.id));
}

/** Whether it would be allowed by these beside what decides now. */
async function allowsWith(
  question: RightsQuestion,
  { decidedBy }: Explanation,
  holders: readonly EffectivePolicy[],
  added: readonly EffectivePolicy[],
  options: AccessOptions,
): Promise<boolean> {
  const isByDefault = decidedBy === "default";
  const both = new Map([...(isByDefault ? [] : holders), ...added].map((each) => [each.policy.id, each]));
  const together = { policies: [...both.values()], defaults: { policies: isByDefault ? [...holders] : [] } };
  const rights = await compilePolicies(together, options);
  return decide(rights, question, NO_FACTS).allow;
}

/** Returns a draft policy. */
function policyOf(rules: string, scope: Scope): EffectivePolicy {
  return { policy: thoughtPolicy("wanted", scope, rules, 1), isSynthetic: false, links: [] };
}
