/**
 * The clock of the database, which all its nodes go by for what they store: a token that one node made for an hour must
 * not have expired on the next one, whose clock is an hour ahead.
 */
export interface SharedClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Takes one reading.
   *
   * @param sent when the database was asked, by this node's clock, and `answered` when the answer came
   * @param read what the database said; all in milliseconds since the epoch
   */
  note(sent: number, answered: number, read: number): void;
}

/** A smaller difference than this is as good as none: clocks that are kept in time differ by less. */
const TOLERATED_MS = 1000;
/** A reading that took longer says too little. */
const LONGEST_READING_MS = 500;

/** @param onWarning told when the clocks are found to differ, and when they no longer do */
export function createSharedClock(onWarning: (message: string) => void): SharedClock {
  let offset = 0;
  return {
    now: () => Date.now() + offset,
    note(sent, answered, read) {
      if (answered - sent < 0 || answered - sent > LONGEST_READING_MS) return;
      const difference = Math.round(read - (sent + answered) / 2);
      const next = Math.abs(difference) < TOLERATED_MS ? 0 : difference;
      if (Math.abs(next - offset) < TOLERATED_MS) return;
      offset = next;
      const seconds = Math.round(difference / 1000);
      onWarning(
        next === 0
          ? "the clock of the database matches the clock of this server again"
          : `the clock of the database differs by ${seconds} s from the clock of this server; stored times use the database clock`,
      );
    },
  };
}
