import { expect, test } from "vitest";
import { compare, losses, renderComparison, type BenchResult } from "../../bench/compare.ts";

function resultOf(rows: Record<string, [own: number, bare: number | undefined]>): BenchResult {
  const stream = (perSecond: number) => ({ perSecond });
  const report = {
    engine: "sqlite",
    facts: [],
    rows: Object.entries(rows).map(([scenario, [own, bare]]) => ({
      scenario,
      streams: [stream(own)],
      bare: bare === undefined ? undefined : stream(bare),
    })),
  };
  return { machine: "a machine", reports: [report] } as unknown as BenchResult;
}

test("rows are compared by their share of the bare server, whatever the machine, and those of one result alone are not", () => {
  const before = resultOf({ same: [50, 100], slower: [50, 100], gone: [1, 2], alone: [1, undefined] });
  const now = resultOf({ same: [5000, 10_000], slower: [4400, 10_000], new: [1, 2], alone: [1, undefined] });
  const rows = compare(before, now);
  expect(rows.map(({ name }) => name)).toEqual(["sqlite: same", "sqlite: slower"]);
  expect(losses(rows, 0.1)).toEqual([{ name: "sqlite: slower", before: 0.5, now: 0.44 }]);
  expect(losses(rows, 0.5)).toEqual([]);
  expect(renderComparison(rows, 0.1)).toBe(
    "ok    sqlite: same: 0.500 -> 0.500 of bare (0 %)\nLOST  sqlite: slower: 0.500 -> 0.440 of bare (-12 %)",
  );
});

test("results without a common row are refused: nothing would have been compared", () => {
  expect(() => compare(resultOf({ a: [1, 2] }), resultOf({ b: [1, 2] }))).toThrow("no row in common");
});
