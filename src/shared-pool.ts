/**
 * Something that callers share, with a share for each: its last quarter is only for those who hold little of it. So whoever is
 * alone may have three quarters, and nobody takes from the others what they need.
 */
import { POOLS, type PoolEntry, type PoolName } from "./pools.ts";

/** Holder of a part of a pool. */
export interface PoolHolder {
  /** Name of a token, an address without one, or an organization: names are unique. */
  name: string;
  /** Group that could make more such holders, such as a namespace; absent where there is none. */
  group?: string;
}

/** Reason for a lack of room: all is taken, or the rest is reserved for holders with less. */
export type PoolRefusal = "full" | "large";

export interface Pool {
  /**
   * Takes so much of it.
   *
   * @param holder undefined for nobody in particular, for whom nothing is kept and nothing is kept from
   * @returns why not; undefined when it did
   */
  take(holder: PoolHolder | undefined, amount?: number): PoolRefusal | undefined;
  /** Takes so much whatever there is: for what has to be done in any case. */
  force(holder: PoolHolder | undefined, amount?: number): void;
  /** Gives back what the same holder took. */
  give(holder: PoolHolder | undefined, amount?: number): void;
  /** Whether the part that is open to all is used up, and one has too much to take of the rest. */
  isKeptFrom(holder: PoolHolder | undefined): boolean;
  /** Whether one has too much to take of the last quarter, or its group has. */
  isLarge(holder: PoolHolder): boolean;
  /** How much one has, by name. */
  heldBy(name: string): number;
  used(): number;
  /** How often there was no room since the start. */
  refused(): number;
}

/** Parts of a pool: anybody may take the first; the rest is for a holder that has less than the second, in a group with less than the third. */
const OPEN_TO_ALL = 3 / 4;
const LITTLE_OF_ONE = 1 / 8;
const LITTLE_OF_GROUP = 1 / 4;

/**
 * Makes one, of which nothing is taken. It keeps counts of those who hold something, and of nobody else.
 *
 * @param name its entry in `POOLS`
 * @param size how much there is of it
 */
export function createPool(name: PoolName, size: number = sizeOf(name)): Pool {
  const holders = new Map<string, number>();
  /** A holder counts for its group with no more than what is little: one that has much is not to shut out those beside it. */
  const groups = new Map<string, number>();
  const little = size * LITTLE_OF_ONE;
  let used = 0;
  let refused = 0;

  function add({ name: whose, group }: PoolHolder, amount: number): void {
    const before = holders.get(whose) ?? 0;
    const after = before + amount;
    put(holders, whose, after);
    if (group === undefined) return;
    put(groups, group, (groups.get(group) ?? 0) + Math.min(after, little) - Math.min(before, little));
  }

  function hasLittle({ name: whose, group }: PoolHolder): boolean {
    if ((holders.get(whose) ?? 0) >= little) return false;
    return group === undefined || (groups.get(group) ?? 0) < size * LITTLE_OF_GROUP;
  }

  function refusalOf(holder: PoolHolder | undefined, amount: number): PoolRefusal | undefined {
    if (used + amount > size) return "full";
    const isOpen = holder === undefined || used + amount <= size * OPEN_TO_ALL;
    return isOpen || hasLittle(holder) ? undefined : "large";
  }

  function force(holder: PoolHolder | undefined, amount = 1): void {
    used += amount;
    if (holder !== undefined) add(holder, amount);
  }

  return {
    take(holder, amount = 1) {
      const refusal = refusalOf(holder, amount);
      if (refusal === undefined) force(holder, amount);
      else refused += 1;
      return refusal;
    },
    force,
    give: (holder, amount = 1) => force(holder, -amount),
    isKeptFrom: (holder) => holder !== undefined && used > size * OPEN_TO_ALL && !hasLittle(holder),
    isLarge: (holder) => !hasLittle(holder),
    heldBy: (holder) => holders.get(holder) ?? 0,
    used: () => used,
    refused: () => refused,
  };
}

/** Takes one of each of these, or nothing. @returns why there is no room; undefined when it did */
export function takeEach(pools: readonly Pool[], holder: PoolHolder | undefined): PoolRefusal | undefined {
  for (const [index, pool] of pools.entries()) {
    const refusal = pool.take(holder);
    if (refusal === undefined) continue;
    giveEach(pools.slice(0, index), holder);
    return refusal;
  }
  return undefined;
}

/** Takes one of each in any case. */
export function forceEach(pools: readonly Pool[], holder: PoolHolder | undefined): undefined {
  for (const pool of pools) pool.force(holder);
}

/** Gives back one of each. */
export function giveEach(pools: readonly Pool[], holder: PoolHolder | undefined): void {
  for (const pool of pools) pool.give(holder);
}

/** The words of a refusal. @param what there is too much of, as a sentence without its end */
export function poolRefusalText(what: string, refusal: PoolRefusal): string {
  const large = ", and this caller or its namespace already uses a large share of the capacity";
  return `${what}${refusal === "large" ? large : ""}; retry later`;
}

function put(counts: Map<string, number>, key: string, count: number): void {
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}

function sizeOf(name: PoolName): number {
  const entry: PoolEntry = POOLS[name];
  if (entry.size === undefined) throw new TypeError(`the pool "${name}" has no size of its own`);
  return entry.size;
}
