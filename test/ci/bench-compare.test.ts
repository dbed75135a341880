import { expect, test } from "vitest";
import { compare, losses, renderComparison, type Shares } from "../../bench/compare.ts";

/** Result whose rows reach these shares of the bare server. */
function resultOf(rows: Record<string, number | undefined>): Shares {
  const named = Object.entries(rows).map(([scenario, ofBare]) => ({ scenario, ...(ofBare && { ofBare }) }));
  return { machine: "a machine", reports: [{ engine: "sqlite", rows: named }] };
}

test("rows are compared by their share of the bare server, whatever the machine, and those of one result alone are not", () => {
  const before = resultOf({ same: 0.5, slower: 0.5, gone: 0.5, alone: undefined });
  const now = resultOf({ same: 0.5, slower: 0.44, new: 0.5, alone: undefined });
  const rows = compare(before, now);
  expect(rows.map(({ name }) => name)).toEqual(["sqlite: same, of bare", "sqlite: slower, of bare"]);
  expect(losses(rows, 0.1)).toEqual([{ name: "sqlite: slower, of bare", before: 0.5, now: 0.44 }]);
  expect(losses(rows, 0.5)).toEqual([]);
  expect(renderComparison(rows, 0.1)).toBe(
    "ok    sqlite: same, of bare: 0.500 -> 0.500 (0 %)\nLOST  sqlite: slower, of bare: 0.500 -> 0.440 (-12 %)",
  );
});

test("a write is compared by its share of the bare server that syncs: a slow disk is slow for both", () => {
  const row = (ofBare: number, ofDurable: number): Shares => ({
    machine: "a machine",
    reports: [{ engine: "sqlite", rows: [{ scenario: "create", ofBare, ofDurable }] }],
  });
  const rows = compare(row(0.08, 0.2), row(0.02, 0.4));
  expect(rows).toEqual([{ name: "sqlite: create, of durable", before: 0.2, now: 0.4 }]);
  expect(losses(rows, 0.1)).toEqual([]);
});

test("results without a common row are refused: nothing would have been compared", () => {
  expect(() => compare(resultOf({ a: 0.5 }), resultOf({ b: 0.5 }))).toThrow("no row in common");
});
