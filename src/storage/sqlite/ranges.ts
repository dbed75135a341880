import type { DatabaseSync } from "node:sqlite";
import { IN_RANGES, KEEP_RANGES } from "../conditions.ts";

interface Ranges {
  /** Bounds of half-open ranges, sorted and apart; at the same places. */
  from: readonly string[];
  to: readonly string[];
}

/** A statement has two lists of ranges at most, and a connection runs one statement at a time. */
const KEPT = 8;

/**
 * Gives a connection the functions by which `visible` asks for ranges: one takes the bounds as two JSON arrays and returns
 * the place where it keeps them, the other says whether a name is in one of those. Names are ASCII, so that their order
 * here is SQLite's.
 */
export function defineRanges(db: DatabaseSync): void {
  const kept: Ranges[] = [];
  let next = 0;
  db.function(KEEP_RANGES, { directOnly: true }, (from, to) => {
    const place = next++ % KEPT;
    kept[place] = { from: JSON.parse(String(from)) as string[], to: JSON.parse(String(to)) as string[] };
    return place;
  });
  db.function(IN_RANGES, { directOnly: true }, (name, place) => {
    const ranges = kept[Number(place)];
    return ranges !== undefined && isIn(ranges, String(name)) ? 1 : 0;
  });
}

function isIn({ from, to }: Ranges, name: string): boolean {
  let [low, high] = [0, from.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((from[middle] ?? "") <= name) low = middle + 1;
    else high = middle;
  }
  return low > 0 && name < (to[low - 1] ?? "");
}
