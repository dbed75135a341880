/**
 * Limits the number of records of denied requests: a caller cannot fill the table with them, and none takes the records of an hour
 * from the others.
 */
import { createPool, type Pool } from "../../shared-pool.ts";
import { SORTS, type Sort } from "./refusal.ts";

/** Source of a record. */
export interface RefusalSource {
  /** An AccessorID, or an address. */
  name: string;
  /** All who could make more of them; undefined where everybody who is denied so is without a token. */
  group: string | undefined;
}

export interface Budget {
  /**
   * Takes one of the records that there may be in this hour.
   *
   * @param now milliseconds since the epoch
   * @returns `all` when there are none left for anybody, or for its group, `source` when there are none left for this one
   */
  take(sort: Sort, source: RefusalSource, now: number): "taken" | "source" | "all";
}

/** Groups in an hour of one sort: those of one actor or address, and all. */
export const MOST_OF_SOURCE = 300;
export const MOST_OF_ALL: Readonly<Record<Sort, number>> = { read: 5000, write: 1000, login: 1000, authenticate: 500 };
/** Part of the records from which on a source is told of by itself. */
const MUCH = 1 / 8;

const HOUR = 3_600_000;

export function createBudget(): Budget {
  const pools = new Map<Sort, Pool>();
  let hour = -1;

  function beginAt(now: number): void {
    const current = Math.floor(now / HOUR);
    if (current === hour) return;
    hour = current;
    for (const sort of SORTS) pools.set(sort, createPool("refusalRecords", MOST_OF_ALL[sort]));
  }

  return {
    take(sort, { name, group }, now) {
      beginAt(now);
      const pool = pools.get(sort);
      const own = pool?.heldBy(name) ?? 0;
      if (own >= MOST_OF_SOURCE) return "source";
      if (pool?.take(group === undefined ? { name } : { name, group }) === undefined) return "taken";
      // Few sources can have so much: each of them is told of by itself.
      return own >= MOST_OF_ALL[sort] * MUCH ? "source" : "all";
    },
  };
}
