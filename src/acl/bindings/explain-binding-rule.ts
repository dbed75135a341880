/** Why a binding rule gives an identity what it gives, or nothing: in words for who writes the rules. */
import type { VerifiedIdentity } from "../../identities/validator.ts";
import { goQuote } from "../../go/quote.ts";
import { parseSelector } from "../../selectors/parse.ts";
import type { RegularExpressions, Meter } from "../../selectors/regular-expression.ts";
import { SelectorError } from "../../selectors/selector-error.ts";
import { bind, type Bound, type CompiledBindingRule, type CompiledBindingRules } from "./compiled-binding-rules.ts";
import { BindingError, LoginRefused } from "./binding.ts";
import { changedValues } from "../../templates/template.ts";
import type { RuleSelection } from "./selection.ts";
import { workInTurns } from "../../turns.ts";
import { startBudget, type WorkBudget } from "./work-budget.ts";
import { compileSelector } from "../../selectors/compile.ts";
import { isList, isMap, type Identity, type IdentityValue } from "../../selectors/identity.ts";
import { printSelector } from "../../selectors/print.ts";
import { quoteForMessage } from "../../selectors/quoted-text.ts";
import type { Path, Selector, Test } from "../../selectors/tree.ts";

export interface BindingRuleExplanation {
  readonly id: string;
  /** `failed`: the selector could not be asked, which matches nothing; or the rule matches and cannot give what it says. */
  readonly verdict: "matched" | "not matched" | "failed";
  /** At most `MAX_REASON` characters. */
  readonly reason: string;
  /** Grant of a rule that matched; roles and policies were not looked up. */
  readonly bound: Bound | undefined;
  /** Whether every login that it matches fails, whatever other rules grant. */
  readonly isRefusal: boolean;
}

export const MAX_REASON = 500;

/** Which rules are explained. */
export interface ExplainOptions {
  /** Only those that the index does not rule out. */
  readonly candidatesOnly?: boolean;
  /** At most so many, the first ones. */
  readonly most?: number;
}

/**
 * Explains rules in order of their IDs, in turns of the event loop. Tests that a login would evaluate use the budget of
 * a login, and all others have a budget of their own.
 */
export function explainBindingRules(
  compiled: CompiledBindingRules,
  identity: VerifiedIdentity,
  explained: ExplainOptions = {},
): Promise<BindingRuleExplanation[]> {
  return workInTurns(explainInSteps(compiled, identity, explained));
}

function* explainInSteps(
  compiled: CompiledBindingRules,
  identity: VerifiedIdentity,
  { candidatesOnly = false, most = Infinity }: ExplainOptions,
): Generator<void, BindingRuleExplanation[]> {
  const { bindingRules, regularExpressions } = compiled;
  const candidates = compiled.candidates(identity.fields);
  const places = new Set(candidates);
  const [ofLogin, ofOthers] = [startBudget(), startBudget()];
  const known = new Map<RuleSelection, Selected>();
  const explanations: BindingRuleExplanation[] = [];
  for (const place of candidatesOnly ? candidates : bindingRules.keys()) {
    if (explanations.length >= most) break;
    yield;
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
    const reason = reasonOf(bound, foldedOf(bindingRule, identity) + selected.reason);
    return { ...nothing, verdict: "matched", reason: cut(reason), bound };
  } catch (error) {
    if (!(error instanceof LoginRefused)) throw error;
    return { ...nothing, verdict: "failed", reason: cut(error.message), isRefusal: true };
  }
}

/** From what a computed name was folded, where it is not as the identity has it. */
function foldedOf({ plan }: CompiledBindingRule, { variables }: VerifiedIdentity): string {
  if (plan instanceof BindingError) return "";
  const templates = [plan.name, ...(plan.variable === undefined ? [] : [plan.variable])];
  const changed = templates.flatMap((template) => changedValues(template, variables));
  if (changed.length === 0) return "";
  return `the name is folded from ${changed.map((value) => describeText(value)).join(", ")}; `;
}

function reasonOf({ isBarred, name }: Bound, reason: string): string {
  return isBarred
    ? `grants nothing: ${goQuote(name)} is reserved, and computed names cannot select it; ${reason}`
    : reason;
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

/** Engine that evaluates patterns, and the meter that it charges. */
export interface MeteredEngine {
  regularExpressions: RegularExpressions;
  meter: Meter;
}

/** A test could not be evaluated for an identity. */
export class TestError extends Error {}

export interface SelectorDecision {
  readonly isTrue: boolean;
  /** The tests that decided, each with what the identity has there. */
  readonly reason: string;
}

/**
 * Whether a selector matches an identity, and which of its tests decided that: all that were true of an `and` that is true,
 * the first that was false of one that is false; of an `or` the other way round.
 *
 * @param length of the reason in characters; what goes beyond it is left out after one test more
 * @throws {SelectorError} for a regular expression that the engine refuses
 * @throws {TestError} for a test that failed
 */
export function decideSelector(
  selector: Selector,
  identity: Identity,
  engine: MeteredEngine,
  length: number,
): SelectorDecision {
  const { isTrue, tests } = decide(selector, (test) => ask(test, identity, engine));
  let reason = "";
  for (const decided of tests) {
    if (reason.length > length) break;
    if (reason !== "") reason += "; ";
    reason += describe(decided, identity);
  }
  return { isTrue, reason };
}

/** A test that decided, and what came out. */
interface DecidedTest {
  readonly test: Test;
  /** Whether a `not` stands right before it, which the result takes into account. */
  readonly isNegated: boolean;
  readonly isTrue: boolean;
}

interface Deciding {
  readonly isTrue: boolean;
  readonly tests: readonly DecidedTest[];
}

function decide(selector: Selector, isTrueOf: (test: Test) => boolean): Deciding {
  switch (selector.kind) {
    case "test": {
      const isTrue = isTrueOf(selector);
      return { isTrue, tests: [{ test: selector, isNegated: false, isTrue }] };
    }
    case "not": {
      const { operand } = selector;
      const decided = decide(operand, isTrueOf);
      const isTrue = !decided.isTrue;
      return operand.kind === "test"
        ? { isTrue, tests: [{ test: operand, isNegated: true, isTrue }] }
        : { isTrue, tests: decided.tests };
    }
    case "and":
    case "or":
      return decideJoined(selector.operands, selector.kind === "or", isTrueOf);
  }
}

/** @param deciding the result that settles it when one operand has it */
function decideJoined(operands: readonly Selector[], deciding: boolean, isTrueOf: (test: Test) => boolean): Deciding {
  const tests: DecidedTest[] = [];
  for (const operand of operands) {
    const decided = decide(operand, isTrueOf);
    if (decided.isTrue === deciding) return decided;
    tests.push(...decided.tests);
  }
  return { isTrue: !deciding, tests };
}

function ask(test: Test, identity: Identity, { regularExpressions, meter }: MeteredEngine): boolean {
  const matches = compileSelector(test, regularExpressions);
  try {
    return matches(identity, meter);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new TestError(`${shortened(printSelector(test), MAX_TEST)} failed: ${reason}`, { cause: error });
  }
}

const MAX_TEST = 200;
const MAX_VALUE = 80;
const MAX_ELEMENTS = 5;

function describe({ test, isNegated, isTrue }: DecidedTest, identity: Identity): string {
  const text = shortened(`${isNegated ? "not " : ""}${printSelector(test)}`, MAX_TEST);
  return `${text} is ${isTrue}: ${shortened(printPath(test), MAX_VALUE)} is ${describeValue(find(test.path, identity))}`;
}

/** Returns the path as it stands in the test: what a test for emptiness prints before its operator. */
export function printPath({ path, start, end }: Test): string {
  const operator = "is empty";
  return printSelector({ kind: "test", operator, path, start, end }).slice(0, -operator.length - 1);
}

function find(path: Path, identity: Identity): IdentityValue | undefined {
  let value: IdentityValue | undefined = identity;
  for (const name of path) value = isMap(value) ? value.get(name) : undefined;
  return value;
}

function describeValue(value: IdentityValue | undefined): string {
  if (value === undefined) return "absent";
  if (isList(value)) return `[${firstOf(value)}]`;
  if (isMap(value)) return `{${firstOf([...value.keys()])}}`;
  return describeText(value);
}

function firstOf(texts: readonly string[]): string {
  const shown = texts.slice(0, MAX_ELEMENTS).map(describeText);
  if (texts.length > MAX_ELEMENTS) shown.push(`… ${texts.length - MAX_ELEMENTS} more`);
  return shown.join(", ");
}

function describeText(text: string): string {
  return quoteForMessage(shortened(text, MAX_VALUE));
}

function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text;
}
