import { expect, test } from "vitest";
import { FAULT_KINDS, planFaults } from "./faults.ts";
import { createRandom } from "./random.ts";

test("a plan of a minute has every kind of fault, whatever the seed", () => {
  for (let seed = 1; seed <= 500; seed++) {
    const kinds = planFaults(createRandom(seed), 3, 60_000).map(({ kind }) => kind);
    expect(new Set(kinds), `seed ${seed}`).toEqual(new Set(FAULT_KINDS));
  }
});
