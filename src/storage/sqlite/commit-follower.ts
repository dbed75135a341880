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

export function followCommits({ cells, heard, port }: FollowingThread, listener: Listener): CommitFollower {
  // Another one than it is: the first look is a whole one.
  let known = (Atomics.load(cells, PLACES.durable) - 1) | 0;
  let waiters: Waiter[] = [];
  let isWatching = false;

  function take({ events }: BoardMessage): void {
    Atomics.add(heard, 0, 1);
    listener.onCommit();
    listener.onEvents(events);
  }

  function catchUp(): void {
    // No answer leaves with what is newer than this number, and all that it means has been posted before it rises.
    const durable = Atomics.load(cells, PLACES.durable);
    if (durable === known) return;
    // Not every commit has something to tell.
    listener.onCommit();
    // A message may have arrived by itself before the number that counts it has risen.
    while (((Atomics.load(cells, PLACES.told) - Atomics.load(heard, 0)) | 0) > 0) {
      const next: { message: BoardMessage } | undefined = receiveMessageOnPort(port);
      if (next === undefined) throw new Error("the thread that writes has not told what it said that it had");
      take(next.message);
    }
    known = durable;
  }

  const isDurable = (upTo: number): boolean => ((Atomics.load(cells, PLACES.durable) - upTo) | 0) >= 0;
  const isLost = (): boolean => Atomics.load(cells, PLACES.lost) === 1;

  function settle(): void {
    const pending = waiters;
    waiters = [];
    for (const waiter of pending) {
      if (isDurable(waiter.upTo)) waiter.done();
      else if (isLost()) waiter.done(listener.lostError());
      else waiters.push(waiter);
    }
  }

  async function watch(): Promise<void> {
    if (isWatching) return;
    isWatching = true;
    while (waiters.length > 0) {
      // Before the look: what changes after it wakes this up at once.
      const before = Atomics.load(cells, PLACES.news);
      settle();
      if (waiters.length > 0) await Atomics.waitAsync(cells, PLACES.news, before).value;
    }
    isWatching = false;
  }

  // A message wakes the waiters for a change. Each message is taken out of the queue once, here or by `catchUp`.
  port.on("message", take);
  port.unref();

  return {
    catchUp,
    whenDurable(done) {
      const upTo = Atomics.load(cells, PLACES.begun);
      if (isDurable(upTo)) return done();
      if (isLost()) return done(listener.lostError());
      waiters.push({ upTo, done });
      void watch();
    },
    say: (message) => port.postMessage(message),
    close: () => port.close(),
  };
}
