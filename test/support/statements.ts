import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import type { Database } from "../../src/storage/database.ts";

const LEAST_TRIES = 3;
const MOST_TRIES = 40;

/**
 * Checks that two requests cost storage as many statements. Each is sent some times and its least number counts, since
 * background work adds to it and so does a cache that is not believed while the machine is busy; more often when they
 * differ, which a real difference outlives.
 */
export async function expectSameStatements(
  db: Database,
  one: () => Promise<unknown>,
  other: () => Promise<unknown>,
): Promise<void> {
  let [least, leastOfOther] = [Infinity, Infinity];
  for (let tries = 0; tries < LEAST_TRIES || (least !== leastOfOther && tries < MOST_TRIES); tries++) {
    if (tries >= LEAST_TRIES) await sleep(50);
    least = Math.min(least, await statementsOf(db, one));
    leastOfOther = Math.min(leastOfOther, await statementsOf(db, other));
  }
  expect(least).toBe(leastOfOther);
}

/** How many statements storage was given while something was asked. */
export async function statementsOf(db: Database, ask: () => Promise<unknown>): Promise<number> {
  const before = count(db);
  await ask();
  return count(db) - before;
}

function count(db: Database): number {
  const { point, query, long, transaction } = db.stats().operations;
  return point + query + long + transaction;
}
