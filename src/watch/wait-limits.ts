import { AppError } from "../errors.ts";
import { POOLS } from "../pools.ts";
import { createPool, poolRefusalText, type PoolHolder } from "../shared-pool.ts";

/** Bounds how many requests one client may leave waiting: each holds a connection and some memory. */
export interface WaitLimits {
  /**
   * Counts one more.
   *
   * @param holder the token that asks, or the address without one
   * @returns a function that takes it off again, to be called once
   * @throws AppError `rate_limited` when there are too many already
   */
  enter(holder: PoolHolder, isAnonymous: boolean): () => void;
}

export interface WaitLimitOptions {
  perToken: number;
  /** Limit of requests without a token, per address. */
  perAddress: number;
  /** All together: each has a connection, of which there are no more in any case. */
  all?: number;
}

export function createWaitLimits({ perToken, perAddress, all }: WaitLimitOptions): WaitLimits {
  const pool = createPool("waits", all ?? POOLS.waits.size);
  return {
    enter(holder, isAnonymous) {
      const limit = isAnonymous ? perAddress : perToken;
      if (pool.heldBy(holder.name) >= limit) {
        const whose = isAnonymous ? "address without a token" : "token";
        throw new AppError("rate_limited", `${TOO_MANY} of one ${whose}`, { limit });
      }
      const refusal = pool.take(holder);
      if (refusal !== undefined) {
        throw new AppError("rate_limited", poolRefusalText(TOO_MANY, refusal), { retryAfterSeconds: 1 });
      }
      return () => pool.give(holder);
    },
  };
}

const TOO_MANY = "Too many blocking queries and event streams";
