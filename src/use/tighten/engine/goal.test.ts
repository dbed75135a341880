import { expect, test } from "vitest";
import { plantRights } from "../../../../test/support/planted-rights.ts";
import { randomOfRun } from "../../../../test/support/seeded.ts";
import { measureTightening } from "../../../../test/support/tightening.ts";
import { countedRows } from "./counted.ts";

// `bench/tighten.ts` has the whole: 1,000,000 requests of 200 tokens over 50 policies.
const SIZE = { policies: 5, tokens: 20, requests: 8000 };

test("each recorded request stays allowed, and 95 % of the planted rights are refused", () => {
  const { allowed, asked, refused, planted } = measureTightening(plantRights(randomOfRun(), SIZE));
  expect(allowed).toBe(asked);
  expect(asked).toBeGreaterThan(SIZE.requests / 20);
  expect(refused / planted).toBeGreaterThanOrEqual(0.95);
});

test("a token that asks for others 10,000 times changes no draft", () => {
  const planted = plantRights(randomOfRun(1), SIZE);
  const questions = planted.rows.map((row) => ({
    ...row,
    name: "asked-for-others",
    column: "others" as const,
    total: 10_000,
  }));
  const window = { today: 20_000, days: 30 };
  const [before, after] = [planted.rows, [...planted.rows, ...questions]].map((rows) =>
    measureTightening(planted, countedRows(rows, window)),
  );
  expect(after?.drafts).toEqual(before?.drafts);
  expect(before?.drafts.size).toBe(SIZE.policies);
});

test("only rows of the last days count", () => {
  const { rows } = plantRights(randomOfRun(2), { policies: 1, tokens: 1, requests: 10 });
  const last = rows[0]?.lastDay ?? 0;
  expect(countedRows(rows, { today: last + 29, days: 30 })).toHaveLength(rows.length);
  expect(countedRows(rows, { today: last + 30, days: 30 })).toHaveLength(0);
});
