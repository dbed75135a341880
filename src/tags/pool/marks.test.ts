import { expect, test } from "vitest";
import { asTag, BINDING, BOTH, joined, LENT, TAG, valued, without } from "./marks.ts";

const BORROWED = BOTH | LENT;

test("what was lent goes with the key, and what somebody asked for stays", () => {
  expect([without(BORROWED, BINDING), without(BOTH, BINDING), without(BINDING, BINDING)]).toEqual([0, TAG, 0]);
  expect([without(BORROWED, TAG), without(BOTH, TAG), without(TAG, TAG)]).toEqual([BINDING, BINDING, 0]);
  expect([asTag(BORROWED), asTag(BINDING), asTag(0)]).toEqual([BOTH, BOTH, TAG]);
});

test("a value takes back what was lent", () => {
  expect([valued(BORROWED, "x"), valued(BORROWED, ""), valued(BOTH, "x")]).toEqual([BINDING, BORROWED, BOTH]);
});

test("of two that become one, what somebody asked for counts", () => {
  expect([joined(BORROWED, TAG), joined(BORROWED, BINDING), joined(TAG, BINDING)]).toEqual([BOTH, BORROWED, BOTH]);
});
