/** Harm at random to the logs of servers that were killed: what a start says nothing of, counted. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { sized } from "../support/length.ts";
import { randomOfRun } from "../support/seeded.ts";
import { cut, flipBit, harmed, type Harmed, type Killed, killServer, remove, startAndAsk } from "./lost-log.ts";

const random = randomOfRun();
const TRIALS = sized(8, 200);
/** Trials that are made with what one killed server has left. */
const EACH = sized(4, 10);

const below = (most: number) => Math.floor(random() * most);

/** Damage at the mark or before it. */
const HARMS: readonly ((log: Harmed) => void)[] = [
  ({ log, slot, frameAt }) => flipBit(log, below(frameAt(slot.frames + 1)), below(8)),
  ({ log, slot, frameAt }) => {
    // Behind what a checkpoint has copied, where there is something.
    const from = slot.copied < slot.frames ? frameAt(slot.copied + 1) : 0;
    flipBit(log, from + below(frameAt(slot.frames + 1) - from), below(8));
  },
  ({ log, slot, frameAt }) => cut(log, below(frameAt(slot.frames + 1))),
  ({ log }) => remove(log),
];

test("incident 61: of damage at the mark or before it, no start says nothing and has lost something", async () => {
  const silent: string[] = [];
  let refused = 0;
  let killed: Killed | undefined;
  for (let trial = 0; trial < TRIALS; trial++) {
    if (killed === undefined || trial % EACH === 0)
      killed = await killServer(trial % (2 * EACH) === 0 ? "at" : "later", 1 + below(20));
    const start = await startAndAsk(harmed(killed, HARMS[trial % HARMS.length] as (log: Harmed) => void), killed);
    if (start.refused !== undefined) refused += 1;
    else {
      // Written behind the mark, within its 50 ms: that much may be lost with a log that is gone, and is told of apart.
      const { slot, made } = killed;
      const early = start.lost.filter((name) => !made.some((each) => each.name === name && each.at >= slot.at));
      if (early.length > 0) silent.push(`trial ${trial}: ${early.join(", ")}`);
    }
  }
  expect(silent).toEqual([]);
  // Most of it is damage that loses something.
  expect(refused).toBeGreaterThan(TRIALS / 4);
});

test("behind the mark only what was acknowledged after it is lost, and that is counted", async () => {
  const counts: number[] = [];
  for (let trial = 0; trial < sized(2, 20); trial++) {
    const killed = await killServer("later");
    const dataDir = harmed(killed, ({ log, slot, frameAt }) => {
      if (frameAt(slot.frames + 1) < readFileSync(log).length) cut(log, frameAt(slot.frames + 1));
    });
    const start = await startAndAsk(dataDir, killed);
    if (start.refused !== undefined) throw new Error(start.refused);
    const lost = new Set(start.lost);
    expect(killed.made.filter(({ name, at }) => lost.has(name) && at < killed.slot.at)).toEqual([]);
    counts.push(lost.size);
  }
  // No more than a client is answered within 50 ms, and never all.
  expect(Math.max(...counts)).toBeLessThan(200);
});
