import { expect, test } from "vitest";
import { sized } from "../../support/length.ts";
import { createRandom } from "../random.ts";
import { isLinearizable } from "./brute-force.ts";
import { changedTiny, correctTiny, type Tiny } from "./random-register.ts";
import { checkRegister } from "./registers.ts";
import type { RegisterEntry } from "./register-states.ts";

const HISTORIES = sized(10_000, 200_000);

function findingsOf({ entries, ending }: Tiny): string[] {
  return checkRegister(entries as readonly RegisterEntry[], ending === undefined ? [] : [{ node: 0, ...ending }]);
}

test("the check of registers accepts what trying all orders accepts, and nothing else", () => {
  const random = createRandom(1);
  const count = { accepted: 0, disorder: 0, refusal: 0, unseen: 0 };
  for (let number = 0; number < HISTORIES; number++) {
    let tiny = correctTiny(random);
    for (let changes = random.below(3); changes > 0; changes--) tiny = changedTiny(random, tiny);
    const findings = findingsOf(tiny);
    const expected = isLinearizable(tiny.entries, tiny.ending);
    expect(findings.length === 0, `${number}: ${findings.join()} ${JSON.stringify(tiny, null, 1)}`).toBe(expected);
    if (expected) count.accepted += 1;
    else if (findings.some((text) => text.includes("all the time"))) count.refusal += 1;
    else count.disorder += 1;
    // Right only because some write that nobody saw may have happened.
    const seen = { ...tiny, entries: tiny.entries.filter(({ outcome }) => outcome !== "unknown") };
    if (expected && findingsOf(seen).some((text) => text.includes("all the time"))) count.unseen += 1;
  }
  // All ways through the check were taken, often.
  expect(count.accepted).toBeGreaterThan(HISTORIES / 5);
  expect(count.disorder).toBeGreaterThan(HISTORIES / 10);
  expect(count.refusal).toBeGreaterThan(HISTORIES / 50);
  expect(count.unseen).toBeGreaterThan(HISTORIES / 100);
});

test("what a correct register answers is linearizable", () => {
  const random = createRandom(2);
  for (let number = 0; number < HISTORIES / 10; number++) {
    const tiny = correctTiny(random);
    expect(findingsOf(tiny), JSON.stringify(tiny, null, 1)).toEqual([]);
  }
});
