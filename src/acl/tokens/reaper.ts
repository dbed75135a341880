/**
 * Removes tokens whose time has come. An expired token is unknown at once to
 * all who look it up; this only takes its row away.
 */
import { startBackground, type Background } from "../../storage/background.ts";
import type { Database } from "../../storage/database.ts";
import { newHolder, takeLease } from "../../storage/lease.ts";
import { changeRegardless } from "../write.ts";
import { TOKENS } from "../kinds.ts";
import { deleteTokens, listExpiredTokens } from "./store.ts";

/** Rows that one transaction removes; other writes of the partition wait meanwhile. */
const BATCH = 50;

/**
 * Starts the work, which one node does at a time.
 *
 * @param now milliseconds since the epoch
 * @param onError told of a failure; the work is tried again
 */
export function startReaper(db: Database, now: () => number, onError: (error: unknown) => void): Background {
  const holder = newHolder();

  async function work(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if ((await listExpiredTokens(db, now(), 1)).length === 0) return;
      if ((await takeLease(db, "token-expiry", holder)) === undefined) return;
      if (!(await removeBatch(db, now()))) return;
    }
  }

  return startBackground(work, onError);
}

/**
 * The partition's own counter guards the batch and not the lease: what it removes is chosen inside and stays expired,
 * so a node that was paused and wakes up does no harm.
 *
 * @returns whether there was anything
 */
async function removeBatch(db: Database, now: number): Promise<boolean> {
  const [first] = await listExpiredTokens(db, now, 1);
  if (first === undefined) return false;
  await changeRegardless({ db }, first, async (tx, change) => {
    const tokens = (await listExpiredTokens(tx, now, BATCH)).filter(
      ({ partition, namespace }) => partition === first.partition && namespace === first.namespace,
    );
    deleteTokens(
      tx,
      tokens.map((token) => token.accessorId),
    );
    for (const token of tokens) change(TOKENS, token.accessorId);
  });
  return true;
}
