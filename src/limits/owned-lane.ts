/** Work that takes long: a few pieces at a time, and one or a few of each owner, so that none keeps the others from theirs. */
import { enterBound, leavePlaceOf } from "../bounds.ts";
import { callerNow } from "../callers.ts";
import { AppError } from "../errors.ts";
import type { PoolName } from "../pools.ts";
import { createPool, poolRefusalText, type PoolHolder, type PoolRefusal } from "../shared-pool.ts";
import { createLane, createLanes } from "./lane.ts";

export interface OwnedLane {
  /**
   * Does the work when its turn has come. Whoever goes meanwhile waits no longer, and keeps nobody from waiting.
   *
   * @param owner of whom no more is done at a time than of any other
   * @param group of owners, where there is a bound for those who belong together
   * @throws AppError `unavailable`, or as was chosen, when too much waits, or it has waited too long; or what the work throws
   * @throws {CallerGone} when nobody waits for the work any more before its turn has come
   */
  run<T>(owner: string, work: () => Promise<T>, group?: string): Promise<T>;
  /** The same for work that is not one function. @returns what gives the place back, as often as it is called */
  take(owner: string, group?: string): Promise<() => void>;
  /** How much is under way, and how much waits. */
  running(): number;
  waiting(): number;
}

/** How much waits: of one owner, of all, and for how long. */
interface Waiting {
  ofOwner: number;
  all: number;
  milliseconds: number;
}

const WAITING: Waiting = { ofOwner: 8, all: 64, milliseconds: 10_000 };

interface Terms {
  /** How much of one owner is under way at a time. */
  ofOwner?: number;
  /** How much of one group; what is left is for others, however many owners it makes. */
  ofGroup?: number;
  /** Error code for work beyond the limits. */
  code?: "unavailable" | "rate_limited";
  waiting?: Waiting;
}

/**
 * Makes one. Of what is under way or waits, the last quarter is only for owners, and groups, that have little of it.
 *
 * @param pool its entry in the table of what callers share
 * @param running how much is under way at a time
 * @param what is refused, as the refusal says it
 */
export function createOwnedLane(
  pool: PoolName,
  running: number,
  what: string,
  { ofOwner: most = 1, ofGroup = running, code = "unavailable", waiting = WAITING }: Terms = {},
): OwnedLane {
  const refused = (why: PoolRefusal) => new AppError(code, poolRefusalText(what, why), { retryAfterSeconds: 1 });
  const { milliseconds, ofOwner, all } = waiting;
  const refusals = { full: () => refused("full"), late: () => refused("full") };
  const owners = createLanes({ pool, running: most, waiting: ofOwner, milliseconds }, refusals);
  const groups = createLanes({ pool, running: ofGroup, waiting: all, milliseconds }, refusals);
  const lane = createLane({ pool, running, waiting: all, milliseconds }, refusals);
  const places = createPool(pool, running + all);
  const counts = { running: 0, waiting: 0 };

  async function run<T>(owner: string, work: () => Promise<T>, group?: string): Promise<T> {
    const caller = callerNow();
    const signal = caller?.gone;
    // Nothing waits for this lane in a place that those who are in it may wait for.
    leavePlaceOf(caller);
    const holder: PoolHolder = group === undefined ? { name: owner } : { name: owner, group };
    const refusal = places.take(holder);
    if (refusal !== undefined) throw refused(refusal);
    let has: keyof typeof counts = "waiting";
    counts.waiting += 1;
    let leaveBound: (() => void) | undefined;
    const begin = () => {
      leaveBound = enterBound(caller);
      counts.waiting -= 1;
      has = "running";
      counts.running += 1;
      return work();
    };
    const inLane = () => lane.run(begin, signal);
    const inGroup = group === undefined ? inLane : () => groups.run(group, inLane, signal);
    try {
      return await owners.run(owner, inGroup, signal);
    } finally {
      leaveBound?.();
      counts[has] -= 1;
      places.give(holder);
    }
  }

  return {
    run,
    take: (owner, group) =>
      new Promise((resolve, reject) => {
        const { promise, resolve: leave } = Promise.withResolvers<void>();
        const work = () => {
          resolve(leave);
          return promise;
        };
        run(owner, work, group).catch(reject);
      }),
    running: () => counts.running,
    waiting: () => counts.waiting,
  };
}
