import { RE2JS } from "re2js";
import { describe, expect, test } from "vitest";
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

const random = seeded(20_261_121);
const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? "";
const many = (list: readonly string[], most: number): string =>
  Array.from({ length: Math.floor(random() * most) }, () => pick(list)).join("");

describe("the size of a pattern", () => {
  test(`is no smaller than its program, and all that it requires is in what it matches: ${INPUTS} random ones`, () => {
    const seen = { compiled: 0, required: 0, matched: 0 };
    for (let round = 0; round < INPUTS; round++) {
      const pattern = pick(PIECES) + many(PIECES, 7);
      const expression = compiled(pattern);
      const size = measured(pattern);
      if (expression === undefined) continue;
      seen.compiled++;
      if (size === undefined || size.instructions < expression.programSize()) {
        expect({ pattern, size }).toEqual({ pattern, size: { instructions: expression.programSize() } });
      }
      if (size === undefined || size.required.length === 0) continue;
      seen.required++;
      const text = size.required.join("");
      for (const tried of [text, `ab${text}ab`, pattern, text.slice(1), text.toUpperCase(), many(TEXTS, 8)]) {
        if (!expression.matcher(tried).find()) continue;
        seen.matched++;
        const searched = size.ignoresCase ? tried.toLowerCase() : tried;
        expect(size.required.filter((part) => !searched.includes(part))).toEqual([]);
      }
    }
    expect(seen.compiled).toBeGreaterThan(INPUTS / 4);
    expect(seen.required).toBeGreaterThan(INPUTS / 8);
    expect(seen.matched).toBeGreaterThan(INPUTS / 8);
  });

  test.each<[string, number, number]>([
    ["^team-42$", 12, 12],
    ["a{1000}", 1002, 1010],
    ["(?:.*a){500}c", 1503, 3000],
    ["^(dev|prod|stage)-team-42(-[a-z0-9]+)?$", 30, 60],
    [String.raw`^\p{L}{1,64}$`, 500, 2000],
  ])("of %s is near what it costs", (pattern, least, most) => {
    const { instructions } = measurePattern(pattern);
    expect(instructions).toBeGreaterThanOrEqual(least);
    expect(instructions).toBeLessThanOrEqual(most);
  });

  test.each<[string, string[]]>([
    ["^team-42$", ["team-42"]],
    ["^team-[0-9]+-web$", ["team-", "-web"]],
    [String.raw`refs/heads/v1\.2`, ["refs/heads/v1.2"]],
    [String.raw`\Qa+b\E+c`, ["a+", "c"]],
    ["colou?r", ["colo", "r"]],
    ["ab|ac", []],
    ["(ab)c", ["c"]],
    ["(?i)Team-É-Sales", ["team-", "-", "ale"]],
    ["a(?i)b", ["ab"]],
    [".*", []],
    ["a.bb.c.ddd.ee.f.gg", ["ddd", "bb", "ee", "gg"]],
  ])("of %s comes with the texts that it requires", (pattern, required) => {
    expect(measurePattern(pattern).required).toEqual(required);
  });

  test("requires no letter of which another one is the same where case is ignored", () => {
    for (const [pattern, text] of [
      ["(?i)^mask$", "ma\u017f\u212a"],
      ["(?i)^straße$", "\u017ftra\u1e9ee"],
      ["(?i)^ÅS$", "\u212b\u017f"],
    ] as const) {
      expect(RE2JS.compile(pattern).matcher(text).find()).toBe(true);
      const { required } = measurePattern(pattern);
      expect(required.filter((part) => !text.toLowerCase().includes(part))).toEqual([]);
    }
  });
});

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

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
