import { describe, expect, test } from "vitest";
import { createRegularExpressions, RegularExpressionLimitError } from "./regular-expressions.ts";
import { shareExpressions } from "./shared-expressions.ts";

const { strict, lazy } = createRegularExpressions();

const compiles = (pattern: string): boolean => {
  strict.compile(pattern);
  return true;
};
const refusal = (pattern: string): string | undefined => {
  try {
    strict.compile(pattern);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};
const isFound = (pattern: string, text: string): boolean => strict.compile(pattern).matches(text);

describe("a pattern", () => {
  test.each<[string, string, boolean]>([
    ["b", "abc", true],
    ["^b", "abc", false],
    ["^a.c$", "abc", true],
    ["^a.c$", "a\nc", false],
    ["(?s)^a.c$", "a\nc", true],
    ["(?m)^b$", "a\nb\nc", true],
    ["^b$", "a\nb\nc", false],
    ["(?i)^TEAM-É$", "team-é", true],
    [String.raw`^\p{L}+$`, "größe", true],
    [String.raw`^\Qa.b\E$`, "a.b", true],
    [String.raw`^\Qa.b\E$`, "axb", false],
    ["^.$", "😀", true],
    ["(?P<team>web|api)-[0-9]{2,3}", "my-api-12", true],
    ["colou?r", "color", true],
    ["web-(?:prod|dev)?$", "web-", true],
    ["(web|api)$", "apis", false],
    ["", "", true],
    ["a{0}", "", true],
  ])("%j in %j: %s", (pattern, text, found) => {
    expect(isFound(pattern, text)).toBe(found);
  });

  test.each([
    ["(", "error parsing regexp: missing closing ): `(`"],
    [")", "error parsing regexp: unexpected ): `)`"],
    ["a[", "error parsing regexp: missing closing ]: `[`"],
    ["*a", "error parsing regexp: missing argument to repetition operator: `*`"],
    ["a**", "error parsing regexp: invalid nested repetition operator: `**`"],
    ["[b-a]", "error parsing regexp: invalid character class range: `b-a`"],
    ["a\\", "error parsing regexp: trailing backslash at end of expression"],
    ["(?=a)b", "error parsing regexp: invalid or unsupported Perl syntax: `(?=`"],
    ["(?!a)b", "error parsing regexp: invalid or unsupported Perl syntax: `(?!`"],
    [String.raw`(a)\1`, "error parsing regexp: invalid escape sequence: `\\1`"],
  ])("%j is refused in the words of RE2", (pattern, message) => {
    expect(refusal(pattern)).toBe(message);
  });

  test("looks behind nothing", () => {
    expect(() => strict.compile("(?<=a)b")).toThrow("error parsing regexp: invalid named capture");
    expect(() => strict.compile("(?<!a)b")).toThrow("error parsing regexp: invalid named capture");
  });
});

describe("repeats", () => {
  test("may be a thousand, also when they are multiplied", () => {
    expect(compiles("a{1000}")).toBe(true);
    expect(compiles("(?:(?:a{10}){10}){10}")).toBe(true);
    expect(compiles("a{0,1000}b{999,}")).toBe(true);
  });

  test.each([
    ["a{1001}", "{1001}"],
    ["a{2,1001}", "{2,1001}"],
    ["a{1001,}", "{1001,}"],
    ["a{99999999999999999999}", "{99999999999999999999}"],
    ["(a{100}){100}", "{100}"],
    ["(?:(?:(?:a{9}b){8}c?)*){14}", "{14}"],
    ["(?:a{500}|b){3}", "{3}"],
  ])("%s are too many", (pattern, repeat) => {
    expect(() => strict.compile(pattern)).toThrow(`error parsing regexp: invalid repeat count: \`${repeat}\``);
  });

  test("of much are too large, and are refused before they are made", () => {
    for (const pattern of ["a{1000}".repeat(900), String.raw`\p{L}{1000}`, "(?:[a-z]+-|[0-9]{2}é?){500}"]) {
      expect(refusal(pattern)).toBe("error parsing regexp: expression too large");
    }
  });

  test("of sets that ignore case are too large when making them would take long", () => {
    const set = String.raw`[\x{80}-\x{10fff}]`;
    expect(compiles(`(?i)${set}`)).toBe(true);
    expect(compiles(set.repeat(100))).toBe(true);
    expect(() => strict.compile(`(?i)${set.repeat(100)}`)).toThrow("expression too large");
  });
});

describe("a value", () => {
  const tooLong = (pattern: string, text: string): unknown => {
    try {
      return strict.compile(pattern).matches(text);
    } catch (error) {
      return error;
    }
  };

  test("that is too long for its pattern is an error, not an answer", () => {
    expect(tooLong("(?:.*a){500}c", `${"a".repeat(65_535)}c`)).toBeInstanceOf(RegularExpressionLimitError);
    expect(tooLong("(?:.*a){500}c", `${"a".repeat(100)}c`)).toBe(false);
    expect(tooLong("[a-z]+[0-9]", "a".repeat(100_000))).toEqual(
      new RegularExpressionLimitError(
        "the value is too long for the regular expression: 7 instructions for 100000 characters",
      ),
    );
  });

  test("without the literal text that a pattern requires does not match, however long it is", () => {
    const shared = shareExpressions(lazy);
    expect(shared.compile("(?:.*a){500}c").matches("a".repeat(65_536))).toBe(false);
    expect(shared.compile("(?i)^team-.*$").matches("x".repeat(1_000_000))).toBe(false);
  });
});

describe("a pattern that is checked elsewhere", () => {
  test("is compiled when it is first asked about a text that may match", () => {
    const engine = createRegularExpressions();
    const expression = shareExpressions(engine.lazy).compile("^team-[0-9]+$");
    expect(engine.cache.expressions).toBe(0);
    expect(expression.matches("tribe-1")).toBe(false);
    expect(engine.cache.expressions).toBe(0);
    expect(expression.matches("team-1")).toBe(true);
    expect(engine.cache.expressions).toBe(1);
  });

  test("throws when it is asked what it would have thrown when it was compiled, each time", () => {
    const wrong = lazy.compile("(");
    const large = lazy.compile("a{1000}".repeat(900));
    for (let round = 0; round < 2; round++) {
      expect(() => wrong.matches("a")).toThrow("error parsing regexp: missing closing ): `(`");
      expect(() => large.matches("a")).toThrow("error parsing regexp: expression too large");
    }
  });
});

describe("the cache", () => {
  test("keeps what was used last, within its bytes, and compiles the rest again", () => {
    const engine = createRegularExpressions({ cacheBytes: 100_000 });
    const expressions = Array.from({ length: 100 }, (_, i) => engine.strict.compile(`^(?:team|tribe)${i}$`));
    expect(engine.cache.bytes).toBeLessThanOrEqual(100_000);
    const kept = engine.cache.expressions;
    expect(kept).toBeGreaterThan(2);
    expect(kept).toBeLessThan(100);
    for (const [i, expression] of expressions.entries()) expect(expression.matches(`team${i}`)).toBe(true);
    expect(engine.cache.expressions).toBe(kept);
  });

  test("keeps one expression that is larger than all it may hold", () => {
    const engine = createRegularExpressions({ cacheBytes: 1 });
    expect(engine.strict.compile("a{10}").matches("a".repeat(10))).toBe(true);
    expect(engine.strict.compile("b{10}").matches("b".repeat(10))).toBe(true);
    expect(engine.cache.expressions).toBe(1);
  });

  test("has one entry for a pattern of many rules", () => {
    const engine = createRegularExpressions();
    for (let i = 0; i < 10; i++) engine.strict.compile("^a[bc]$").matches("ab");
    expect(engine.cache.expressions).toBe(1);
  });

  test("takes names of properties as patterns like others", () => {
    for (const pattern of ["__proto__", "constructor"]) expect(isFound(pattern, `my ${pattern}`)).toBe(true);
  });
});
