/**
 * How long work shares the event loop with everything else: in turns. Each pause is where work ends whose caller has gone, and
 * work that needs more than one turn waits for a place, of which a token and a namespace have so many at a time.
 */
import { setImmediate as immediate } from "node:timers/promises";
import { callerNow, throwIfGone } from "./callers.ts";
import { createInTurn } from "./in-turn.ts";
import { pauseInPlace, placeNow } from "./work-places.ts";

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
  /**
   * Resolves when there is a share again. Callers who wait get one in turn, and of one caller what came first. It takes no place:
   * for what waits between pieces that are short each, such as the events of a stream.
   */
  next(): Promise<void>;
  /**
   * Does work that says by `yield` where it can pause.
   *
   * @throws {CallerGone} at a pause, when nobody waits for it any more
   * @throws AppError `rate_limited` when it needs a place and too much waits for one; or what the work throws
   */
  run<T>(work: Generator<void, T>): Promise<T>;
  /**
   * A pause, where one is due, of work that cannot be a generator. It needs a place as `run` does.
   *
   * @throws {CallerGone} when nobody waits for it any more
   * @throws AppError `rate_limited` when it needs a place and too much waits for one
   */
  pause(): Promise<void>;
}

/** Maximum number of waiters that continue in one turn. */
const SLOTS = 128;

/** Makes the turns of one kind of work. */
export function createTurns(milliseconds = TURN_MS): Turns {
  const waiting = createInTurn<() => void>();
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
    for (let slots = Math.min(SLOTS, waiting.size()); slots > 0; slots--) setImmediate(goOn);
    // Slots of `scheduleRest` run after the event loop has looked for requests again.
    setImmediate(scheduleRest);
  }

  function goOn(): void {
    if (!isOver()) waiting.take()?.();
  }

  function scheduleRest(): void {
    if (waiting.size() > 0) schedule();
    else isScheduled = false;
  }

  function next(): Promise<void> {
    return new Promise((resolve) => {
      waiting.add(callerNow()?.owner?.name ?? "", resolve);
      if (isScheduled) return;
      isScheduled = true;
      setImmediate(schedule);
    });
  }

  const isSpent = (): boolean => waiting.size() > 0 || isOver();
  return {
    isSpent,
    next,
    async pause() {
      if (isSpent()) await pauseInPlace(next);
    },
    run: (work) => runInPlace({ isSpent, next }, work),
  };
}

async function runInPlace<T>(turns: Pick<Turns, "isSpent" | "next">, work: Generator<void, T>): Promise<T> {
  const place = placeNow();
  let since = performance.now();
  place?.keep();
  try {
    for (;;) {
      const step = work.next();
      if (step.done === true) return step.value;
      if (!turns.isSpent()) continue;
      await place?.take(performance.now() - since);
      await turns.next();
      throwIfGone();
      since = performance.now();
    }
  } finally {
    place?.release();
  }
}

const ordinary = createTurns();

/** Does work that has no turns of its own, in those that all such work has together. See `Turns.run`. */
export function workInTurns<T>(work: Generator<void, T>): Promise<T> {
  return ordinary.run(work);
}

/** A pause between two pieces of work that are long each. See `Turns.pause`. */
export function pause(): Promise<void> {
  return pauseInPlace(nextRound);
}

async function nextRound(): Promise<void> {
  await immediate();
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
interface Turn {
  /** Asked before each piece of work. */
  isOver(): boolean;
  /** Lets others have their turn, and begins a new one. See `Turns.pause`. */
  next(): Promise<void>;
}

/** For work that shares no turns with others, and pauses on its own. */
export function startTurn(): Turn {
  let began = performance.now();
  return {
    isOver: () => performance.now() - began > PIECES_MS,
    async next() {
      await pauseInPlace(nextRound, performance.now() - began);
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
