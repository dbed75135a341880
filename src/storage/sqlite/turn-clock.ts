import { setImmediate as nextTurn } from "node:timers/promises";

/** Longest time that the work of one turn holds the event loop, in milliseconds. */
const SLICE_MS = 3;

/** Tells work that could go on for long when to give the event loop back. */
export interface TurnClock {
  /** Whether this turn has lasted long enough; counted from the first time that anybody asked in it. */
  isSpent(): boolean;
  nextTurn(): Promise<void>;
}

/**
 * One clock for all work on a connection. Promises that are resolved already
 * give nothing back: a transaction of a thousand reads, or a thousand short
 * transactions that waited, would be one turn.
 */
export function createTurnClock(): TurnClock {
  let ends: number | undefined;
  return {
    isSpent() {
      if (ends !== undefined) return performance.now() > ends;
      ends = performance.now() + SLICE_MS;
      // Runs before what waits in `nextTurn`, which was asked for later.
      setImmediate(() => (ends = undefined));
      return false;
    },
    nextTurn: () => nextTurn(),
  };
}
