import { compileSelector, type Matcher } from "../../selectors/compile.ts";
import type { Identity } from "../../selectors/identity.ts";
import { parseSelector } from "../../selectors/parse.ts";
import type { RegularExpressions } from "../../selectors/regular-expression.ts";
import { SelectorError } from "../../selectors/selector-error.ts";
import type { Selector } from "../../selectors/tree.ts";
import { needOf, type Need } from "./selector-need.ts";
import type { ShareParts } from "./shared-parts.ts";
import type { WorkBudget } from "./work-budget.ts";

/** The selector of one or more rules, ready to be asked. */
export interface Selection {
  readonly text: string;
  /** Undefined when the text means nothing any more, though it once did. */
  readonly matcher: Matcher | undefined;
  /** Why there is no matcher. */
  readonly failure: string | undefined;
  /** Undefined when every identity must be asked about. */
  readonly need: Need | undefined;
  /** Of memory, about. */
  readonly bytes: number;
}

/** A test's closures, its need, and what stands in it, as measured. */
const TEST_BYTES = 450;
/** What is kept of a pattern beside the engine: for any, and for a character of it. */
const PATTERN_BYTES = 300;
const PATTERN_CHARACTER_BYTES = 30;
const SELECTION_BYTES = 150;

/**
 * Reads a stored selector. It was checked when it was written; what a later version refuses matches nobody.
 *
 * @param text empty for every identity
 * @param share with the selectors that are kept together
 */
export function selectBy(text: string, regularExpressions: RegularExpressions, share: ShareParts): Selection {
  const bytes = SELECTION_BYTES + text.length;
  const all = { text, matcher: matchEverybody, failure: undefined, need: undefined, bytes };
  if (text === "") return all;
  try {
    const selector = share(parseSelector(text));
    const matcher = compileSelector(selector, regularExpressions);
    return { ...all, matcher, need: needOf(selector), bytes: bytes + sizeOf(selector) };
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    return { ...all, matcher: undefined, failure: error.message };
  }
}

/**
 * Whether an identity matches; undefined when that cannot be known: the text means nothing any more, or a regular expression
 * gives up on its claim.
 */
export function decideSelection({ matcher }: Selection, identity: Identity, budget: WorkBudget): boolean | undefined {
  if (matcher === undefined) return undefined;
  try {
    budget.beginSelector();
    return matcher(identity, budget);
  } catch {
    return undefined;
  }
}

function matchEverybody(): boolean {
  return true;
}

function sizeOf(selector: Selector): number {
  if (selector.kind === "test") {
    const { operator } = selector;
    const isPattern = operator === "matches" || operator === "not matches";
    return TEST_BYTES + (isPattern ? PATTERN_BYTES + selector.value.length * PATTERN_CHARACTER_BYTES : 0);
  }
  if (selector.kind === "not") return sizeOf(selector.operand);
  return selector.operands.reduce((size, operand) => size + sizeOf(operand), 0);
}
