/**
 * What the threads of a process know of the commits of the one that writes: three numbers in memory that all of them see,
 * and what the commits mean, in the queue of each. Nothing here needs a clock.
 */
import { MessageChannel, type MessagePort } from "node:worker_threads";
import type { Following } from "../database.ts";
import type { FeedEvent } from "../feed.ts";

/** Places in the shared memory. The numbers go round after 2³²: only differences count. */
export const PLACES = {
  /** Commits that have begun: a read may have seen any of them. */
  begun: 0,
  /** Those that are on disk, up to this one. */
  durable: 1,
  /** Messages that each thread was sent: whoever has heard fewer has some to hear. */
  told: 2,
  /** 1 when what is written is not kept any more. */
  lost: 3,
} as const;

/** What a thread is told in one message: what has become durable since the one before. */
export interface Told {
  events: readonly FeedEvent[];
}

/** What a thread says to the one that writes. */
export type FollowerMessage = { damaged: string };

/** The side of the thread that writes. */
export type CommitBoard = ReturnType<typeof createCommitBoard>;

/** @param onMessage told what a thread says */
export function createCommitBoard(onMessage: (message: FollowerMessage) => void) {
  const cells = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * Object.keys(PLACES).length));
  const ports = new Set<MessagePort>();
  let waiting: FeedEvent[] = [];

  return {
    /** To be called before each commit: as soon as it is made, others may read it. */
    begin(): void {
      Atomics.add(cells, PLACES.begun, 1);
    },
    begun: () => Atomics.load(cells, PLACES.begun),
    /** Adds what a commit means; told when it is durable, before which no answer shows it. */
    note(events: readonly FeedEvent[]): void {
      if (ports.size > 0) waiting.push(...events);
    },
    /** Tells the threads of all commits so far, then that those up to this one are durable. @param upTo a value of `begun` */
    settle(upTo: number): void {
      if (waiting.length > 0) {
        const told: Told = { events: waiting };
        waiting = [];
        for (const port of ports) port.postMessage(told);
        // Behind the messages: whoever sees the number finds them.
        Atomics.add(cells, PLACES.told, 1);
      }
      Atomics.store(cells, PLACES.durable, upTo);
      Atomics.notify(cells, PLACES.durable);
    },
    /** What is written from now on is not kept: no thread may answer any more. */
    lose(): void {
      Atomics.store(cells, PLACES.lost, 1);
      Atomics.notify(cells, PLACES.durable);
    },
    /**
     * Lets one more thread follow.
     *
     * @returns what it needs, and a function that ends it
     */
    follow(): { following: Following; leave: () => void } {
      const { port1: own, port2: port } = new MessageChannel();
      own.on("message", onMessage);
      own.unref();
      ports.add(own);
      // What waits is of before: the thread has nothing yet that it could concern.
      return {
        following: { cells, port, told: Atomics.load(cells, PLACES.told) },
        leave() {
          ports.delete(own);
          own.close();
        },
      };
    },
  };
}
