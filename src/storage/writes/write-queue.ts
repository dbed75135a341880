import { StorageAway } from "../../errors.ts";
import { createWaitingRoom, type CounterPlaces, type WaitingRoom } from "./waiting-room.ts";
import { createWaitingTime, type WaitingTime } from "./waiting-time.ts";

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
  isOwnWork: boolean;
  /** By the time of waiting; never for the store's own work. */
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
  return new CounterQueue(slots, perCounter, limit, usable, longestWaitMs);
}

class CounterQueue<S> implements WriteQueue<S> {
  readonly #slots: readonly S[];
  readonly #perCounter: number;
  readonly #usable: (slot: S) => boolean;
  readonly #longestWaitMs: number;
  readonly #free: S[];
  readonly #room: WaitingRoom;
  readonly #lanes = new Map<string, Lane<S>>();
  // Lanes that have a job and may start one, in the order of their turn.
  readonly #ready: Lane<S>[] = [];
  readonly #time: WaitingTime;
  #looking: NodeJS.Timeout | undefined;
  /** Slots that the store's own work holds. */
  #ownWork = 0;

  /** While anything waits, looks now and then for what has waited too long; the oldest of a lane is its first. */
  readonly #refuseLate = (): void => {
    this.#time.look();
    const now = this.#time.now();
    for (const lane of this.#lanes.values()) {
      while ((lane.jobs[0]?.latestStart ?? Infinity) < now) {
        const job = lane.jobs.shift();
        job?.leave();
        job?.refuse();
      }
      if (lane.jobs.length > 0) continue;
      const place = this.#ready.indexOf(lane);
      if (place !== -1) this.#ready.splice(place, 1);
      if (lane.running === 0) this.#lanes.delete(lane.counter);
    }
    if (this.#room.waiting() > 0) return;
    clearInterval(this.#looking);
    this.#looking = undefined;
  };

  constructor(
    slots: readonly S[],
    perCounter: number,
    limit: number,
    usable: (slot: S) => boolean,
    longestWaitMs: number,
  ) {
    this.#slots = slots;
    this.#perCounter = perCounter;
    this.#usable = usable;
    this.#longestWaitMs = longestWaitMs;
    this.#free = [...slots];
    this.#room = createWaitingRoom(limit);
    this.#time = createWaitingTime(this.#lookMs(), () => this.#ownWork === this.#slots.length);
  }

  #lookMs(): number {
    return Math.min(LOOK_MS, this.#longestWaitMs);
  }

  run<T>(counter: string, work: (slot: S) => Promise<T>, options = { beyondLimit: false }): Promise<T> {
    const mine = this.#lanes.get(counter) ?? { counter, places: this.#room.ofCounter(), jobs: [], running: 0 };
    return new Promise<T>((resolve, reject) => {
      const leave = mine.places.enter(options.beyondLimit);
      this.#lanes.set(counter, mine);
      mine.jobs.push({
        leave,
        start: (slot) => {
          // The slot is free before anybody is told: whoever writes again then shall not find it taken.
          const ends =
            <A>(tell: (outcome: A) => void) =>
            (outcome: A) => {
              if (options.beyondLimit) this.#ownWork -= 1;
              this.#finish(mine, slot);
              tell(outcome);
            };
          work(slot).then(ends(resolve), ends(reject));
        },
        isOwnWork: options.beyondLimit,
        refuse: () => reject(new StorageAway("The write waited too long in the queue; retry later")),
        latestStart: options.beyondLimit ? Infinity : this.#time.now() + this.#longestWaitMs,
      });
      if (mine.jobs.length === 1 && mine.running < this.#perCounter) this.#ready.push(mine);
      this.#startNext();
      if (this.#room.waiting() > 0) this.#looking ??= setInterval(this.#refuseLate, this.#lookMs()).unref();
    });
  }

  waiting(): number {
    return this.#room.waiting();
  }

  busy(): number {
    return this.#slots.length - this.#free.length;
  }

  #startNext(): void {
    while (this.#free.length > 0 && this.#ready.length > 0) {
      const slot = takeUsable(this.#free, this.#slots, this.#usable);
      if (slot === undefined) return;
      const lane = this.#ready.shift();
      const job = lane?.jobs.shift();
      if (lane === undefined || job === undefined) return void this.#free.push(slot);
      job.leave();
      lane.running += 1;
      if (lane.jobs.length > 0 && lane.running < this.#perCounter) this.#ready.push(lane);
      if (job.isOwnWork) this.#ownWork += 1;
      job.start(slot);
    }
  }

  #finish(lane: Lane<S>, slot: S): void {
    this.#free.push(slot);
    const mayStart = lane.running === this.#perCounter && lane.jobs.length > 0;
    lane.running -= 1;
    if (mayStart) this.#ready.push(lane);
    else if (lane.running === 0 && lane.jobs.length === 0) this.#lanes.delete(lane.counter);
    this.#startNext();
  }
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
