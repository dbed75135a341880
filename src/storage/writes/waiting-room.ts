/** Places for waiting writes. Each caller has a share of all places, and of those of each counter. */
import { payerNow } from "../../callers.ts";
import { StorageAway } from "../../errors.ts";
import { createPool, forceEach, giveEach, poolRefusalText, takeEach } from "../../shared-pool.ts";

export interface WaitingRoom {
  /** Returns the places of one counter. They are half of all places, so one counter cannot block the others. */
  ofCounter(): CounterPlaces;
  /** Number of waiting writes. */
  waiting(): number;
}

export interface CounterPlaces {
  /**
   * Takes a place for the caller.
   *
   * @param beyondLimit whether there is one in any case
   * @returns gives it back, to be called once
   * @throws AppError `unavailable` when there is none, or those that are left are kept for callers with fewer
   */
  enter(beyondLimit: boolean): () => void;
}

/** @param limit places of all counters */
export function createWaitingRoom(limit: number): WaitingRoom {
  const all = createPool("writes", limit);
  return {
    waiting: () => all.used(),
    ofCounter() {
      const own = createPool("writesOfCounter", Math.ceil(limit / 2));
      return {
        enter(beyondLimit) {
          const holder = payerNow();
          const pools = [own, all];
          const refusal = beyondLimit ? forceEach(pools, holder) : takeEach(pools, holder);
          if (refusal !== undefined) throw new StorageAway(poolRefusalText("Too many writes are waiting", refusal));
          return () => giveEach(pools, holder);
        },
      };
    },
  };
}
