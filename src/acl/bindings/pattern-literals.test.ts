import { RE2JS } from "re2js";
import { describe, expect, test } from "vitest";
import { randomOfRun } from "../../../test/support/seeded.ts";
import { LITERAL_BUDGET, literalsOf as read, mayMatch as mayMatchBy } from "./pattern-literals.ts";

const PATTERNS = 30_000;
const literalsOf = (pattern: string) => read(pattern, LITERAL_BUDGET);

describe("the texts of a pattern", () => {
  test.each<[string, readonly string[]]>([
    ["^web$", ["web"]],
    [String.raw`^acme/shop\.js$`, ["acme/shop.js"]],
    ["^refs/heads/(main|release-7)$", ["refs/heads/main", "refs/heads/release-7"]],
    ["^(?:a|b)-(?P<env>dev|prod)$", ["a-dev", "a-prod", "b-dev", "b-prod"]],
    ["^apps?$", ["apps", "app"]],
    ["^a$|^b$", ["a", "b"]],
    ["^$", [""]],
    ["^(|a)]}$", ["]}", "a]}"]],
    ["^a{1}b{0,1}$", ["ab", "a"]],
    [String.raw`(?s)^\Qa.b\E$`, ["a.b"]],
    ["^é{x$", ["é{x"]],
  ])("%s are listed", (pattern, texts) => {
    expect(literalsOf(pattern)?.exact).toEqual(texts);
  });

  test.each([
    "web",
    "^web",
    "web$",
    "^a$|b",
    "(^a$)",
    "^a*$",
    "^a{2}$",
    "^[a]$",
    "^a.$",
    String.raw`^a\b$`,
    "^\ud83d$",
    "(?i)^a$",
    "(?m)^a$",
    "^(?m:a)$",
    "^^*a$",
    `^${"(a|b)".repeat(7)}$`,
    `^(${Array.from({ length: 65 }, (_, i) => `t${i}`).join("|")})$`,
  ])("%s are not", (pattern) => {
    expect(literalsOf(pattern)).toMatchObject({ exact: undefined });
  });

  test("do not grow with what they are multiplied by", () => {
    const long = `^(${"a".repeat(2000)}|${"b".repeat(2000)})(${"c".repeat(1500)}|d)$`;
    expect(literalsOf(long)?.exact).toBeUndefined();
    const nested = (depth: number): string => `^${"(".repeat(depth)}a|b${")".repeat(depth)}$`;
    expect(literalsOf(nested(50))?.exact).toEqual(["a", "b"]);
    for (const depth of [51, 4000]) expect(literalsOf(nested(depth))).toBeUndefined();
    expect(literalsOf("(".repeat(8000))).toBeUndefined();
    expect(JSON.stringify(literalsOf("(a|b)".repeat(1600))).length).toBeLessThan(300_000);
  });
});

describe("what a pattern requires", () => {
  const mayMatch = (pattern: string, text: string): boolean => {
    const literals = literalsOf(pattern);
    return literals === undefined || mayMatchBy(text, literals);
  };

  test.each([
    ["^refs/heads/.*-77$", "refs/heads/release-77", "refs/heads/release-7"],
    ["^refs/heads/.*-77$", "refs/heads/-77", "/refs/heads/-77"],
    ["^acme/[a-z]+/(main|prod)$", "acme/x/main", "acme/x/dev"],
    ["ab*c+d", "acccd", "abbb"],
    ["(x|y)z", "--yz--", "--y-z--"],
    ["^a|b$", "bab", "ba"],
    ["a{2,}", "aa", "b"],
    ["a(b|c.)", "ab", "xb"],
  ])("%s: %s may match, %s does not", (pattern, match, miss) => {
    expect(mayMatch(pattern, match)).toBe(true);
    expect(mayMatch(pattern, miss)).toBe(false);
  });

  test.each([
    ["^team-[0-9]+-web$", "team-1-web", "team-1-wet"],
    [String.raw`\Qa+b\E+c`, "a+bbc", "a+bb"],
    ["colou?r", "color", "colr"],
    ["a(?i)b", "aB", "ac"],
    ["(?i)Team-É-Sales", "tEAM-é-sale\u017f", "tEAM-é-seles"],
    ["(?m)^web$", "a\nweb\nb", "a\nwet\nb"],
    [String.raw`a\pLb{2,3}`, "aébb", "aé"],
  ])("%s, by whatever is not followed: %s may match, %s does not", (pattern, match, miss) => {
    expect(RE2JS.compile(pattern).matcher(match).find()).toBe(true);
    expect([mayMatch(pattern, match), mayMatch(pattern, miss)]).toEqual([true, false]);
  });

  test("is no letter of which another one is the same where case is ignored", () => {
    for (const [pattern, text] of [
      ["(?i)^mask$", "ma\u017f\u212a"],
      ["(?i)^straße$", "\u017ftra\u1e9ee"],
      ["(?i)^ÅS$", "\u212b\u017f"],
    ] as const) {
      expect(RE2JS.compile(pattern).matcher(text).find()).toBe(true);
      expect(mayMatch(pattern, text)).toBe(true);
    }
  });

  test.each([
    "(a",
    "a)",
    "*",
    "(*a)",
    "a**",
    "a??*",
    "a{2}{3}",
    "[a",
    "[",
    "a\\",
    "(?",
    "(?z)a",
    "(?=a)",
    "(?<a b>c)",
    String.raw`\y`,
  ])("of %s is left to the engine, which does not take it", (pattern) => {
    expect(compiled(pattern)).toBeUndefined();
    expect(literalsOf(pattern)).toBeUndefined();
  });

  test("takes no more than it may", () => {
    const texts = (most: number) => read("^(a|b)(c|d)$", { texts: most, characters: 4096, joined: 512 })?.exact;
    expect([texts(4), texts(3)]).toEqual([["ac", "ad", "bc", "bd"], undefined]);
  });

  test.each(["", "a|", ".*", "(a|.)", "(a|b)?", "a{0}", "[ab]c*", "^*"])("%j requires nothing", (pattern) => {
    for (const text of ["", "z"]) expect(mayMatch(pattern, text)).toBe(true);
  });
});

const random = randomOfRun();
const below = (limit: number): number => Math.floor(random() * limit);
const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;

const PARTS = [
  ["a", "b", "ab", "a-", "x?", "(a|b)", "(a|)", "}", "]", "é", "\n", String.raw`\.`, String.raw`\-`],
  [
    "^",
    "$",
    "^*",
    "$*",
    "|",
    "(",
    ")",
    "(?:",
    "(?P<n>",
    "(?:^a)",
    "(?i)",
    String.raw`\A`,
    String.raw`\z`,
    String.raw`\b`,
  ],
  ["*", "+", "?", "??", "{2}", "{0,1}", "{1,}", "{0}"],
  [".", "[ab]", "[^a]", "[]a]", "[[:alpha:]]", String.raw`\d`, String.raw`[\]a]`],
].flat();
const CHARACTERS = ["a", "b", "A", "-", ".", "é", "\n", "]", "}", "1", "ab", "x"];

test(`${PATTERNS} random patterns: the engine finds nothing where the literals rule it out, and the listed texts alone`, () => {
  const counts = { known: 0, exact: 0, found: 0, ruledOut: 0 };
  for (let round = 0; round < PATTERNS; round++) {
    const parts = Array.from({ length: 1 + below(7) }, () => pick(PARTS)).join("");
    const pattern = random() < 0.3 ? `^${parts}$` : parts;
    const engine = compiled(pattern);
    const literals = literalsOf(pattern);
    if (engine === undefined || literals === undefined) continue;
    const { exact, required } = literals;
    counts.known++;
    if (exact !== undefined) counts.exact++;
    const random6 = Array.from({ length: 6 }, () => Array.from({ length: below(5) }, () => pick(CHARACTERS)).join(""));
    for (const text of [...random6, ...(exact ?? []).flatMap((each) => [each, `${each}\n`])]) {
      const isFound = engine.matcher(text).find();
      const isPossible = mayMatchBy(text, literals);
      if (isFound) counts.found++;
      if (!isPossible) counts.ruledOut++;
      if (isFound && !isPossible) expect({ pattern, text, required }).toBe("possible");
      if (exact !== undefined && exact.includes(text) !== isFound) expect({ pattern, text, isFound }).toBe("exact");
    }
  }
  expect(counts.known).toBeGreaterThan(PATTERNS / 4);
  expect(counts.exact).toBeGreaterThan(PATTERNS / 100);
  expect(counts.found).toBeGreaterThan(PATTERNS / 4);
  expect(counts.ruledOut).toBeGreaterThan(PATTERNS / 4);
});

function compiled(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(pattern);
  } catch {
    return undefined;
  }
}
