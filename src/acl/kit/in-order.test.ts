import { expect, test } from "vitest";
import { inOrder } from "./in-order.ts";

/** Fails after so many turns of the microtask queue. */
async function failing(reason: string, turns: number): Promise<never> {
  for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
  throw new Error(reason);
}

test.each([
  [1, 9],
  [9, 1],
])("of two checks that fail the first of the list is told, after %i and %i turns", async (one, other) => {
  await expect(inOrder([Promise.resolve(1), failing("first", one), failing("second", other)])).rejects.toThrow("first");
});

test("values come in the order of the checks", async () => {
  expect(await inOrder([Promise.resolve(1), Promise.resolve("two")])).toEqual([1, "two"]);
});
