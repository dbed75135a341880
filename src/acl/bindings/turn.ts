import { setImmediate } from "node:timers/promises";

/** Work is done for so long in one turn of the event loop: what it allocates may cost that turn thrice as much again. */
const TURN_MS = 2;

/** Work that may be long is cut into turns of the event loop, so that requests wait no longer than one of them. */
export interface Turn {
  /** Asked before each piece of work. */
  isOver(): boolean;
  /** Lets others have their turn, and begins a new one. */
  next(): Promise<void>;
}

export function startTurn(): Turn {
  let began = performance.now();
  return {
    isOver: () => performance.now() - began > TURN_MS,
    async next() {
      await setImmediate();
      began = performance.now();
    },
  };
}
