import type { Actor } from "../acl/actor.ts";
import { AppError } from "../errors.ts";
import { networkOf } from "../limits/network.ts";

/** Bounds how many requests one client may leave waiting: each holds a connection and some memory. */
export interface WaitLimits {
  /**
   * Counts one more.
   *
   * @param address of the client, which counts for those without a token
   * @returns a function that takes it off again, to be called once
   * @throws AppError `rate_limited` when there are too many already
   */
  enter(actor: Pick<Actor, "accessorId" | "anonymous">, address: string): () => void;
}

export interface WaitLimitOptions {
  perToken: number;
  /** Of requests without a token. */
  perAddress: number;
}

export function createWaitLimits({ perToken, perAddress }: WaitLimitOptions): WaitLimits {
  const counts = new Map<string, number>();
  return {
    enter({ accessorId, anonymous }, address) {
      const who = anonymous ? `address ${networkOf(address)}` : accessorId;
      const count = (counts.get(who) ?? 0) + 1;
      const limit = anonymous ? perAddress : perToken;
      if (count > limit) {
        throw new AppError(
          "rate_limited",
          `Too many blocking queries and event streams of one ${anonymous ? "address without a token" : "token"}`,
          { limit },
        );
      }
      counts.set(who, count);
      return () => {
        const left = (counts.get(who) ?? 1) - 1;
        if (left === 0) counts.delete(who);
        else counts.set(who, left);
      };
    },
  };
}
