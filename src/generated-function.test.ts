import { expect, test } from "vitest";
import { generateFunction } from "./generated-function.ts";

test("a function of generated text gets its parameters by name, and nothing around it", () => {
  const around = "not to be seen";
  const make = generateFunction<(row: object, plain: () => number) => unknown>(
    ["row", "plain"],
    'return { "a": row["a"], "b": plain(), "c": typeof around };',
  );
  expect(make({ a: around }, () => 2)).toEqual({ a: around, b: 2, c: "undefined" });
});

test("text that is no function is an error where it is made", () => {
  expect(() => generateFunction([], "return {")).toThrow(SyntaxError);
});
