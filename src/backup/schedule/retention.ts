/** Decides which backups of a folder stay. */

/** How many are kept: of all, and the last one of so many days, weeks and months that have one (in UTC; a week begins on Monday). */
export interface BackupRetention {
  readonly newest: number;
  readonly daily: number;
  readonly weekly: number;
  readonly monthly: number;
}

const DAY_MS = 86_400_000;
/** 1970-01-01 was a Thursday. */
const DAYS_TO_MONDAY = 3;

/**
 * Chooses what may go.
 *
 * @param times when the backups were begun, in milliseconds since the epoch, the newest first
 * @returns those that no number keeps, the oldest first
 */
export function chooseRemovable(times: readonly number[], kept: BackupRetention): number[] {
  const day = (time: number) => Math.floor(time / DAY_MS);
  const stay = new Set([
    ...times.slice(0, kept.newest),
    ...lastOfEach(times, day, kept.daily),
    ...lastOfEach(times, (time) => Math.floor((day(time) + DAYS_TO_MONDAY) / 7), kept.weekly),
    ...lastOfEach(times, (time) => new Date(time).getUTCFullYear() * 12 + new Date(time).getUTCMonth(), kept.monthly),
  ]);
  return times.filter((time) => !stay.has(time)).toReversed();
}

function lastOfEach(times: readonly number[], periodOf: (time: number) => number, most: number): number[] {
  // The newest first: the first one of a period is its last.
  return [...Map.groupBy(times, periodOf).values()]
    .slice(0, most)
    .flatMap(([last]) => (last === undefined ? [] : [last]));
}
