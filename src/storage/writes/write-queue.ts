import { StorageAway } from "../../errors.ts";
import { createWaitingRoom, type CounterPlaces } from "./waiting-room.ts";

export interface WriteQueue<S> {
  /**
   * Runs `work` when a slot is free and fewer than `perCounter` others run under
   * the same counter. Counters take turns, so a busy one starves nobody.
   *
   * @param options `beyondLimit` for the store's own work, which a full queue must not keep out
   * @throws AppError `unavailable` when `limit` others wait already, or half as many of the same counter, or most of these for the
   * same caller, or when its turn does not come in time
   */
  run<T>(counter: string, work: (slot: S) => Promise<T>, options?: { beyondLimit: boolean }): Promise<T>;
  /** How many wait. */
  waiting(): number;
  /** How many slots are in use. */
  busy(): number;
}

interface Job<S> {
  /** Its place among those that wait. */
  leave(): void;
  start(slot: S): void;
  refuse(): void;
  /** By the monotonic clock; never for the store's own work. */
  latestStart: number;
}

interface Lane<S> {
  counter: string;
  places: CounterPlaces;
  jobs: Job<S>[];
  running: number;
}

/** A client is not kept longer than that for its turn: nothing has happened, and it may ask another server. */
const LONGEST_WAIT_MS = 5000;
const LOOK_MS = 500;

/**
 * The queue in front of write connections.
 *
 * @param slots the connections (one on SQLite)
 * @param perCounter how many transactions of one counter may be under way
 * @param limit how many may wait over all counters; one counter gets half of it, so that it shuts no other out
 * @param usable whether a slot can do anything now; the others are used when there is no such slot
 * @param longestWaitMs after which a job that has not started is refused
 */
export function createWriteQueue<S>(
  slots: readonly S[],
  perCounter: number,
  limit: number,
  usable: (slot: S) => boolean = () => true,
  longestWaitMs = LONGEST_WAIT_MS,
): WriteQueue<S> {
  const free = [...slots];
  const room = createWaitingRoom(limit);
  const lanes = new Map<string, Lane<S>>();
  // Lanes that have a job and may start one, in the order of their turn.
  const ready: Lane<S>[] = [];
  let looking: NodeJS.Timeout | undefined;

  /** While anything waits, looks now and then for what has waited too long; the oldest of a lane is its first. */
  function refuseLate(): void {
    const now = performance.now();
    for (const lane of lanes.values()) {
      while ((lane.jobs[0]?.latestStart ?? Infinity) < now) {
        const job = lane.jobs.shift();
        job?.leave();
        job?.refuse();
      }
      if (lane.jobs.length > 0) continue;
      const place = ready.indexOf(lane);
      if (place !== -1) ready.splice(place, 1);
      if (lane.running === 0) lanes.delete(lane.counter);
    }
    if (room.waiting() > 0) return;
    clearInterval(looking);
    looking = undefined;
  }

  function startNext(): void {
    while (free.length > 0 && ready.length > 0) {
      const slot = takeUsable(free, slots, usable);
      if (slot === undefined) return;
      const lane = ready.shift();
      const job = lane?.jobs.shift();
      if (lane === undefined || job === undefined) return void free.push(slot);
      job.leave();
      lane.running += 1;
      if (lane.jobs.length > 0 && lane.running < perCounter) ready.push(lane);
      job.start(slot);
    }
  }

  function finish(lane: Lane<S>, slot: S): void {
    free.push(slot);
    const mayStart = lane.running === perCounter && lane.jobs.length > 0;
    lane.running -= 1;
    if (mayStart) ready.push(lane);
    else if (lane.running === 0 && lane.jobs.length === 0) lanes.delete(lane.counter);
    startNext();
  }

  return {
    run<T>(counter: string, work: (slot: S) => Promise<T>, options = { beyondLimit: false }): Promise<T> {
      const mine = lanes.get(counter) ?? { counter, places: room.ofCounter(), jobs: [], running: 0 };
      return new Promise<T>((resolve, reject) => {
        const leave = mine.places.enter(options.beyondLimit);
        lanes.set(counter, mine);
        mine.jobs.push({
          leave,
          start: (slot) => {
            // The slot is free before anybody is told: whoever writes again then shall not find it taken.
            const ends =
              <A>(tell: (outcome: A) => void) =>
              (outcome: A) => {
                finish(mine, slot);
                tell(outcome);
              };
            work(slot).then(ends(resolve), ends(reject));
          },
          refuse: () => reject(new StorageAway("The write waited too long for its turn, try again later")),
          latestStart: options.beyondLimit ? Infinity : performance.now() + longestWaitMs,
        });
        if (mine.jobs.length === 1 && mine.running < perCounter) ready.push(mine);
        startNext();
        if (room.waiting() > 0) looking ??= setInterval(refuseLate, Math.min(LOOK_MS, longestWaitMs)).unref();
      });
    },
    waiting: () => room.waiting(),
    busy: () => slots.length - free.length,
  };
}

/**
 * Takes the slot that became free last of those that are usable; none when a usable one is at work, which is worth
 * waiting for. A broken slot fails its work at once and is free again at once: taken in order, it would get all that
 * comes while the others stand idle. With none usable, any says so without delay.
 */
export function takeUsable<S>(free: S[], all: readonly S[], usable: (slot: S) => boolean): S | undefined {
  const index = free.findLastIndex(usable);
  if (index !== -1) return free.splice(index, 1)[0];
  return all.some(usable) ? undefined : free.pop();
}
