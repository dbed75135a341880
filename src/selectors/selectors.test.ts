import { describe, expect, test } from "vitest";
import { compileSelector } from "./compile.ts";
import type { Identity } from "./identity.ts";
import { parseSelector } from "./parse.ts";
import { printSelector } from "./print.ts";
import type { RegularExpressions } from "./regular-expression.ts";
import { SelectorError } from "./selector-error.ts";

const regularExpressions: RegularExpressions = {
  compile(pattern) {
    const expression = new RegExp(pattern, "u");
    return { matches: (text) => expression.test(text) };
  },
};

describe("the limits", () => {
  const padded = (bytes: number): string => `a == "${"x".repeat(bytes - 7)}"`;

  test("a selector of 8 KiB is read, a longer one is not", () => {
    expect(parseSelector(padded(8192)).kind).toBe("test");
    expect(() => parseSelector(padded(8193))).toThrow(new SelectorError("longer than 8192 bytes"));
  });

  test("the length is in bytes", () => {
    expect(() => parseSelector(`a == "${"é".repeat(4093)}"`)).toThrow(new SelectorError("longer than 8192 bytes"));
    expect(parseSelector(`a == "${"é".repeat(4092)}"`).kind).toBe("test");
  });

  test("a hundred parentheses are read, one more is not", () => {
    expect(parseSelector(`${"(".repeat(100)}a == b${")".repeat(100)}`).kind).toBe("test");
    expect(() => parseSelector(`${"(".repeat(101)}a == b${")".repeat(101)}`)).toThrow(
      new SelectorError("1:101 (100): nested deeper than 100 levels", 100),
    );
  });

  test("a hundred nots are read, one more is not", () => {
    expect(parseSelector(`${"not ".repeat(100)}a == b`).kind).toBe("not");
    expect(() => parseSelector(`${"not ".repeat(101)}a == b`)).toThrow("1:401 (400): nested deeper than 100 levels");
  });

  test("a thousand joined tests are not deep", () => {
    const text = Array.from({ length: 800 }, () => "a == b").join(" or ");
    const selector = parseSelector(text);
    expect(selector.kind === "or" && selector.operands.length).toBe(800);
    expect(compileSelector(selector, regularExpressions)(new Map([["a", "b"]]))).toBe(true);
  });
});

describe("the spelling that is printed", () => {
  test.each([
    ['serviceaccount.name=="web"', 'serviceaccount.name == "web"'],
    ["a contains b", '"b" in a'],
    ["a not contains b", '"b" not in a'],
    ["((a == b))", 'a == "b"'],
    ["not (a == b and c == d)", 'not (a == "b" and c == "d")'],
    ["a == b or (c == d and e == f)", 'a == "b" or c == "d" and e == "f"'],
    ["(a == b or c == d) and e == f", '(a == "b" or c == "d") and e == "f"'],
    ['a["b"].c["d-e"] is not empty', 'a.b.c["d-e"] is not empty'],
    ['a == `say "hi"`', 'a == `say "hi"`'],
    [String.raw`a == "\x22\x60"`, String.raw`a == "\x22` + '`"'],
  ])("of %s", (text, printed) => {
    expect(printSelector(parseSelector(text))).toBe(printed);
  });
});

describe("places", () => {
  const text = " not (a == b or\tc in d) and e.f is empty ";
  const tree = parseSelector(text);
  const cut = ({ start, end }: { start: number; end: number }): string => text.slice(start, end);

  test("are exact for every part of a selector, parentheses included", () => {
    expect(cut(tree)).toBe("not (a == b or\tc in d) and e.f is empty");
    if (tree.kind !== "and") throw new Error("not an and");
    expect(tree.operands.map(cut)).toEqual(["not (a == b or\tc in d)", "e.f is empty"]);
    const [not] = tree.operands;
    if (not?.kind !== "not" || not.operand.kind !== "or") throw new Error("not a not");
    expect(cut(not.operand)).toBe("(a == b or\tc in d)");
    expect(not.operand.operands.map(cut)).toEqual(["a == b", "c in d"]);
  });

  test("of an error are indexes into the text", () => {
    const error = caught(() => parseSelector('a == "ü" x'));
    expect(error).toMatchObject({ at: 9, message: expect.stringMatching(/^1:10 \(10\): /) as string });
  });
});

describe("a compiled selector", () => {
  test("passes on what a regular expression throws, and can be asked again", () => {
    const failing: RegularExpressions = {
      compile: () => ({
        matches(text) {
          if (text === "long") throw new Error("too long for this pattern");
          return true;
        },
      }),
    };
    const matches = compileSelector(parseSelector("a matches x"), failing);
    const identity = (a: string): Identity => new Map([["a", a]]);
    expect(() => matches(identity("long"))).toThrow("too long for this pattern");
    expect(matches(identity("short"))).toBe(true);
  });

  test("takes a value of another type for an absent one", () => {
    const identity: Identity = new Map<string, string | string[] | Identity>([
      ["text", "x"],
      ["list", ["x"]],
      ["map", new Map([["x", "x"]])],
    ]);
    const asks = (text: string): boolean => compileSelector(parseSelector(text), regularExpressions)(identity);
    expect(asks("list == x")).toBe(false);
    expect(asks("map != x")).toBe(true);
    expect(asks("list matches x")).toBe(false);
    expect(asks("map not matches x")).toBe(true);
    expect(asks("text is empty")).toBe(true);
    expect(asks("x in text.y")).toBe(false);
    expect(asks("x in map.x.y")).toBe(false);
  });

  test("keeps the engine's error as the cause", () => {
    const error = caught(() => compileSelector(parseSelector('a matches "("'), regularExpressions));
    expect(error).toBeInstanceOf(SelectorError);
    expect((error as SelectorError).cause).toBeInstanceOf(SyntaxError);
    expect((error as SelectorError).message).toMatch(/^Failed to compile regular expression "\(": /);
  });
});

function caught(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}
