/** How long work shares the event loop with everything else: in turns. */
import { setImmediate as immediate } from "node:timers/promises";

/** Longest time that work of one kind holds the event loop, in milliseconds. */
const TURN_MS = 5;

/**
 * Resolves when whatever has arrived by now has been heard: an answer that is made within one turn of the event loop holds
 * up those who ask for the same meanwhile, and their requests are read in the next.
 */
export async function afterNextTurn(): Promise<void> {
  await immediate();
  await immediate();
}

/** A share of each turn of the event loop, for all work of one kind together. */
interface Turns {
  /** Whether this turn's share is used up, or others wait for the next. It begins when it is first asked for. */
  isSpent(): boolean;
  /** Resolves when there is a share again. Whoever waits gets one after the other. */
  next(): Promise<void>;
  /** Does work that says by `yield` where it can pause. */
  run<T>(work: Generator<void, T>): Promise<T>;
}

/** Of those who wait, at most so many go on in one turn. */
const SLOTS = 128;

/** Makes the turns of one kind of work. */
export function createTurns(milliseconds = TURN_MS): Turns {
  const waiting: (() => void)[] = [];
  let isScheduled = false;
  let ends: number | undefined;

  function isOver(): boolean {
    if (ends !== undefined) return performance.now() >= ends;
    ends = performance.now() + milliseconds;
    setImmediate(() => (ends = undefined));
    return false;
  }

  /** Promises go on between two immediates: so each slot sees what the one before has used. */
  function schedule(): void {
    for (let slots = Math.min(SLOTS, waiting.length); slots > 0; slots--) setImmediate(goOn);
    // What is scheduled from here on comes when the event loop has looked for requests again.
    setImmediate(scheduleRest);
  }

  function goOn(): void {
    if (!isOver()) waiting.shift()?.();
  }

  function scheduleRest(): void {
    if (waiting.length > 0) schedule();
    else isScheduled = false;
  }

  function next(): Promise<void> {
    return new Promise((resolve) => {
      waiting.push(resolve);
      if (isScheduled) return;
      isScheduled = true;
      setImmediate(schedule);
    });
  }

  const isSpent = (): boolean => waiting.length > 0 || isOver();
  return {
    isSpent,
    next,
    async run(work) {
      for (;;) {
        const step = work.next();
        if (step.done === true) return step.value;
        if (isSpent()) await next();
      }
    },
  };
}

/** Does work that could pause at once. */
export function atOnce<T>(work: Generator<void, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** Work is done for so long in one turn of the event loop: what it allocates may cost that turn thrice as much again. */
const PIECES_MS = 2;

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
    isOver: () => performance.now() - began > PIECES_MS,
    async next() {
      await immediate();
      began = performance.now();
    },
  };
}

/** The same of statements on a connection to SQLite. */
const SLICE_MS = 3;

/** Tells work that could go on for long when to give the event loop back. */
export interface TurnClock {
  /** Whether this turn has lasted long enough; counted from the first time that anybody asked in it. */
  isSpent(): boolean;
  nextTurn(): Promise<void>;
}

/**
 * One clock for all work on a connection. Promises that are resolved already give nothing back: a transaction of a
 * thousand reads, or a thousand short transactions that waited, would be one turn.
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
    nextTurn: () => immediate(),
  };
}
