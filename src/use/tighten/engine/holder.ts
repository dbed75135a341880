/** Holders of a policy and the comparison of their permissions before and after a change. Pure. */
import type { Authorizer, Decision } from "../../../rights/rules/authorizer.ts";
import { compileInSteps } from "../../../rights/rules/compile.ts";
import { decide } from "../../../rights/rules/decide.ts";
import { NO_FACTS, type RightsQuestion } from "../../../rights/rules/question.ts";
import type { PolicyRules } from "../../../rights/rules/rule.ts";
import type { Steps } from "../../../rights/rules/scanner.ts";
import { changedRules, NamesInRules } from "../../../explain/effect/names.ts";

/** Policies of one subject: its own, and the defaults of its namespace. */
export interface RightsSet {
  readonly direct: readonly PolicyRules[];
  readonly defaults: readonly PolicyRules[];
}

/** Subjects that have the same policies. */
export interface TightenHolder extends RightsSet {
  /** Keys of their rows in the ledger (`keyOfSubject`). */
  readonly subjects: ReadonlySet<string>;
}

export type DefaultPolicy = "allow" | "deny";

/** A question that was denied before and would be allowed. */
export interface Gain {
  readonly question: RightsQuestion;
  readonly before: Decision;
  readonly after: Decision;
}

/** Compiles a set, as work that can pause. */
export function* compileSet({ direct, defaults }: RightsSet, defaultPolicy: DefaultPolicy): Steps<Authorizer> {
  return yield* compileInSteps({ direct, defaults, defaultPolicy });
}

/** More questions about one holder take too long. */
export const MOST_QUESTIONS = 200_000;
/** Gains that one comparison names. */
const MOST_GAINS = 256;
const BETWEEN = 64;

/** The comparison of one holder asks too many questions. */
export class TooManyQuestions extends Error {}

/**
 * Returns what a holder would gain by a change.
 *
 * @throws TooManyQuestions
 */
export function* gainsOf(before: RightsSet, after: RightsSet, defaultPolicy: DefaultPolicy): Steps<Gain[]> {
  const questions = yield* questionsBetween(before, after);
  if (questions.length === 0) return [];
  const had = yield* compileSet(before, defaultPolicy);
  const has = yield* compileSet(after, defaultPolicy);
  const gains: Gain[] = [];
  for (const [index, question] of questions.entries()) {
    if (index % BETWEEN === 0) yield;
    const can = decide(has, question, NO_FACTS);
    if (!can.allow) continue;
    const could = decide(had, question, NO_FACTS);
    if (could.allow) continue;
    gains.push({ question, before: could, after: can });
    if (gains.length >= MOST_GAINS) break;
  }
  return gains;
}

function* questionsBetween(before: RightsSet, after: RightsSet): Steps<RightsQuestion[]> {
  const all = [...before.direct, ...before.defaults, ...after.direct, ...after.defaults];
  const changed = [
    ...changedRules(without(before.direct, after.direct), without(after.direct, before.direct)),
    ...changedRules(without(before.defaults, after.defaults), without(after.defaults, before.defaults)),
  ];
  if (changed.length === 0) return [];
  const names = new NamesInRules();
  for (const policy of new Set(all)) {
    names.add(policy);
    yield;
  }
  const questions = new Map<string, RightsQuestion>();
  for (const placed of changed) {
    for (const question of yield* names.questions(placed)) questions.set(JSON.stringify(question), question);
    if (questions.size > MOST_QUESTIONS) throw new TooManyQuestions();
    yield;
  }
  return [...questions.values()];
}

/** Policies that only the first of two lists has; they are compared as objects. */
function without(policies: readonly PolicyRules[], others: readonly PolicyRules[]): PolicyRules[] {
  const known = new Set(others);
  return policies.filter((policy) => !known.has(policy));
}
