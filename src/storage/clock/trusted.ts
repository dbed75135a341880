/**
 * A clock by which things may be removed for good: the wall clock, believed only as far as time has really passed. A clock that was
 * wrong for a minute must not take away what was meant to be kept for a year.
 */

/** Jump that puts a wall clock in doubt, in milliseconds. */
export const JUMP_MS = 24 * 60 * 60_000;
/** Time that a clock in doubt must run steadily before it is trusted again, in milliseconds. */
export const STAND_MS = 60 * 60_000;
/** Maximum difference of a steady clock from the time that passes, in milliseconds: clocks are adjusted at times. */
const SET_MS = 60_000;
/** Maximum speed of pruning after a doubt, as a multiple of the time that really passes. */
const CATCH_UP = 2;

/** Two clocks at one moment, in milliseconds: the wall clock since the epoch, and one that nobody sets. */
interface Moment {
  readonly wall: number;
  readonly monotonic: number;
}

/**
 * Start of the catch-up of pruning after a doubt, in milliseconds since the epoch: the trusted time before, and the
 * time of the wall clock.
 */
export interface CatchUp {
  readonly trusted: number;
  readonly wall: number;
}

export interface TrustedClockOptions {
  /** The wall clock, in milliseconds since the epoch. */
  wall: () => number;
  /** Milliseconds of a clock that nobody sets. */
  monotonic: () => number;
  /** Time until which a clock was trusted, in milliseconds since the epoch; undefined for an empty database. */
  lastTrusted: number | undefined;
  /** Whether an operator confirms that the wall clock is right at this moment. */
  isAccepted: boolean;
  /** Catch-up after an earlier doubt. */
  catchUp: CatchUp | undefined;
  /**
   * Called when the wall clock is in doubt.
   *
   * @param aheadMs how far it is ahead of the time that passed, in milliseconds
   */
  onDoubt: (aheadMs: number) => void;
  /**
   * Called when the wall clock is trusted again.
   *
   * @param catchUp start of the catch-up of pruning; undefined when the clock came back by itself
   */
  onBelieved: (catchUp: CatchUp | undefined) => void;
}

/** Clock by which something may be deleted, ended or noted for good: not the wall clock, which may be wrong. */
export interface ClockForGood {
  /**
   * Returns milliseconds since the epoch: the wall clock; while that is in doubt, at most the trusted time before plus
   * the time that has passed since.
   */
  now(): number;
  /** Returns whether the wall clock is in doubt: nothing that it says to be over may be deleted. */
  isInDoubt(): boolean;
}

export interface TrustedClock extends ClockForGood {
  /** Returns the time for the pruning of audit records: after a doubt it catches up at twice the speed of time. */
  pruningNow(): number;
}

/** Returns a clock that is never in doubt, where nobody watches it: in commands, and in threads that write nothing. */
export function unwatched(now: () => number): ClockForGood {
  return { now, isInDoubt: () => false };
}

/** Makes the clock; each look at it notices a jump. */
export function createTrustedClock(options: TrustedClockOptions): TrustedClock {
  const look = (): Moment => ({ wall: options.wall(), monotonic: options.monotonic() });
  const begin = look();
  let { catchUp } = options;
  let reference = begin;
  /** Since when the wall clock has stood as it does now; undefined while it is not in doubt. */
  let standing: Moment | undefined;

  const { lastTrusted } = options;
  if (lastTrusted !== undefined && Math.abs(begin.wall - lastTrusted) > JUMP_MS) {
    reference = { wall: lastTrusted, monotonic: begin.monotonic };
    if (options.isAccepted) believe(begin);
  }

  function believe(moment: Moment): void {
    catchUp = { trusted: Math.min(passed(reference, moment), moment.wall), wall: moment.wall };
    standing = undefined;
    reference = moment;
    options.onBelieved(catchUp);
  }

  function doubt(moment: Moment): number {
    const expected = passed(reference, moment);
    if (standing === undefined) options.onDoubt(moment.wall - expected);
    if (standing === undefined || Math.abs(moment.wall - passed(standing, moment)) > SET_MS) standing = moment;
    if (moment.monotonic - standing.monotonic >= STAND_MS) {
      believe(moment);
      return moment.wall;
    }
    // A clock that was ahead has left times in the future: neither of the two takes away more than the other would.
    // Whole, as any clock's time: a monotonic clock counts parts of a millisecond, which no column takes.
    return Math.floor(Math.min(expected, moment.wall));
  }

  function now(): number {
    const moment = look();
    if (Math.abs(moment.wall - passed(reference, moment)) > JUMP_MS) return doubt(moment);
    if (standing !== undefined) {
      standing = undefined;
      options.onBelieved(undefined);
    }
    // Not at each look: many small jumps are a large one.
    if (moment.monotonic - reference.monotonic >= STAND_MS) reference = moment;
    return moment.wall;
  }

  return {
    now,
    isInDoubt() {
      now();
      return standing !== undefined;
    },
    pruningNow() {
      const at = now();
      // A clock that was set back is behind what it said then.
      if (catchUp === undefined || standing !== undefined || at < catchUp.wall) return at;
      return Math.min(at, catchUp.trusted + CATCH_UP * (at - catchUp.wall));
    },
  };
}

/** @returns what the wall clock should say at `moment` by a moment before */
function passed(before: Moment, moment: Moment): number {
  return before.wall + moment.monotonic - before.monotonic;
}
