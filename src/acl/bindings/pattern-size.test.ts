import { RE2JS } from "re2js";
import { describe, expect, test } from "vitest";
import { randomOfRun } from "../../../test/support/seeded.ts";
import { LITERAL_BUDGET, literalsOf, mayMatch, searchesOf, type Required } from "./pattern-literals.ts";
import { sized } from "../../../test/support/length.ts";
import { measurePattern } from "./pattern-size.ts";

const INPUTS = sized(10_000, 300_000);

const PIECES = [
  ["a", "b", "ab", "abc", "é", "😀", "-", ".", "^", "$", "(", "(", ")", ")", "|", "*", "+", "?", "*?", "{", "}"],
  ["(?:", "(?i:", "(?P<n>", "(?<m>", "(?i)", "(?s)", "(?-i)", "(?U)", "(?", "{2}", "{0}", "{0,1}", "{1,3}", "{2,}"],
  ["{,2}", "{1001}", "{02}", "x{1000}", "[ab]", "[^a]", "[a-c]", "[]a]", "[^]a]", "[a-]", "[-a]", "[[:alpha:]]"],
  ["[[:^alpha:]x]", "[+-[:digit:]]", "[:a:]", "[", "]", "s", "K", "(?i)", "ſ", "\u212a", "S"],
  [String.raw`[\]a]`, String.raw`[\x{61}-b]`, String.raw`[\Qa]`, String.raw`[\d-z]`, String.raw`[a\-z]`, "\\", "\n"],
  [String.raw`\x61`, String.raw`\x{61}`, String.raw`\x{0061}`, String.raw`\x{`, String.raw`\141`, String.raw`\d`],
  [String.raw`\pL`, String.raw`\p{L}`, String.raw`\PN`, String.raw`\p`, String.raw`\b`, String.raw`\A`, String.raw`\n`],
  [String.raw`\Qa.b\E`, String.raw`\Qab`, String.raw`\E`, String.raw`\Q\E`, String.raw`\_`, String.raw`\.`],
  ["\ud83d", "\ude00"],
].flat();
const TEXTS = [
  "a",
  "b",
  "abc",
  "a.b",
  "é",
  "😀",
  "\n",
  "A",
  "1",
  "x",
  "\ud83d",
  "\ude00",
  "_",
  "]",
  "{",
  "{,2}",
  "E",
  "Q",
];

const random = randomOfRun();
const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? "";
const many = (list: readonly string[], most: number): string =>
  Array.from({ length: Math.floor(random() * most) }, () => pick(list)).join("");

describe("the size of a pattern", () => {
  test(`is no smaller than its program, and what its literals rule out it does not match: ${INPUTS} random ones`, () => {
    const seen = { compiled: 0, required: 0, matched: 0, ruledOut: 0 };
    for (let round = 0; round < INPUTS; round++) {
      const pattern = pick(PIECES) + many(PIECES, 7);
      const expression = compiled(pattern);
      const size = measured(pattern);
      if (expression === undefined) continue;
      seen.compiled++;
      if (size === undefined || size < expression.programSize()) {
        expect({ pattern, size }).toEqual({ pattern, size: expression.programSize() });
      }
      const literals = literalsOf(pattern, LITERAL_BUDGET);
      if (literals === undefined || searchesOf(literals.required) === 0) continue;
      seen.required++;
      const text = textsIn(literals.required).join("");
      for (const tried of [text, `ab${text}ab`, pattern, text.slice(1), text.toUpperCase(), many(TEXTS, 8)]) {
        const isFound = expression.matcher(tried).find();
        const isPossible = mayMatch(tried, literals);
        if (isFound) seen.matched++;
        if (!isPossible) seen.ruledOut++;
        if (isFound && !isPossible) expect({ pattern, tried, literals }).toBe("possible");
      }
    }
    expect(seen.compiled).toBeGreaterThan(INPUTS / 4);
    expect(seen.required).toBeGreaterThan(INPUTS / 8);
    expect(seen.matched).toBeGreaterThan(INPUTS / 8);
    expect(seen.ruledOut).toBeGreaterThan(INPUTS / 8);
  });

  test.each<[string, number, number]>([
    ["^team-42$", 12, 12],
    ["a{1000}", 1002, 1010],
    ["(?:.*a){500}c", 1503, 3000],
    ["^(dev|prod|stage)-team-42(-[a-z0-9]+)?$", 30, 60],
    [String.raw`^\p{L}{1,64}$`, 500, 2000],
  ])("of %s is near what it costs", (pattern, least, most) => {
    const instructions = measurePattern(pattern);
    expect(instructions).toBeGreaterThanOrEqual(least);
    expect(instructions).toBeLessThanOrEqual(most);
  });
});

function textsIn(required: Required): string[] {
  return required.kind === "text" ? [required.text] : required.of.flatMap(textsIn);
}

function compiled(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(pattern);
  } catch {
    return undefined;
  }
}

function measured(pattern: string): ReturnType<typeof measurePattern> | undefined {
  try {
    return measurePattern(pattern);
  } catch {
    return undefined;
  }
}
