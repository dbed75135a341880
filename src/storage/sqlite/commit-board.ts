/**
 * Shares the commits of the writing thread with the other threads of a process: numbers in memory that all threads see,
 * and the changes of the commits in the queue of each thread. Nothing here needs a clock.
 */
import { MessageChannel, type MessagePort } from "node:worker_threads";
import type { FollowingThread } from "../database.ts";
import type { FeedEvent } from "../feed/feed.ts";
import type { PlacedFile } from "./placement.ts";

/** Places in the shared memory. The numbers wrap around after 2³²: only differences are meaningful. */
export const PLACES = {
  /** Number of commits that have begun: a read may have seen any of them. */
  begun: 0,
  /** Number of the last commit that is on disk, with all before it. */
  durable: 1,
  /** Number of messages that each thread was sent: a thread that has read fewer has some to read. */
  told: 2,
  /** 1 when writes are not kept any more. */
  lost: 3,
  /** Raised after each change of `durable` or `lost`: waiters for either sleep on this one, and miss neither. */
  news: 4,
} as const;

/** Number of unread messages after which a thread counts as stopped, and is ended: they must not fill the memory. */
export const MOST_UNREAD = 65_536;

/** Message to a thread: events that have become durable since the message before. */
export interface BoardMessage {
  events: readonly FeedEvent[];
}

/** Message of a thread to the writing thread. */
export type FollowerMessage =
  /** Error message of SQLite about the file. */
  | { damaged: string }
  /** Description of a file that is not at its path any more. */
  | { moved: string };

/** Thread that follows the commits. */
interface Follower {
  port: MessagePort;
  /** Number of messages that it has read; it counts them itself, in memory that both threads see. */
  heard: Int32Array;
  onStuck: () => void;
}

/** Side of the writing thread. */
export type CommitBoard = ReturnType<typeof createCommitBoard>;

/**
 * @param onMessage told what a thread says
 * @param files those that the database consists of, where they lay when it was opened
 */
export function createCommitBoard(onMessage: (message: FollowerMessage) => void, files: readonly PlacedFile[] = []) {
  return new SharedBoard(onMessage, files);
}

class SharedBoard {
  readonly #onMessage: (message: FollowerMessage) => void;
  readonly #files: readonly PlacedFile[];
  readonly #cells = sharedCells(Object.keys(PLACES).length);
  readonly #followers = new Set<Follower>();
  #waiting: FeedEvent[] = [];

  constructor(onMessage: (message: FollowerMessage) => void, files: readonly PlacedFile[]) {
    this.#onMessage = onMessage;
    this.#files = files;
  }

  begin(): void {
    Atomics.add(this.#cells, PLACES.begun, 1);
  }

  begun(): number {
    return Atomics.load(this.#cells, PLACES.begun);
  }

  note(events: readonly FeedEvent[]): void {
    // One by one: a commit may have more of them than a call may have arguments.
    if (this.#followers.size > 0) for (const event of events) this.#waiting.push(event);
  }

  settle(upTo: number): void {
    if (this.#waiting.length > 0) {
      const events = this.#waiting;
      this.#waiting = [];
      this.#send({ events });
    }
    Atomics.store(this.#cells, PLACES.durable, upTo);
    this.#wake();
  }

  lose(): void {
    Atomics.store(this.#cells, PLACES.lost, 1);
    this.#wake();
  }

  follow(onStuck: () => void): { following: FollowingThread; leave: () => void } {
    const { port1: own, port2: port } = new MessageChannel();
    own.on("message", this.#onMessage);
    own.unref();
    const told = Atomics.load(this.#cells, PLACES.told);
    const heard = sharedCells(1);
    Atomics.store(heard, 0, told);
    const follower: Follower = { port: own, heard, onStuck };
    this.#followers.add(follower);
    return {
      following: { cells: this.#cells, heard, port, files: this.#files },
      leave: () => {
        this.#followers.delete(follower);
        own.close();
      },
    };
  }

  #wake(): void {
    Atomics.add(this.#cells, PLACES.news, 1);
    Atomics.notify(this.#cells, PLACES.news);
  }

  #send(told: BoardMessage): void {
    const number = Atomics.load(this.#cells, PLACES.told);
    for (const follower of this.#followers) {
      if (((number - Atomics.load(follower.heard, 0)) | 0) < MOST_UNREAD) follower.port.postMessage(told);
      else this.#end(follower);
    }
    // Behind the messages: whoever sees the number finds them.
    Atomics.add(this.#cells, PLACES.told, 1);
  }

  #end(follower: Follower): void {
    this.#followers.delete(follower);
    follower.onStuck();
  }
}

function sharedCells(count: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(count * Int32Array.BYTES_PER_ELEMENT));
}
