import { isList, isMap, type Identity, type IdentityValue } from "./identity.ts";
import { quoteForMessage } from "./quoted-text.ts";
import type { Meter, RegularExpression, RegularExpressions } from "./regular-expression.ts";
import { SelectorError } from "./selector-error.ts";
import type { Path, Selector, Test } from "./tree.ts";

/** Whether an identity matches. Allocates nothing; throws only what a regular expression throws. */
export type Matcher = (identity: Identity, meter?: Meter) => boolean;

/**
 * Compiles a selector. `and` and `or` stop as soon as they are decided, from left to right.
 *
 * What is absent, or of another type than the test asks about, equals nothing, holds nothing, matches nothing and is empty:
 * the test is false, and its negated form true.
 *
 * @throws {SelectorError} for a regular expression that the engine refuses
 */
export function compileSelector(selector: Selector, regularExpressions: RegularExpressions): Matcher {
  switch (selector.kind) {
    case "test":
      return compileTest(selector, regularExpressions);
    case "not":
      return negate(compileSelector(selector.operand, regularExpressions));
    case "and":
      return every(selector.operands.map((operand) => compileSelector(operand, regularExpressions)));
    case "or":
      return some(selector.operands.map((operand) => compileSelector(operand, regularExpressions)));
  }
}

function negate(matcher: Matcher): Matcher {
  return (identity, meter) => !matcher(identity, meter);
}

function every(matchers: readonly Matcher[]): Matcher {
  return (identity, meter) => {
    for (const matcher of matchers) if (!matcher(identity, meter)) return false;
    return true;
  };
}

function some(matchers: readonly Matcher[]): Matcher {
  return (identity, meter) => {
    for (const matcher of matchers) if (matcher(identity, meter)) return true;
    return false;
  };
}

function compileTest(test: Test, regularExpressions: RegularExpressions): Matcher {
  const find = finder(test.path);
  switch (test.operator) {
    case "==":
      return equals(find, test.value);
    case "!=":
      return negate(equals(find, test.value));
    case "in":
      return holds(find, test.value);
    case "not in":
      return negate(holds(find, test.value));
    case "is empty":
      return isEmpty(find);
    case "is not empty":
      return negate(isEmpty(find));
    case "matches":
      return matches(find, compilePattern(test.value, test.start, regularExpressions));
    case "not matches":
      return negate(matches(find, compilePattern(test.value, test.start, regularExpressions)));
  }
}

type Find = (identity: Identity) => IdentityValue | undefined;

/** Paths of one and two names are nearly all there are, so they have closures without a loop. */
function finder(path: Path): Find {
  const [first, second] = path;
  if (second === undefined) return (identity) => identity.get(first);
  if (path.length === 2) {
    return (identity) => {
      const map = identity.get(first);
      return isMap(map) ? map.get(second) : undefined;
    };
  }
  return (identity) => {
    let value: IdentityValue | undefined = identity;
    for (const name of path) value = isMap(value) ? value.get(name) : undefined;
    return value;
  };
}

function equals(find: Find, wanted: string): Matcher {
  return (identity) => find(identity) === wanted;
}

function holds(find: Find, wanted: string): Matcher {
  return (identity) => {
    const value = find(identity);
    if (typeof value === "string" || isList(value)) return value.includes(wanted);
    return isMap(value) && value.has(wanted);
  };
}

function isEmpty(find: Find): Matcher {
  return (identity) => {
    const value = find(identity);
    if (isMap(value)) return value.size === 0;
    return !isList(value) || value.length === 0;
  };
}

function matches(find: Find, pattern: RegularExpression): Matcher {
  return (identity, meter) => {
    const value = find(identity);
    return typeof value === "string" && pattern.matches(value, meter);
  };
}

function compilePattern(pattern: string, at: number, regularExpressions: RegularExpressions): RegularExpression {
  try {
    return regularExpressions.compile(pattern);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `Failed to compile regular expression ${quoteForMessage(pattern)}: ${reason}`;
    throw new SelectorError(message, at, { cause: error });
  }
}
