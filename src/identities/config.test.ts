import { describe, expect, test } from "vitest";
import { bool, decodeConfig, duration, integer, text, textMap, texts } from "./config.ts";
import { MethodConfigError } from "./errors.ts";
import type { RawConfig } from "./validator.ts";

const KINDS = { Text: text, Texts: texts, Map: textMap, Bool: bool, Int: integer, Duration: duration };

describe("a configuration", () => {
  test("has zero values for what is absent or null", () => {
    const zero = { Text: "", Texts: [], Map: new Map(), Bool: false, Int: 0, Duration: 0n };
    expect(decodeConfig({}, KINDS)).toEqual(zero);
    expect(decodeConfig({ Text: null, Texts: null, Map: null, Bool: null, Int: null, Duration: null }, KINDS)).toEqual(
      zero,
    );
  });

  test("has keys in any case, of ASCII letters only", () => {
    expect(decodeConfig({ TEXTS: ["a"], tExT: "b" }, KINDS)).toMatchObject({ Texts: ["a"], Text: "b" });
    expect(refusalOf({ "\u212aey": 1 })).toBe(one("'' has invalid keys: \u212aey"));
  });

  test.each([
    [
      "Text",
      [
        ["a", "a"],
        [1.5, "1.5"],
        [true, "true"],
      ],
    ],
    [
      "Texts",
      [
        ["a", ["a"]],
        [7, ["7"]],
        [
          ["a", 1, false, null],
          ["a", "1", "false", ""],
        ],
        [[], []],
      ],
    ],
    [
      "Bool",
      [
        ["true", true],
        ["1", true],
        ["F", false],
        ["", false],
        [1, true],
        [0, false],
      ],
    ],
    [
      "Int",
      [
        [3, 3],
        ["-3", -3],
        ["", 0],
        [2.9, 2],
        [true, 1],
      ],
    ],
    [
      "Duration",
      [
        ["1m30s", 90_000_000_000n],
        [5e9, 5_000_000_000n],
        [-1, -1n],
        ["-1s", -1_000_000_000n],
        ["0", 0n],
      ],
    ],
  ] as const)("reads %s from what a client may mean by it", (key, cases) => {
    for (const [given, expected] of cases) expect(decodeConfig({ [key]: given }, KINDS)[key]).toEqual(expected);
  });

  test("reads maps of texts, and a list of maps as one", () => {
    const map = new Map([
      ["a", "1"],
      ["b", "x"],
    ]);
    expect(decodeConfig({ Map: { a: 1, b: "x" } }, KINDS).Map).toEqual(map);
    expect(decodeConfig({ Map: [{ a: 1 }, { b: "x" }] }, KINDS).Map).toEqual(map);
  });

  test("keeps names such as __proto__ and constructor as names like others", () => {
    const raw = JSON.parse('{"Map":{"__proto__":"a","constructor":"b"}}') as RawConfig;
    expect([...decodeConfig(raw, KINDS).Map]).toEqual([
      ["__proto__", "a"],
      ["constructor", "b"],
    ]);
    const unknown = JSON.parse('{"__proto__":{"Text":"a"},"constructor":1}') as RawConfig;
    expect(refusalOf(unknown)).toBe(one("'' has invalid keys: __proto__, constructor"));
  });

  test("with keys that nothing asks for is refused, as they were sent and sorted", () => {
    expect(refusalOf({ b: 1, Text: "x", a: 2 })).toBe(one("'' has invalid keys: a, b"));
    expect(refusalOf({ bound_text: 1 })).toBe(one("'' has invalid keys: bound_text"));
  });

  test("with a key twice but for its case is refused", () => {
    expect(refusalOf({ Text: "a", text: "b" })).toBe(one("'' has invalid keys: text"));
  });

  test("with very many or very long unknown keys is refused in few words", () => {
    const raw = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`${index}${"x".repeat(500)}`, 1]));
    expect(refusalOf(raw).length).toBeLessThan(3000);
  });

  test.each([
    [{ Text: {} }, "'Text' expected type 'string', got unconvertible type 'map[string]interface {}'"],
    [{ Text: ["a"] }, "'Text' expected type 'string', got unconvertible type '[]interface {}'"],
    [{ Texts: {} }, "'Texts' expected type '[]string', got unconvertible type 'map[string]interface {}'"],
    [{ Texts: ["a", ["b"]] }, "'Texts[1]' expected type 'string', got unconvertible type '[]interface {}'"],
    [{ Map: "a" }, "'Map' expected type 'map[string]string', got unconvertible type 'string'"],
    [{ Map: [null] }, "'Map' expected type 'map[string]string', got unconvertible type 'nil'"],
    [{ Map: { a: {} } }, "'Map[a]' expected type 'string', got unconvertible type 'map[string]interface {}'"],
    [{ Bool: "yes" }, "cannot parse 'Bool' as bool"],
    [{ Bool: [] }, "'Bool' expected type 'bool', got unconvertible type '[]interface {}'"],
    [{ Int: "1.5" }, "cannot parse 'Int' as int"],
    [{ Int: "0x10" }, "cannot parse 'Int' as int"],
    [{ Int: 1e300 }, "cannot parse 'Int' as int"],
    [{ Int: {} }, "'Int' expected type 'int', got unconvertible type 'map[string]interface {}'"],
    [{ Duration: "60" }, "error decoding 'Duration': time: missing unit in duration \"60\""],
    [{ Duration: "" }, "error decoding 'Duration': time: invalid duration \"\""],
    [{ Duration: 2 ** 63 }, "cannot parse 'Duration' as time.Duration"],
    [{ Duration: true }, "'Duration' expected type 'time.Duration', got unconvertible type 'bool'"],
  ] as [RawConfig, string][])("%j is refused", (raw, problem) => {
    expect(refusalOf(raw)).toBe(one(problem));
  });

  test("with several mistakes is refused with all of them", () => {
    expect(refusalOf({ Text: {}, Bool: "x", other: 1 })).toBe(
      "error decoding config: 3 error(s) decoding:\n\n" +
        "* '' has invalid keys: other\n" +
        "* 'Text' expected type 'string', got unconvertible type 'map[string]interface {}'\n" +
        "* cannot parse 'Bool' as bool",
    );
  });
});

function one(problem: string): string {
  return `error decoding config: 1 error(s) decoding:\n\n* ${problem}`;
}

function refusalOf(raw: RawConfig): string {
  try {
    decodeConfig(raw, KINDS);
  } catch (error) {
    if (error instanceof MethodConfigError) return error.message;
    throw error;
  }
  throw new Error("not refused");
}
