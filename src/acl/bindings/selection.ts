import { compileSelector, type Matcher } from "../../selectors/compile.ts";
import type { Identity } from "../../selectors/identity.ts";
import { parseSelector } from "../../selectors/parse.ts";
import type { RegularExpressions } from "../../selectors/regular-expression.ts";
import { SelectorError } from "../../selectors/selector-error.ts";
import type { Selector, Path } from "../../selectors/tree.ts";
import { needOf, type Need } from "./binding-rule-index.ts";
import type { WorkBudget } from "./work-budget.ts";

/** The selector of one or more rules, ready to be asked. */
export interface RuleSelection {
  readonly text: string;
  /** Undefined when the text means nothing any more, though it once did. */
  readonly matcher: Matcher | undefined;
  /** Why there is no matcher. */
  readonly failure: string | undefined;
  /** Undefined when every identity must be asked about. */
  readonly need: Need | undefined;
  /** Approximate memory in bytes. */
  readonly bytes: number;
}

/** Memory of a test in bytes, as measured: closures, need, and content. */
const TEST_BYTES = 450;
/** Memory of a pattern besides the engine, in bytes: for any pattern, and for each of its characters. */
const PATTERN_BYTES = 300;
const PATTERN_CHARACTER_BYTES = 30;
const SELECTION_BYTES = 150;

/**
 * Reads a stored selector. It was checked when it was written; one that a later version rejects matches no identity.
 *
 * @param text empty: matches every identity
 * @param share with the selectors that are kept together
 */
export function selectBy(text: string, regularExpressions: RegularExpressions, share: ShareParts): RuleSelection {
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
export function decideSelection(
  { matcher }: RuleSelection,
  identity: Identity,
  budget: WorkBudget,
): boolean | undefined {
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

/** Gives a selector the paths and values that selectors before it had, where they are equal. */
export type ShareParts = (selector: Selector) => Selector;

/** Thousands of rules ask about the same few fields: what they have in common is kept once. */
export function createSharing(): ShareParts {
  const paths: PathNode = { path: undefined, longer: new Map() };
  const values = new Map<string, string>();

  function share(selector: Selector): Selector {
    switch (selector.kind) {
      case "test": {
        const path = sharedPath(paths, selector.path);
        return "value" in selector
          ? { ...selector, path, value: shared(values, selector.value) }
          : { ...selector, path };
      }
      case "not":
        return { ...selector, operand: share(selector.operand) };
      case "and":
      case "or":
        return { ...selector, operands: selector.operands.map(share) };
    }
  }

  return share;
}

interface PathNode {
  path: Path | undefined;
  readonly longer: Map<string, PathNode>;
}

function sharedPath(paths: PathNode, path: Path): Path {
  let node = paths;
  for (const name of path) {
    const next = node.longer.get(name) ?? { path: undefined, longer: new Map() };
    node.longer.set(name, next);
    node = next;
  }
  // A copy has no room to grow, which a list that was grown has.
  node.path ??= [path[0], ...path.slice(1)];
  return node.path;
}

function shared(values: Map<string, string>, value: string): string {
  const known = values.get(value);
  if (known !== undefined) return known;
  values.set(value, value);
  return value;
}
