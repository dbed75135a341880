import { expect, test } from "vitest";
import { gapSince } from "./indexes.ts";

const TAKEN = Date.UTC(2026, 0, 2);
const [SECOND, DAY, YEAR] = [1000, 86_400_000, 365 * 86_400_000];
const gapAfter = (milliseconds: number) => gapSince(new Date(TAKEN).toISOString(), new Date(TAKEN + milliseconds));

test("a restore raises indexes above all that may have been written since the backup, and more where the clocks disagree", () => {
  for (const age of [-DAY, 0, SECOND, DAY, 5 * DAY]) {
    expect(gapAfter(age)).toBeGreaterThanOrEqual(2 ** 24 + Math.max(0, age / SECOND) * 10_000);
  }
});

test("of two restores of one backup the later one raises them above what can be written behind the earlier one", () => {
  for (const [age, writesPerSecond] of [
    [0, 10_000],
    [SECOND, 10_000],
    [1000 * SECOND, 10_000],
    [4 * DAY, 10_000],
    [6 * DAY, 250],
    [YEAR, 250],
    [3 * YEAR, 250],
  ] as const) {
    for (const later of [SECOND, 600 * SECOND, DAY / 2]) {
      const written = (later / SECOND) * writesPerSecond;
      expect(gapAfter(age + later) - gapAfter(age), `${age} and ${later}`).toBeGreaterThanOrEqual(written);
    }
  }
});

test("positions of changes, which are as many times as large as a transaction may make, stay whole numbers", () => {
  expect(gapAfter(1000 * YEAR) * 65_536).toBeLessThan(Number.MAX_SAFE_INTEGER / 3);
});
