/** The commits of the thread that writes, as another thread of the process follows them. */
import { receiveMessageOnPort } from "node:worker_threads";
import type { Following } from "../database.ts";
import type { FeedEvent } from "../feed.ts";
import { PLACES, type FollowerMessage, type Told } from "./commit-board.ts";

export interface CommitFollower {
  /**
   * Learns of all that any answer may have shown that has left by now, of whichever thread. Asked at the start of each
   * request: it costs a look at the shared memory where nothing has changed.
   */
  catchUp(): void;
  /** See `EngineDatabase.whenDurable`: of whatever this thread may have read. */
  whenDurable(done: (error?: Error) => void): void;
  say(message: FollowerMessage): void;
  close(): void;
}

interface Waiter {
  upTo: number;
  done: (error?: Error) => void;
}

/**
 * @param hear told of what has changed, before anything is read that is newer
 * @param lostError what is said instead of an answer when what is written is not kept any more
 */
export function followCommits(
  { cells, port, told }: Following,
  hear: (events: readonly FeedEvent[]) => void,
  lostError: () => Error,
): CommitFollower {
  let heard = told;
  let waiters: Waiter[] = [];
  let isWatching = false;

  function take({ events }: Told): void {
    heard = (heard + 1) | 0;
    hear(events);
  }

  function catchUp(): void {
    while (heard !== Atomics.load(cells, PLACES.told)) {
      const next: { message: Told } | undefined = receiveMessageOnPort(port);
      // It is in the queue before the number says so.
      if (next === undefined) return;
      take(next.message);
    }
  }

  const isDurable = (upTo: number): boolean => ((Atomics.load(cells, PLACES.durable) - upTo) | 0) >= 0;
  const isLost = (): boolean => Atomics.load(cells, PLACES.lost) === 1;

  function settle(): void {
    const pending = waiters;
    waiters = [];
    for (const waiter of pending) {
      if (isDurable(waiter.upTo)) waiter.done();
      else if (isLost()) waiter.done(lostError());
      else waiters.push(waiter);
    }
  }

  async function watch(): Promise<void> {
    if (isWatching) return;
    isWatching = true;
    while (waiters.length > 0) {
      const before = Atomics.load(cells, PLACES.durable);
      settle();
      if (waiters.length === 0) break;
      await Atomics.waitAsync(cells, PLACES.durable, before).value;
      settle();
    }
    isWatching = false;
  }

  // Whoever waits for a change is woken by it; what was heard by `catchUp` is not told again.
  port.on("message", (message: Told) => {
    take(message);
    catchUp();
  });
  port.unref();

  return {
    catchUp,
    whenDurable(done) {
      const upTo = Atomics.load(cells, PLACES.begun);
      if (isDurable(upTo)) return done();
      if (isLost()) return done(lostError());
      waiters.push({ upTo, done });
      void watch();
    },
    say: (message) => port.postMessage(message),
    close: () => port.close(),
  };
}
