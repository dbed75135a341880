/**
 * The queue in front of the writers. Writes of one counter are serial in any case, so those that wait at the same time
 * share a turn, which is a transaction: its lock, its counter, its feed and its commit are paid once for all of them.
 */
import { StorageAway } from "../../errors.ts";
import { counterName, type Counter } from "../writes/counters.ts";
import type { EngineTransaction } from "../database.ts";
import type { WriteQueue } from "../writes/write-queue.ts";
import { createWaitingRoom, type CounterPlaces, type WaitingRoom } from "../writes/waiting-room.ts";
import { createWaitingTime } from "../writes/waiting-time.ts";
import { TransactionExpired } from "./faults.ts";
import type { QueuedWrite, PostgresWriter } from "./writer.ts";

export interface WriteTurns {
  /**
   * Runs `work` in the next turn of its counter that has room, and once more when the database ended that transaction
   * because it stood still: nothing of it was done, and the next one hardly meets a second such moment.
   *
   * @throws AppError `unavailable` when too many wait already, or when its turn does not come in time
   */
  run<T>(counter: Counter, work: (tx: EngineTransaction) => Promise<T>): Promise<T>;
  /** How many wait. */
  waiting(): number;
}

interface WriteTurnsOptions {
  /** Gives a turn a connection; two of one counter at a time, so that one begins while the other commits. */
  queue: WriteQueue<PostgresWriter>;
  /** How many may wait over all counters; one counter gets half of it, so that it shuts no other out. */
  limit: number;
  /** After so long one that has not begun is refused: nothing has happened, and its client may ask another server. */
  longestWaitMs: number;
}

interface Waiting extends QueuedWrite {
  /** Gives back its place among those that wait. */
  leave(): void;
  /** By the time of waiting. */
  latestStart: number;
}

interface Lane {
  readonly name: string;
  readonly counter: Counter;
  readonly places: CounterPlaces;
  readonly jobs: Waiting[];
  /** Whether a turn is asked for that has not begun. */
  isAsked: boolean;
  /** Whether a turn is under way that takes more. */
  isOpen: boolean;
}

/** Writes that share a turn, and how long it goes on to take more: other servers wait for the lock meanwhile. */
const MOST = 32;
const LONGEST_TURN_MS = 20;
const LOOK_MS = 500;

export function createWriteTurns(options: WriteTurnsOptions): WriteTurns {
  return new CounterTurns(options);
}

class CounterTurns implements WriteTurns {
  readonly #queue: WriteTurnsOptions["queue"];
  readonly #longestWaitMs: WriteTurnsOptions["longestWaitMs"];
  readonly #lanes = new Map<string, Lane>();
  readonly #room: WaitingRoom;
  readonly #time = createWaitingTime(LOOK_MS);
  #looking: NodeJS.Timeout | undefined;

  /** While anything waits, looks now and then for what has waited too long; the oldest of a lane is its first. */
  readonly #refuseLate = (): void => {
    this.#time.look();
    const now = this.#time.now();
    for (const lane of this.#lanes.values()) {
      while ((lane.jobs[0]?.latestStart ?? Infinity) < now) {
        this.#take(lane)?.reject(new StorageAway("The write waited too long in the queue; retry later"));
      }
    }
    if (this.#room.waiting() > 0) return;
    clearInterval(this.#looking);
    this.#looking = undefined;
  };

  constructor({ queue, limit, longestWaitMs }: WriteTurnsOptions) {
    this.#queue = queue;
    this.#longestWaitMs = longestWaitMs;
    this.#room = createWaitingRoom(limit);
  }

  run<T>(counter: Counter, work: (tx: EngineTransaction) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const job: QueuedWrite = { work, resolve, reject };
      const enter = (each: QueuedWrite, beyondLimit: boolean): void => {
        const lane = this.#laneOf(counter);
        try {
          this.#put(lane, each, lane.places.enter(beyondLimit));
        } finally {
          // One that was refused leaves no lane behind that nobody is in.
          this.#ask(lane);
        }
      };
      const again = (error: unknown) => (error instanceof TransactionExpired ? enter(job, true) : reject(error));
      enter({ ...job, reject: again }, false);
    });
  }

  waiting(): number {
    return this.#room.waiting();
  }

  #laneOf(counter: Counter): Lane {
    const name = nameOf(counter);
    let lane = this.#lanes.get(name);
    if (lane === undefined) {
      lane = { name, counter, places: this.#room.ofCounter(), jobs: [], isAsked: false, isOpen: false };
      this.#lanes.set(name, lane);
    }
    return lane;
  }

  #take(lane: Lane): QueuedWrite | undefined {
    const job = lane.jobs.shift();
    job?.leave();
    return job;
  }

  /** Sees to it that somebody takes what waits. */
  #ask(lane: Lane): void {
    if (lane.isAsked || lane.isOpen) return;
    if (lane.jobs.length === 0) return void this.#lanes.delete(lane.name);
    lane.isAsked = true;
    // The limit is kept here. A turn waits for a connection for as long as any of its writes does.
    void this.#queue.run(counterName(lane.counter), (writer) => this.#takeTurn(lane, writer), { beyondLimit: true });
  }

  async #takeTurn(lane: Lane, writer: PostgresWriter): Promise<void> {
    lane.isAsked = false;
    const first = this.#take(lane);
    if (first === undefined) return this.#ask(lane);
    let isTaking = (lane.isOpen = true);
    const close = () => {
      if (!isTaking) return;
      isTaking = lane.isOpen = false;
      this.#ask(lane);
    };
    let taken = 1;
    let end: number | undefined;
    const next = (): QueuedWrite | undefined => {
      end ??= performance.now() + LONGEST_TURN_MS;
      const isOver = !isTaking || taken === MOST || performance.now() > end;
      const job = isOver ? undefined : this.#take(lane);
      if (job === undefined) close();
      taken += 1;
      return job;
    };
    try {
      // A lease is not raised, and its work is one node's alone.
      await writer.transact(lane.counter, first, lane.counter.kind === "lease" ? () => undefined : next);
    } finally {
      close();
    }
  }

  #put(lane: Lane, job: QueuedWrite, leave: () => void): void {
    lane.jobs.push({ ...job, leave, latestStart: this.#time.now() + this.#longestWaitMs });
    this.#ask(lane);
    if (this.#room.waiting() > 0)
      this.#looking ??= setInterval(this.#refuseLate, Math.min(LOOK_MS, this.#longestWaitMs)).unref();
  }
}

/**
 * Names the group of writes that share turns: writes with the same locks. Writes that also take `root` form a group of
 * their own, and so does each hold of a lease.
 */
function nameOf(counter: Counter): string {
  const name = counterName(counter);
  if (counter.kind === "lease") return `${name} ${counter.fence} ${counter.holder}`;
  return counter.kind === "partition" && counter.afterRoot === true ? `root and ${name}` : name;
}
