import { expect, test } from "vitest";
import { mappedForm } from "../../../test/support/binding-rules.ts";
import { findSelectorProblem } from "./binding.ts";
import { createRegularExpressions } from "./regular-expressions.ts";

const { strict, cache } = createRegularExpressions();

function problemOf(...patterns: readonly string[]): string | undefined {
  const text = patterns.map((pattern) => `value.a matches \`${pattern}\``).join(" or ");
  return findSelectorProblem(text, mappedForm("a"), strict);
}

const heavy = (letter: string): string => `${letter}(?:b?){1000}`;

test("patterns of a selector that exceed the total size limit are refused, and none beyond is compiled", () => {
  expect(problemOf(heavy("a"), heavy("b"), heavy("c"))).toBeUndefined();
  const before = cache.expressions;
  expect(problemOf(...Array.from("abcdefg", heavy))).toBe(
    `Failed to compile regular expression "${heavy("d")}": the regular expressions of the selector exceed the total size limit`,
  );
  expect(cache.expressions).toBe(before);
});

test("the same pattern counts once, and ordinary ones as many as fit into a selector", () => {
  expect(problemOf(...Array.from({ length: 100 }, () => heavy("a")))).toBeUndefined();
  expect(problemOf(...Array.from({ length: 180 }, (_, i) => `^team-${i}-(prod|test)$`))).toBeUndefined();
});

test("what is wrong with one pattern is said before", () => {
  expect(problemOf("a{1000}".repeat(9))).toContain(": error parsing regexp: expression too large");
  expect(problemOf(...Array.from("abc", heavy), "(")).toContain(": error parsing regexp: missing closing ): `(`");
  expect(problemOf("a{1001}")).toContain(": error parsing regexp: invalid repeat count: `{1001}`");
});
