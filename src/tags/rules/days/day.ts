/** Days of UTC, as numbers since 1970-01-01. */
const DAY_MS = 24 * 60 * 60 * 1000;
/** Day 0 was a Thursday. */
const SINCE_MONDAY = 3;

/** Number of a day of UTC. @param now milliseconds since the epoch */
export function dayOf(now: number): number {
  return Math.floor(now / DAY_MS);
}

/** A day as `2026-06-20`. */
export function dayText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** Number of the Monday with which the week of a day begins. */
export function mondayOf(day: number): number {
  return day - ((day + SINCE_MONDAY) % 7);
}
