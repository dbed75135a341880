/** Why a binding rule gives an identity what it gives, or nothing: in words for who writes the rules. */
import type { VerifiedIdentity } from "../../identities/validator.ts";
import { goQuote } from "../../go/quote.ts";
import { parseSelector } from "../../selectors/parse.ts";
import type { RegularExpressions } from "../../selectors/regular-expression.ts";
import { SelectorError } from "../../selectors/selector-error.ts";
import { bind, type Bound, type CompiledRule, type CompiledRules } from "./compiled-rules.ts";
import { decideSelector, TestError } from "./explain-selector.ts";
import { LoginRefused } from "./login-refused.ts";
import { startTurn } from "./turn.ts";

export interface RuleExplanation {
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

/** Explains rules in order of their IDs, in turns of the event loop. */
export async function explainRules(
  compiled: CompiledRules,
  identity: VerifiedIdentity,
  { candidatesOnly, most }: Explained = EVERY_RULE,
): Promise<RuleExplanation[]> {
  const { rules, regularExpressions } = compiled;
  const asked = candidatesOnly ? compiled.candidates(identity.fields).map((place) => rules[place]) : rules;
  const explanations: RuleExplanation[] = [];
  const turn = startTurn();
  for (const rule of asked) {
    if (explanations.length >= most) break;
    if (turn.isOver()) await turn.next();
    if (rule !== undefined) explanations.push(explainRule(rule, identity, regularExpressions));
  }
  return explanations;
}

/** Explains one rule. @param regularExpressions of the rules that it is one of */
export function explainRule(
  rule: CompiledRule,
  identity: VerifiedIdentity,
  regularExpressions: RegularExpressions,
): RuleExplanation {
  const { id, selection } = rule;
  const nothing = { id, bound: undefined, isRefusal: false };
  const selected = explainSelector(selection.text, identity, regularExpressions);
  if (selected.verdict !== "matched") return { ...nothing, ...selected };
  try {
    const bound = bind(rule, identity);
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
): Pick<RuleExplanation, "verdict" | "reason"> {
  if (text === "") return { verdict: "matched", reason: "the selector is empty" };
  try {
    const { isTrue, reason } = decideSelector(parseSelector(text), fields, regularExpressions, MAX_REASON);
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
