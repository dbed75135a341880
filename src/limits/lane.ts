/** Work that may go on so often at a time; the rest waits for its turn, within bounds. */
import type { PoolName } from "../pools.ts";

export interface LaneBounds {
  /** Its entry in the table of what callers share, which says what is kept for others. */
  pool: PoolName;
  /** How much is under way at a time. */
  running: number;
  /** How much waits for its turn. */
  waiting: number;
  /** For how long it waits, in milliseconds. */
  milliseconds: number;
}

/** Errors for work that finds too many others waiting, and for work whose turn does not come in time. */
interface LaneRefusals {
  full: () => Error;
  late: () => Error;
}

export interface Lane {
  /**
   * Does the work when its turn has come: in the order in which it was brought, and of several owners in turns, so that nobody
   * waits behind all that one other has brought.
   *
   * @param signal ends the wait for the turn
   * @param owner whose it is; what has none is of one owner
   * @throws what the work throws, one of the refusals, or the signal's reason
   */
  run<T>(work: () => Promise<T>, signal?: AbortSignal, owner?: string): Promise<T>;
  /** Whether nothing is under way, so that nobody would miss it. */
  isIdle(): boolean;
}

export function createLane(
  { running: most, waiting: mostWaiting, milliseconds }: LaneBounds,
  refusals: LaneRefusals,
): Lane {
  let running = 0;
  const waiting = createQueue();

  async function takeTurn(owner: string, signal: AbortSignal | undefined): Promise<void> {
    if (running < most) {
      running += 1;
      return;
    }
    if (waiting.size >= mostWaiting) throw refusals.full();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => reject(refusals.late()), milliseconds);
    waiting.add(owner, resolve);
    try {
      await (signal === undefined ? promise : orAborted(promise, signal));
    } catch (error) {
      // The turn may have come in the moment in which the wait ended.
      if (!waiting.remove(owner, resolve)) endTurn();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Hands the turn on, so that nobody who comes now is before those who wait. */
  function endTurn(): void {
    const next = waiting.next();
    if (next === undefined) running -= 1;
    else next();
  }

  return {
    async run(work, signal, owner = "") {
      await takeTurn(owner, signal);
      try {
        return await work();
      } finally {
        endTurn();
      }
    },
    isIdle: () => running === 0,
  };
}

/** Creates the queue of waiting work by owner: an owner whose first work has had its turn comes last. */
function createQueue() {
  const owners = new Map<string, Set<() => void>>();
  let size = 0;

  function remove(owner: string, each: () => void): boolean {
    const own = owners.get(owner);
    if (own?.delete(each) !== true) return false;
    size -= 1;
    if (own.size === 0) owners.delete(owner);
    return true;
  }

  return {
    get size() {
      return size;
    },
    remove,
    add(owner: string, each: () => void): void {
      const own = owners.get(owner) ?? new Set();
      owners.set(owner, own.add(each));
      size += 1;
    },
    /** Takes the next one out; undefined when nobody waits. */
    next(): (() => void) | undefined {
      for (const [owner, own] of owners) {
        const [first] = own;
        if (first === undefined) continue;
        owners.delete(owner);
        owners.set(owner, own);
        remove(owner, first);
        return first;
      }
      return undefined;
    },
  };
}

/** Lanes of their own for many who must not hold each other up. */
export interface Lanes {
  run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** How many there are: those in which something is under way. */
  size(): number;
}

export function createLanes(bounds: LaneBounds, refusals: LaneRefusals): Lanes {
  const lanes = new Map<string, Lane>();
  return {
    size: () => lanes.size,
    async run(key, work, signal) {
      const lane = lanes.get(key) ?? createLane(bounds, refusals);
      lanes.set(key, lane);
      try {
        return await lane.run(work, signal);
      } finally {
        if (lane.isIdle()) lanes.delete(key);
      }
    },
  };
}

/**
 * Waits for a promise, but not longer than until the signal.
 *
 * @throws what the promise throws, or the signal's reason
 */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  // When nobody waits any more, a failure is nobody's.
  promise.catch(() => undefined);
  signal.throwIfAborted();
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
