/** How times that something lasts are put in words. */
import { expect, it } from "vitest";
import { durationOf } from "../../console/src/kit/duration.ts";

it.each([
  ["900000000000", "15m0s"],
  [90_061_000_000_000, "25h1m1s"],
  ["1500000000", "1.5s"],
  ["0", ""],
  [undefined, ""],
])("%s nanoseconds are %s", (nanoseconds, words) => {
  expect(durationOf(nanoseconds)).toBe(words);
});
