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
  expect(rows.map(({ name }) => name)).toEqual(["sqlite: same", "sqlite: slower"]);
  expect(losses(rows, 0.1)).toEqual([{ name: "sqlite: slower", before: 0.5, now: 0.44 }]);
  expect(losses(rows, 0.5)).toEqual([]);
  expect(renderComparison(rows, 0.1)).toBe(
    "ok    sqlite: same: 0.500 -> 0.500 of bare (0 %)\nLOST  sqlite: slower: 0.500 -> 0.440 of bare (-12 %)",
  );
});

test("results without a common row are refused: nothing would have been compared", () => {
  expect(() => compare(resultOf({ a: 0.5 }), resultOf({ b: 0.5 }))).toThrow("no row in common");
});
