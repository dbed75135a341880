import { seeded } from "../support/seeded.ts";

/** Numbers that look random and are the same for the same seed, so that a run can be made again. */
export interface Random {
  /** A whole number from 0 on and below `limit`. */
  below(limit: number): number;
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number;
  /** True in this share of the calls. */
  chance(share: number): boolean;
  /** @throws RangeError on an empty list */
  pick<T>(list: readonly T[]): T;
}

/** Makes a generator. */
export function createRandom(seed: number): Random {
  const next = seeded(seed);
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    between: (low, high) => low + below(high - low + 1),
    chance: (share) => next() < share,
    pick(list) {
      if (list.length === 0) throw new RangeError("there is nothing to pick from");
      return list[below(list.length)] as (typeof list)[number];
    },
  };
}
