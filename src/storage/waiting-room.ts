/** Where writes wait for their turn: with a share for each caller of all places, and of those of each counter. */
import { callerNow } from "../callers.ts";
import { StorageAway } from "../errors.ts";
import { createPool, poolRefusalText, takeOfEach } from "../shared-pool.ts";

export interface WaitingRoom {
  /** The places of one counter, which are half of all, so that it shuts no other out. */
  ofCounter(): CounterPlaces;
  /** How many wait. */
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
          const holder = callerNow()?.owner;
          if (beyondLimit) for (const pool of [own, all]) pool.force(holder);
          const leave = beyondLimit
            ? () => [own, all].forEach((pool) => pool.give(holder))
            : takeOfEach([
                [own, holder],
                [all, holder],
              ]);
          if (typeof leave !== "string") return leave;
          throw new StorageAway(poolRefusalText("Too many writes are waiting", leave));
        },
      };
    },
  };
}
