/** Harm at random to the logs of servers that were killed: what a start says nothing of, counted. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { MARK_MS } from "../../src/storage/sqlite/mark/slots.ts";
import { temporaryDirectory } from "../support/engines.ts";
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

/** Syncs of the log that may end when a mark is due, before it is written: that which is under way, and the mark's own. */
const MOST_OVERDUE = 2;

/**
 * Syncs of the log that ended more than 50 ms after a mark and had no other one behind them: what they made durable is what
 * can be lost beyond those 50 ms. The thread that made them has noted them in their order, however late it was given its turns.
 *
 * @returns the most behind one mark, and how many ended behind the last one
 */
function overdueSyncs(notes: string): { most: number; last: number } {
  let [markedAt, most, overdue, last] = [Infinity, 0, 0, 0];
  for (const line of notes.trim().split("\n")) {
    const [what, at] = line.split(" ");
    if (what === ".mark") [markedAt, overdue, last] = [Number(at), 0, 0];
    else {
      last += 1;
      if (Number(at) > markedAt + MARK_MS) overdue += 1;
    }
    most = Math.max(most, overdue);
  }
  return { most, last };
}

test("behind the mark only what was acknowledged after it is lost, in 50 ms and a sync, and that is counted", async () => {
  const counts: { lost: number; syncs: number }[] = [];
  const module = pathToFileURL(join(import.meta.dirname, "noted-wal-sync.ts")).href;
  for (let trial = 0; trial < sized(2, 20); trial++) {
    const notes = join(temporaryDirectory(), "notes");
    const killed = await killServer("later", 12, { NODE_OPTIONS: `--import=${module}`, LOG_SYNC_NOTES: notes });
    const { most, last } = overdueSyncs(readFileSync(notes, "utf8"));
    expect(most).toBeLessThanOrEqual(MOST_OVERDUE);
    const dataDir = harmed(killed, ({ log, slot, frameAt }) => {
      if (frameAt(slot.frames + 1) < readFileSync(log).length) cut(log, frameAt(slot.frames + 1));
    });
    const start = await startAndAsk(dataDir, killed);
    if (start.refused !== undefined) throw new Error(start.refused);
    const lost = new Set(start.lost);
    expect(killed.made.filter(({ name, at }) => lost.has(name) && at < killed.slot.at)).toEqual([]);
    counts.push({ lost: lost.size, syncs: last });
  }
  console.log(
    `writes lost behind the mark, of syncs: ${counts.map(({ lost, syncs }) => `${lost} of ${syncs}`).join(", ")}`,
  );
  // Two clients write one after the other, so that a sync acknowledges two at most.
  expect(counts.filter(({ lost, syncs }) => lost > 2 * (syncs + 1))).toEqual([]);
});
