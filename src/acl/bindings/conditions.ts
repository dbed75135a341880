/** Finds how far a selector is from matching an identity: its conditions, and which of them are false. */
import type { VerifiedIdentity } from "../../identities/validator.ts";
import { parseSelector } from "../../selectors/parse.ts";
import { SelectorError } from "../../selectors/selector-error.ts";
import type { Selector, Test } from "../../selectors/tree.ts";
import { workInTurns } from "../../turns.ts";
import type { CompiledBindingRules } from "./compiled-binding-rules.ts";
import { decideSelector, printPath, TestError, type BindingRuleExplanation } from "./explain-binding-rule.ts";
import type { RuleSelection } from "./selection.ts";
import { startBudget, type WorkBudget } from "./work-budget.ts";

/** Conditions of a selector: the operands of its outermost `and`, or the whole selector. */
export interface SelectorConditions {
  readonly total: number;
  readonly met: number;
  /** The first false ones. */
  readonly unmet: readonly UnmetCondition[];
}

export interface UnmetCondition {
  /** Path that its first test is about, such as `value.repository`. */
  readonly name: string;
  /** Tests that decided, with the values of the identity. */
  readonly reason: string;
  /** Place in the text of the selector; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
}

/** Maximum number of false conditions that are described. */
const MOST_UNMET = 5;
/** Maximum length of a reason. */
const LONGEST_REASON = 300;

/**
 * Counts the conditions of the rules that did not match, by rule ID, in turns of the event loop. Rules whose tests cannot
 * be evaluated within a budget of their own are not included.
 */
export function conditionsOfRules(
  compiled: CompiledBindingRules,
  identity: VerifiedIdentity,
  explanations: readonly BindingRuleExplanation[],
): Promise<ReadonlyMap<string, SelectorConditions>> {
  return workInTurns(countInSteps(compiled, identity, explanations));
}

function* countInSteps(
  compiled: CompiledBindingRules,
  identity: VerifiedIdentity,
  explanations: readonly BindingRuleExplanation[],
): Generator<void, ReadonlyMap<string, SelectorConditions>> {
  const found = new Map<string, SelectorConditions>();
  const known = new Map<RuleSelection, SelectorConditions | undefined>();
  const missed = new Set(explanations.flatMap(({ id, verdict }) => (verdict === "not matched" ? [id] : [])));
  const budget = startBudget();
  for (const { id, selection } of compiled.bindingRules) {
    yield;
    if (!missed.has(id)) continue;
    if (!known.has(selection)) known.set(selection, conditionsOf(selection.text, compiled, identity, budget));
    const conditions = known.get(selection);
    if (conditions !== undefined) found.set(id, conditions);
  }
  return found;
}

function conditionsOf(
  text: string,
  { regularExpressions }: CompiledBindingRules,
  { fields }: VerifiedIdentity,
  meter: WorkBudget,
): SelectorConditions | undefined {
  try {
    const operands = operandsOf(parseSelector(text));
    meter.beginSelector();
    const unmet: UnmetCondition[] = [];
    let met = 0;
    for (const operand of operands) {
      const { isTrue, reason } = decideSelector(operand, fields, { regularExpressions, meter }, LONGEST_REASON);
      if (isTrue) met += 1;
      else if (unmet.length < MOST_UNMET) {
        const { start, end } = operand;
        unmet.push({ name: printPath(firstTest(operand)), reason: cut(reason), start, end });
      }
    }
    return { total: operands.length, met, unmet };
  } catch (error) {
    if (error instanceof SelectorError || error instanceof TestError) return undefined;
    throw error;
  }
}

/** Parentheses nest: the operands of an inner `and` are conditions too. */
function operandsOf(selector: Selector): Selector[] {
  return selector.kind === "and" ? selector.operands.flatMap(operandsOf) : [selector];
}

function firstTest(selector: Selector): Test {
  if (selector.kind === "test") return selector;
  if (selector.kind === "not") return firstTest(selector.operand);
  // The parser makes no node without operands.
  const [first] = selector.operands as readonly [Selector, ...Selector[]];
  return firstTest(first);
}

function cut(text: string): string {
  return text.length > LONGEST_REASON ? `${text.slice(0, LONGEST_REASON - 1).toWellFormed()}…` : text;
}
