/** Limits the number of records of denied requests: a caller cannot fill the table with them. */
import { LRUCache } from "lru-cache";
import { SORTS, type Sort } from "./refusal.ts";

export interface Budget {
  /**
   * Takes one of the records that there may be in this hour.
   *
   * @param now milliseconds since the epoch
   * @returns `all` when there are none left for anybody, `source` when there are none left for this one
   */
  take(sort: Sort, source: string, now: number): "taken" | "source" | "all";
}

/** Groups in an hour of one sort: those of one actor or address, and all. */
export const MOST_OF_SOURCE = 300;
export const MOST_OF_ALL: Readonly<Record<Sort, number>> = { read: 5000, write: 1000, login: 1000, authenticate: 500 };

const HOUR = 3_600_000;
/** Sources whose number is remembered. One that is forgotten begins anew, within what all may make. */
const MOST_SOURCES = 4096;

export function createBudget(): Budget {
  const used = new LRUCache<string, number>({ max: MOST_SOURCES });
  const all = new Map<Sort, number>();
  let hour = -1;

  function beginAt(now: number): void {
    const current = Math.floor(now / HOUR);
    if (current === hour) return;
    hour = current;
    used.clear();
    for (const sort of SORTS) all.set(sort, 0);
  }

  return {
    take(sort, source, now) {
      beginAt(now);
      const key = `${sort} ${source}`;
      const [own, total] = [used.get(key) ?? 0, all.get(sort) ?? 0];
      if (own >= MOST_OF_SOURCE) return "source";
      if (total >= MOST_OF_ALL[sort]) return "all";
      used.set(key, own + 1);
      all.set(sort, total + 1);
      return "taken";
    },
  };
}
