/** Proposes a role without the policies that nobody used, and widens nothing by that. Pure. */
import { decide } from "../../../rights/rules/decide.ts";
import { NO_FACTS } from "../../../rights/rules/question.ts";
import type { PolicyRules, Rule } from "../../../rights/rules/rule.ts";
import type { Steps } from "../../../rights/rules/scanner.ts";
import type { UseRow } from "../../../records/uses/row.ts";
import { compileSet, gainsOf, type DefaultPolicy, type TightenHolder } from "./holder.ts";
import { isCountedByRule, keyOfSubject, questionOf } from "./uses.ts";
import { isDenying } from "./wanted.ts";

/** A holder of the role. */
export interface RoleHolder extends TightenHolder {
  /** IDs of policies that only the role gives to it, as one of its own policies. */
  readonly onlyDirect: ReadonlySet<string>;
  /** The same among the defaults of its namespace. */
  readonly onlyDefaults: ReadonlySet<string>;
}

export const POLICY_REASONS = ["used", "unused", "denies", "asked-to-keep", "hides"] as const;
export type PolicyReason = (typeof POLICY_REASONS)[number];

/** A policy of the role and its fate. */
export interface TightenedPolicy {
  readonly id: string;
  readonly name: string;
  readonly action: "kept" | "dropped";
  readonly reason: PolicyReason;
}

export interface TightenRoleInput {
  readonly policies: readonly PolicyRules[];
  readonly holders: readonly RoleHolder[];
  /** Only those that count. */
  readonly rows: readonly UseRow[];
  /** IDs of policies that stay. */
  readonly keep: ReadonlySet<string>;
  readonly defaultPolicy: DefaultPolicy;
}

const BETWEEN = 64;

/** @throws TooManyQuestions when a holder has too many rules about what would change */
export function* tightenRole(input: TightenRoleInput): Steps<TightenedPolicy[]> {
  const { policies, keep } = input;
  const used = yield* usedPolicies(input);
  const reasons = new Map<string, PolicyReason>();
  for (const { id, rules } of policies) {
    const reason = hasDenial(rules) ? "denies" : keep.has(id) ? "asked-to-keep" : used.has(id) ? "used" : "unused";
    reasons.set(id, reason);
  }
  yield* mend(input, reasons);
  return policies.map(({ id, name }) => {
    const reason = reasons.get(id) ?? "used";
    return { id, name, action: reason === "unused" ? "dropped" : "kept", reason };
  });
}

/** IDs of policies that decided a question on record, as their holders are decided about today. */
function* usedPolicies({ holders, rows, defaultPolicy }: TightenRoleInput): Steps<Set<string>> {
  const used = new Set<string>();
  const bySubject = Map.groupBy(rows, ({ subject }) => keyOfSubject(subject));
  const known = new Set<UseRow>();
  for (const holder of holders) {
    const own = [...holder.subjects].flatMap((key) => bySubject.get(key) ?? []);
    if (own.length === 0) continue;
    const rights = yield* compileSet(holder, defaultPolicy);
    for (const [index, row] of own.entries()) {
      if (index % BETWEEN === 0) yield;
      known.add(row);
      const question = questionOf(row);
      const decision = question && decide(rights, question, NO_FACTS);
      if (decision?.allow === true) for (const { id } of decision.grant?.holders ?? []) used.add(id);
    }
  }
  for (const row of rows) if (isCountedByRule(row, known)) used.add(row.rule.policyId);
  return used;
}

/** Takes policies back until no holder gains anything. */
function* mend({ holders, defaultPolicy }: TightenRoleInput, reasons: Map<string, PolicyReason>): Steps<void> {
  let isMended = true;
  while (isMended) {
    isMended = false;
    for (const holder of holders) {
      const gone = new Set([...reasons].filter(([, reason]) => reason === "unused").map(([id]) => id));
      const gains = yield* gainsOf(holder, withoutPolicies(holder, gone), defaultPolicy);
      if (gains.length === 0) continue;
      const hiding = gains.flatMap(({ before }) => before.grant?.holders ?? []).filter(({ id }) => gone.has(id));
      const back = hiding.length > 0 ? hiding.map(({ id }) => id) : [...gone];
      for (const id of back) reasons.set(id, "hides");
      isMended = true;
    }
  }
}

/** Policies of a holder when the role gives fewer of them. */
export function withoutPolicies(holder: RoleHolder, gone: ReadonlySet<string>): RoleHolder {
  const direct = holder.direct.filter(({ id }) => !gone.has(id) || !holder.onlyDirect.has(id));
  const defaults = holder.defaults.filter(({ id }) => !gone.has(id) || !holder.onlyDefaults.has(id));
  return { ...holder, direct, defaults };
}

function hasDenial(rules: readonly Rule[]): boolean {
  return rules.some((rule) => {
    const { policy, intentions } = rule;
    const denies = policy !== undefined && isDenying({ policy, ...(intentions && { intentions }) });
    return denies || ("kind" in rule && hasDenial(rule.rules));
  });
}
