import { StorageAway } from "../errors.ts";

export interface WriteQueue<S> {
  /**
   * Runs `work` when a slot is free and fewer than `perCounter` others run under
   * the same counter. Counters take turns, so a busy one starves nobody.
   *
   * @param options `beyondLimit` for the store's own work, which a full queue must not keep out
   * @throws AppError `unavailable` when `limit` others wait already, or half as many of the same counter
   */
  run<T>(counter: string, work: (slot: S) => Promise<T>, options?: { beyondLimit: boolean }): Promise<T>;
  /** How many wait. */
  waiting(): number;
  /** How many slots are in use. */
  busy(): number;
}

interface Lane<S> {
  counter: string;
  jobs: ((slot: S) => void)[];
  running: number;
}

/**
 * The queue in front of write connections.
 *
 * @param slots the connections (one on SQLite)
 * @param perCounter how many transactions of one counter may be under way
 * @param limit how many may wait over all counters; one counter gets half of it, so that it shuts no other out
 * @param usable whether a slot can do anything now; the others are used when there is no such slot
 */
export function createWriteQueue<S>(
  slots: readonly S[],
  perCounter: number,
  limit: number,
  usable: (slot: S) => boolean = () => true,
): WriteQueue<S> {
  const free = [...slots];
  const perLane = Math.ceil(limit / 2);
  const lanes = new Map<string, Lane<S>>();
  // Lanes that have a job and may start one, in the order of their turn.
  const ready: Lane<S>[] = [];
  let waiting = 0;

  function startNext(): void {
    while (free.length > 0 && ready.length > 0) {
      const slot = takeUsable(free, slots, usable);
      if (slot === undefined) return;
      const lane = ready.shift();
      const job = lane?.jobs.shift();
      if (lane === undefined || job === undefined) return void free.push(slot);
      waiting -= 1;
      lane.running += 1;
      if (lane.jobs.length > 0 && lane.running < perCounter) ready.push(lane);
      job(slot);
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
      let lane = lanes.get(counter);
      const isFull = waiting >= limit || (lane?.jobs.length ?? 0) >= perLane;
      if (isFull && !options.beyondLimit) {
        return Promise.reject(new StorageAway("Too many writes are waiting, try again later"));
      }
      if (lane === undefined) {
        lane = { counter, jobs: [], running: 0 };
        lanes.set(counter, lane);
      }
      const mine = lane;
      return new Promise<T>((resolve, reject) => {
        waiting += 1;
        mine.jobs.push((slot) => {
          work(slot)
            .then(resolve, reject)
            .finally(() => finish(mine, slot));
        });
        if (mine.jobs.length === 1 && mine.running < perCounter) ready.push(mine);
        startNext();
      });
    },
    waiting: () => waiting,
    busy: () => slots.length - free.length,
  };
}

/**
 * Takes the slot that became free last of those that are usable; none when a
 * usable one is at work, which is worth waiting for. A broken slot fails its work
 * at once and is free again at once: taken in order, it would get all that comes
 * while the others stand idle. With none usable, any says so without delay.
 */
export function takeUsable<S>(free: S[], all: readonly S[], usable: (slot: S) => boolean): S | undefined {
  const index = free.findLastIndex(usable);
  if (index !== -1) return free.splice(index, 1)[0];
  return all.some(usable) ? undefined : free.pop();
}
