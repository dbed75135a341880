/** The changes of the last while, for who comes back and wants those that it missed. */
import type { Database } from "../storage/database.ts";
import { NO_PARTITION, type TouchedObject, type FeedEvent } from "../storage/feed/feed.ts";
import { readPartitionIndexes } from "./store.ts";

/** A change as it is kept. */
export interface KeptEvent {
  partition: string;
  index: number;
  /** Undefined when anything in the partition may have changed: another server did it, and it is not known what. */
  change: TouchedObject | undefined;
}

/** Receives events that became known together. @param upTo index up to which they are complete */
export type HearEvents = (events: readonly KeptEvent[], upTo: number | undefined) => void;

export interface EventWindow {
  /** Returns the changes in a partition after the write with this index; undefined when they are no longer known. */
  since(partition: string, index: number): Promise<KeptEvent[] | undefined>;
  /** Hears of all changes in a partition from now on. @returns a function that ends it */
  subscribe(partition: string, hear: HearEvents): () => void;
  close(): void;
}

/** Keeps the last changes of a database, of all partitions together. @param limit how many */
export function createEventWindow(db: Database, limit: number): EventWindow {
  return new LastEvents(db, limit);
}

class LastEvents implements EventWindow {
  readonly #db: Database;
  readonly #limit: number;
  readonly #kept: KeptEvent[] = [];
  /** Writes of a partition up to this one may be missing: they were before the window, or have been dropped. */
  readonly #floors = new Map<string, number>();
  readonly #listeners = new Map<string, Set<HearEvents>>();
  readonly #unsubscribe: () => void;
  /** Read after the window has begun to listen, so that whatever is newer is in it. */
  #begun: Promise<void> | undefined;

  constructor(db: Database, limit: number) {
    this.#db = db;
    this.#limit = limit;
    this.#unsubscribe = db.feed.subscribe({ onDurableTurn: (events, told) => this.#hear(events, told) });
    this.#begin().catch(() => undefined);
  }

  async since(partition: string, index: number): Promise<KeptEvent[] | undefined> {
    await this.#begin();
    if (index < (this.#floors.get(partition) ?? 0)) return undefined;
    return this.#kept.filter((event) => event.partition === partition && event.index > index);
  }

  subscribe(partition: string, hear: HearEvents): () => void {
    const listeners = this.#listeners.get(partition) ?? new Set();
    this.#listeners.set(partition, listeners);
    listeners.add(hear);
    return () => {
      if (listeners.delete(hear) && listeners.size === 0) this.#listeners.delete(partition);
    };
  }

  close(): void {
    this.#unsubscribe();
  }

  #begin(): Promise<void> {
    this.#begun ??= readPartitionIndexes(this.#db).then(
      (indexes) => {
        for (const [partition, index] of indexes) this.#raiseFloor(partition, index);
      },
      (error: unknown) => {
        this.#begun = undefined;
        throw error;
      },
    );
    return this.#begun;
  }

  #raiseFloor(partition: string, index: number): void {
    this.#floors.set(partition, Math.max(this.#floors.get(partition) ?? 0, index));
  }

  #hear(events: readonly FeedEvent[], told: (partition: string) => number | undefined): void {
    const byPartition = new Map<string, KeptEvent[]>();
    for (const event of events) {
      const { partition } = event;
      if (partition === NO_PARTITION) continue;
      const entry: KeptEvent =
        "all" in event
          ? { partition, index: told(partition) ?? 0, change: undefined }
          : { partition, index: event.index, change: event };
      this.#kept.push(entry);
      const list = byPartition.get(partition);
      if (list === undefined) byPartition.set(partition, [entry]);
      else list.push(entry);
    }
    this.#dropOldest();
    for (const [partition, list] of byPartition) {
      for (const listener of this.#listeners.get(partition) ?? []) listener(list, told(partition));
    }
  }

  /** In pieces: to shift an array by one costs as much as by many. */
  #dropOldest(): void {
    const [kept, limit] = [this.#kept, this.#limit];
    if (kept.length <= limit + limit / 8) return;
    for (const { partition, index } of kept.splice(0, kept.length - limit)) this.#raiseFloor(partition, index);
  }
}
