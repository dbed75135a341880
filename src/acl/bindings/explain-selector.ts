import { compileSelector } from "../../selectors/compile.ts";
import { isList, isMap, type Identity, type IdentityValue } from "../../selectors/identity.ts";
import { printSelector } from "../../selectors/print.ts";
import { quoteForMessage } from "../../selectors/quoted-text.ts";
import type { Meter, RegularExpressions } from "../../selectors/regular-expression.ts";
import type { Path, Selector, Test } from "../../selectors/tree.ts";

/** What asks patterns, on whose account. */
export interface MeteredEngine {
  regularExpressions: RegularExpressions;
  meter: Meter;
}

/** A test could not be asked of an identity. */
export class TestError extends Error {}

export interface Decision {
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
): Decision {
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

/** As it stands in the test: what a test for emptiness prints before its operator. */
function printPath({ path, start, end }: Test): string {
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
