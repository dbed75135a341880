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
  /** All who could make more of them: a namespace, or the wide network of an address. */
  group: string;
  /** Wide network of an address; undefined for a token. */
  network: string | undefined;
}

export interface Budget {
  /**
   * Takes one of the records that there may be in this hour.
   *
   * @param now milliseconds since the epoch
   * @returns whose sum counts a request for which there is none left: `source` for its own, then its network's, and last that of all
   */
  take(sort: Sort, source: RefusalSource, now: number): "taken" | "source" | "network" | "all";
}

/** Groups in an hour of one sort: those of one actor or address, and all. */
export const MOST_OF_SOURCE = 300;
export const MOST_OF_ALL: Readonly<Record<Sort, number>> = { read: 5000, write: 1000, login: 1000, authenticate: 500 };
/** Part of the records from which on a source is told of by itself. */
const MUCH = 1 / 8;

/** Networks that have sums of their own in an hour of one sort. */
export const MOST_NETWORKS = 32;

const HOUR = 3_600_000;

export function createBudget(): Budget {
  const pools = new Map<Sort, Pool>();
  const networks = new Map<Sort, Set<string>>();
  let hour = -1;

  function beginAt(now: number): void {
    const current = Math.floor(now / HOUR);
    if (current === hour) return;
    hour = current;
    for (const sort of SORTS) pools.set(sort, createPool("refusalRecords", MOST_OF_ALL[sort]));
    networks.clear();
  }

  /** Whether a network has a sum of its own in this hour, which it gets while there is room. */
  function hasSum(sort: Sort, network: string): boolean {
    const known = networks.get(sort) ?? new Set();
    networks.set(sort, known);
    if (known.size < MOST_NETWORKS) known.add(network);
    return known.has(network);
  }

  return {
    take(sort, { name, group, network }, now) {
      beginAt(now);
      const pool = pools.get(sort);
      const own = pool?.heldBy(name) ?? 0;
      if (own >= MOST_OF_SOURCE) return "source";
      if (pool?.take({ name, group }) === undefined) return "taken";
      // Few sources can have so much: each of them is told of by itself.
      if (own >= MOST_OF_ALL[sort] * MUCH) return "source";
      return network !== undefined && hasSum(sort, network) ? "network" : "all";
    },
  };
}
