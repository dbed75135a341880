/** The commits of the thread that writes, as another thread of the process follows them. */
import { receiveMessageOnPort } from "node:worker_threads";
import type { FollowingThread } from "../database.ts";
import type { FeedEvent } from "../feed/feed.ts";
import { PLACES, type FollowerMessage, type BoardMessage } from "./commit-board.ts";

export interface CommitFollower {
  /**
   * Learns of all that any answer may have shown that has left by now, of whichever thread. Asked at the start of each
   * request: it costs a look at the shared memory where nothing has changed.
   *
   * @throws Error when a message is missing, after which nothing that is remembered may be believed
   */
  catchUp(): void;
  /** See `EngineDatabase.whenDurable`: of whatever this thread may have read. */
  whenDurable(done: (error?: Error) => void): void;
  say(message: FollowerMessage): void;
  close(): void;
}

/** Receiver of the commits and events of the writing thread. */
export interface Listener {
  /** Called after a commit: later reads must show it. */
  onCommit(): void;
  /** Called with changes, before any newer answer. */
  onEvents(events: readonly FeedEvent[]): void;
  /** Error that replaces an answer when writes are not kept any more. */
  lostError(): Error;
}

interface Waiter {
  upTo: number;
  done: (error?: Error) => void;
}

export function followCommits(options: FollowingThread, listener: Listener): CommitFollower {
  return new ThreadFollower(options, listener);
}

class ThreadFollower implements CommitFollower {
  readonly #cells: FollowingThread["cells"];
  readonly #heard: FollowingThread["heard"];
  readonly #port: FollowingThread["port"];
  readonly #listener: Listener;
  // Another one than it is: the first look is a whole one.
  #known: number;
  #waiters: Waiter[] = [];
  #isWatching = false;

  constructor({ cells, heard, port }: FollowingThread, listener: Listener) {
    this.#cells = cells;
    this.#heard = heard;
    this.#port = port;
    this.#listener = listener;
    this.#known = (Atomics.load(cells, PLACES.durable) - 1) | 0;
    // A message wakes the waiters for a change. Each message is taken out of the queue once, here or by `catchUp`.
    port.on("message", (message) => this.#take(message));
    port.unref();
  }

  whenDurable(done: (error?: Error) => void): void {
    const upTo = Atomics.load(this.#cells, PLACES.begun);
    if (this.#isDurable(upTo)) return done();
    if (this.#isLost()) return done(this.#listener.lostError());
    this.#waiters.push({ upTo, done });
    void this.#watch();
  }

  say(message: FollowerMessage): void {
    this.#port.postMessage(message);
  }

  close(): void {
    this.#port.close();
  }

  #take({ events }: BoardMessage): void {
    Atomics.add(this.#heard, 0, 1);
    this.#listener.onCommit();
    this.#listener.onEvents(events);
  }

  catchUp(): void {
    // No answer leaves with what is newer than this number, and all that it means has been posted before it rises.
    const durable = Atomics.load(this.#cells, PLACES.durable);
    if (durable === this.#known) return;
    // Not every commit has something to tell.
    this.#listener.onCommit();
    // A message may have arrived by itself before the number that counts it has risen.
    while (((Atomics.load(this.#cells, PLACES.told) - Atomics.load(this.#heard, 0)) | 0) > 0) {
      const next: { message: BoardMessage } | undefined = receiveMessageOnPort(this.#port);
      if (next === undefined) throw new Error("the writing thread did not send a change that it announced");
      this.#take(next.message);
    }
    this.#known = durable;
  }

  #isDurable(upTo: number): boolean {
    return ((Atomics.load(this.#cells, PLACES.durable) - upTo) | 0) >= 0;
  }

  #isLost(): boolean {
    return Atomics.load(this.#cells, PLACES.lost) === 1;
  }

  #settle(): void {
    const pending = this.#waiters;
    this.#waiters = [];
    for (const waiter of pending) {
      if (this.#isDurable(waiter.upTo)) waiter.done();
      else if (this.#isLost()) waiter.done(this.#listener.lostError());
      else this.#waiters.push(waiter);
    }
  }

  async #watch(): Promise<void> {
    if (this.#isWatching) return;
    this.#isWatching = true;
    while (this.#waiters.length > 0) {
      // Before the look: what changes after it wakes this up at once.
      const before = Atomics.load(this.#cells, PLACES.news);
      this.#settle();
      if (this.#waiters.length > 0) await Atomics.waitAsync(this.#cells, PLACES.news, before).value;
    }
    this.#isWatching = false;
  }
}
