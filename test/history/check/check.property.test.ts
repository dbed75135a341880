import { expect, test } from "vitest";
import { seedOfRun } from "../../support/seeded.ts";
import { sized } from "../../support/length.ts";
import { checkHistory } from "./check.ts";
import { simulate } from "./simulate.ts";
import type { Bug } from "./simulated-server.ts";

const SEEDS = sized(100, 2000);
const FIRST = seedOfRun();

test("what a correct server does gives no findings", () => {
  for (let seed = FIRST; seed < FIRST + SEEDS; seed++)
    expect(checkHistory(simulate({ seed, milliseconds: 5_000 })), `seed ${seed}`).toEqual([]);
});

/** A bug, and the checks of which at least one has to tell of it. */
const bugs: readonly [bug: Bug, checks: readonly string[]][] = [
  ["loses", ["lost", "registers"]],
  ["blind cas", ["registers"]],
  ["stale reads", ["registers"]],
  ["index back", ["indexes"]],
  ["deaf", ["watchers"]],
  ["trusting", ["revoked"]],
  ["late", ["rights"]],
  ["forgetful", ["values"]],
  ["silent", ["followed"]],
  ["twins", ["names"]],
  ["halves", ["lost", "lists"]],
];

test.each(bugs)("a server with the bug '%s' is caught", (bug, checks) => {
  const rounds = 20;
  let caught = 0;
  for (let seed = FIRST; seed < FIRST + rounds; seed++) {
    const told = new Set(checkHistory(simulate({ seed, bug })).map((finding) => finding.split(":")[0]));
    if (checks.some((check) => told.has(check))) caught += 1;
  }
  // About three of four; some of these short histories do not meet the bug, and for each seed of the run others.
  expect(caught).toBeGreaterThanOrEqual(rounds / 4);
});

test("a history of 200,000 entries is checked in time that grows as its length does", () => {
  const history = simulate({ seed: 1, milliseconds: 2_000_000 });
  expect(history.entries.length).toBeGreaterThan(200_000);
  // Some seconds; a loop over all pairs of entries would not end before the test has to.
  expect(checkHistory(history)).toEqual([]);
});
