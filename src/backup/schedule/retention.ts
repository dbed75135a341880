/** Decides which backups of a folder stay. */

/** How many are kept: of all, and the last one of so many days, weeks and months that have one (in UTC; a week begins on Monday). */
export interface Kept {
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
export function chooseRemovable(times: readonly number[], kept: Kept): number[] {
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

/** Says whether one more old backup may go. */
export interface Allowance {
  /** @returns whether one more may go now; then it counts as gone */
  take(): boolean;
}

/**
 * Counts how many old backups may be removed: one for each interval that has really passed. A clock that jumps makes backups look old;
 * it never makes more of them go than as many as were due meanwhile.
 *
 * @param everyMs the interval between backups, in milliseconds
 * @param monotonicNow milliseconds of a clock that nobody sets
 */
export function createAllowance(everyMs: number, monotonicNow: () => number): Allowance {
  const began = monotonicNow();
  let taken = 0;
  return {
    take() {
      // The first is for what passed before this process began.
      const earned = 1 + Math.floor((monotonicNow() - began) / everyMs);
      if (taken >= earned) return false;
      // Unused ones are not saved up: a folder that was in order for a year does not lose a year at once.
      taken = Math.max(taken, earned - 1) + 1;
      return true;
    },
  };
}
