/** Writes of several clients that meet: none of them has begun when the last is asked for. */
import { expect } from "vitest";
import type { Counter } from "../../src/storage/writes/counters.ts";
import type { Database } from "../../src/storage/database.ts";

/** The counter under which the objects of partition `default` are written. */
export const DEFAULT_PARTITION: Counter = { kind: "partition", name: "default" };

/**
 * Holds the lock of a counter until all these wait for it, so that they run one right behind the other in what becomes one
 * transaction: what one of them reads outside of it is from before the first.
 *
 * @param asks each makes one write under the counter
 */
export async function inOneTurn<T>(
  db: Pick<Database, "inTransaction" | "stats">,
  counter: Counter,
  asks: readonly (() => Promise<T>)[],
): Promise<T[]> {
  const [isHeld, mayGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holder = db.inTransaction(counter, async (tx) => {
    await tx.index();
    isHeld.resolve();
    await mayGo.promise;
  });
  await Promise.race([isHeld.promise, holder]);
  try {
    const answers = Promise.all(asks.map((ask) => ask()));
    // One that fails at once is told by this poll: it never waits.
    answers.catch(() => undefined);
    await expect.poll(() => db.stats().writeQueue, { interval: 1 }).toBeGreaterThanOrEqual(asks.length);
    mayGo.resolve();
    return await answers;
  } finally {
    mayGo.resolve();
    await holder;
  }
}
