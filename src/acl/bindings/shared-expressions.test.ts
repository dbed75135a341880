import { expect, test } from "vitest";
import type { RegularExpressions } from "../../selectors/regular-expression.ts";
import { shareExpressions } from "./shared-expressions.ts";

/** An engine that notes what it is asked, and gives up on texts that end in `!`. */
function notingEngine(): { engine: RegularExpressions; compiled: string[]; asked: string[] } {
  const compiled: string[] = [];
  const asked: string[] = [];
  const engine: RegularExpressions = {
    compile(pattern) {
      if (pattern === "(") throw new Error("missing closing )");
      compiled.push(pattern);
      return {
        matches(text) {
          asked.push(text);
          if (text.endsWith("!")) throw new Error("too long");
          return new RegExp(pattern, "u").test(text);
        },
      };
    },
  };
  return { engine, compiled, asked };
}

test("a pattern of several rules is compiled once, and asked once about a text", () => {
  const { engine, compiled, asked } = notingEngine();
  const shared = shareExpressions(engine);
  const [one, two] = [shared.compile("a[0-9]"), shared.compile("a[0-9]")];
  expect(compiled).toEqual(["a[0-9]"]);
  expect([one.matches("a1"), two.matches("a1"), one.matches("ax"), two.matches("ax"), two.matches("a1")]).toEqual([
    true,
    true,
    false,
    false,
    true,
  ]);
  expect(asked).toEqual(["a1", "ax", "a1"]);
});

test("texts that come in turn are told from each other, however many there are", () => {
  const { engine } = notingEngine();
  const shared = shareExpressions(engine);
  const patterns = ["[a-m]x", "[n-z]x"].map((pattern) => shared.compile(pattern));
  for (let round = 0; round < 3; round++) {
    for (const letter of "abcdefghijklmnopqrstuvwxyz") {
      expect(patterns.map((pattern) => pattern.matches(`${letter}x`))).toEqual([letter < "n", letter >= "n"]);
    }
  }
});

test("what the engine gives up on it is asked once, and each rule hears why", () => {
  const { engine, asked } = notingEngine();
  const expression = shareExpressions(engine).compile("a[0-9]*");
  for (let i = 0; i < 3; i++) expect(() => expression.matches("a!")).toThrow("too long");
  expect(expression.matches("a")).toBe(true);
  expect(asked).toEqual(["a!", "a"]);
});

test("what literal text decides the engine is not asked", () => {
  const { engine, asked } = notingEngine();
  const shared = shareExpressions(engine);
  expect(shared.compile("^refs/heads/.*-77$").matches("refs/heads/main!")).toBe(false);
  const exact = shared.compile("^(a|b)$");
  expect(["a", "b", "ab", "a!"].map((text) => exact.matches(text))).toEqual([true, true, false, false]);
  expect(asked).toEqual([]);
});

test("what the engine refuses is refused each time", () => {
  const shared = shareExpressions(notingEngine().engine);
  for (let i = 0; i < 2; i++) expect(() => shared.compile("(")).toThrow("missing closing )");
});
