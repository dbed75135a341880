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

/** Makes a generator (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;

  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

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
