/**
 * Which sign-ins and sign-outs of the console are put on record. They need no right, and records are kept for long: of those that
 * a token makes from one network within a minute the first is (incident 71). Each server counts for itself.
 */
import { LRUCache } from "lru-cache";
import type { Context } from "../../context.ts";
import { networkOf } from "../../limits/network.ts";
import type { ConsoleSession } from "./store.ts";

/** Milliseconds in which one is enough. */
export const ONE_RECORD_MS = 60_000;
/** Tokens and networks that are remembered. */
const MOST = 10_000;

/**
 * Times of the last records, in milliseconds since the epoch, by the object that all copies of a server's database
 * share.
 */
const known = new WeakMap<object, LRUCache<string, number>>();

/** Decisions of one call, equal each time that its transaction runs. */
export interface OnRecord {
  /** Whether this needs an audit record. */
  isDue(what: "begin" | "end", session: Pick<ConsoleSession, "accessorId" | "address">): boolean;
  /** Runs a write; when it fails, no audit record was written. */
  during<T>(write: Promise<T>): Promise<T>;
}

/** Makes what decides in one call. */
export function decideRecords({ db, now }: Pick<Context, "db" | "now">): OnRecord {
  const last = known.get(db.feed) ?? new LRUCache<string, number>({ max: MOST });
  known.set(db.feed, last);
  const decided = new Map<string, boolean>();

  function decide(key: string): boolean {
    const time = now();
    const before = last.get(key) ?? -Infinity;
    // A clock that was put back hides nothing.
    const isDue = time - before >= ONE_RECORD_MS || time < before;
    if (isDue) last.set(key, time);
    decided.set(key, isDue);
    return isDue;
  }

  return {
    isDue(what, { accessorId, address }) {
      const key = `${what} ${accessorId} ${networkOf(address)}`;
      return decided.get(key) ?? decide(key);
    },
    async during(write) {
      try {
        return await write;
      } catch (error) {
        for (const [key, wasDue] of decided) if (wasDue) last.delete(key);
        throw error;
      }
    },
  };
}
