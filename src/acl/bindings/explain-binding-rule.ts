/** Why a binding rule gives an identity what it gives, or nothing: in words for who writes the rules. */
import type { VerifiedIdentity } from "../../identities/validator.ts";
import { goQuote } from "../../go/quote.ts";
import { parseSelector } from "../../selectors/parse.ts";
import type { RegularExpressions } from "../../selectors/regular-expression.ts";
import { SelectorError } from "../../selectors/selector-error.ts";
import { bind, type Bound, type CompiledBindingRule, type CompiledBindingRules } from "./compiled-binding-rules.ts";
import { decideSelector, TestError } from "./explain-selector.ts";
import { LoginRefused } from "./login-refused.ts";
import type { Selection } from "./selection.ts";
import { startTurn } from "./turn.ts";
import { startBudget, type WorkBudget } from "./work-budget.ts";

export interface BindingRuleExplanation {
  readonly id: string;
  /** `failed`: the selector could not be asked, which matches nothing; or the rule matches and cannot give what it says. */
  readonly verdict: "matched" | "not matched" | "failed";
  /** At most `MAX_REASON` characters. */
  readonly reason: string;
  /** What a rule that matched gives; roles and policies were not looked up. */
  readonly bound: Bound | undefined;
  /** Whether nobody whom it matches can log in, whatever other rules give. */
  readonly isRefusal: boolean;
}

export const MAX_REASON = 500;

/** Which rules are explained. */
export interface Explained {
  /** Only those that the index does not rule out. */
  readonly candidatesOnly: boolean;
  /** At most so many, the first ones. */
  readonly most: number;
}

const EVERY_RULE: Explained = { candidatesOnly: false, most: Number.POSITIVE_INFINITY };

/**
 * Explains rules in order of their IDs, in turns of the event loop. What a login would ask has the budget of a login, and
 * what it would not ask one of its own.
 */
export async function explainBindingRules(
  compiled: CompiledBindingRules,
  identity: VerifiedIdentity,
  { candidatesOnly, most }: Explained = EVERY_RULE,
): Promise<BindingRuleExplanation[]> {
  const { bindingRules, regularExpressions } = compiled;
  const candidates = compiled.candidates(identity.fields);
  const places = new Set(candidates);
  const [ofLogin, ofOthers] = [startBudget(), startBudget()];
  const known = new Map<Selection, Selected>();
  const explanations: BindingRuleExplanation[] = [];
  const turn = startTurn();
  for (const place of candidatesOnly ? candidates : bindingRules.keys()) {
    if (explanations.length >= most) break;
    if (turn.isOver()) await turn.next();
    const bindingRule = bindingRules[place];
    if (bindingRule === undefined) continue;
    const { selection } = bindingRule;
    const budget = places.has(place) ? ofLogin : ofOthers;
    const selected = known.get(selection) ?? explainSelector(selection.text, identity, regularExpressions, budget);
    known.set(selection, selected);
    explanations.push(explainBindingRule(bindingRule, identity, selected));
  }
  return explanations;
}

type Selected = Pick<BindingRuleExplanation, "verdict" | "reason">;

function explainBindingRule(
  bindingRule: CompiledBindingRule,
  identity: VerifiedIdentity,
  selected: Selected,
): BindingRuleExplanation {
  const nothing = { id: bindingRule.id, bound: undefined, isRefusal: false };
  if (selected.verdict !== "matched") return { ...nothing, ...selected };
  try {
    const bound = bind(bindingRule, identity);
    return { ...nothing, verdict: "matched", reason: cut(reasonOf(bound, selected.reason)), bound };
  } catch (error) {
    if (!(error instanceof LoginRefused)) throw error;
    return { ...nothing, verdict: "failed", reason: cut(error.message), isRefusal: true };
  }
}

function reasonOf({ isBarred, name }: Bound, reason: string): string {
  return isBarred ? `gives nothing: ${goQuote(name)} is reserved, which no computed name reaches; ${reason}` : reason;
}

function explainSelector(
  text: string,
  { fields }: VerifiedIdentity,
  regularExpressions: RegularExpressions,
  budget: WorkBudget,
): Selected {
  if (text === "") return { verdict: "matched", reason: "the selector is empty" };
  try {
    const selector = parseSelector(text);
    budget.beginSelector();
    const { isTrue, reason } = decideSelector(selector, fields, { regularExpressions, meter: budget }, MAX_REASON);
    return { verdict: isTrue ? "matched" : "not matched", reason: cut(reason) };
  } catch (error) {
    if (error instanceof SelectorError)
      return { verdict: "failed", reason: cut(`Selector is invalid: ${error.message}`) };
    if (error instanceof TestError) return { verdict: "failed", reason: cut(error.message) };
    throw error;
  }
}

function cut(text: string): string {
  return text.length > MAX_REASON ? `${text.slice(0, MAX_REASON - 1).toWellFormed()}…` : text;
}
