/** The changes of the last while, for who comes back and wants those that it missed. */
import type { Database } from "../storage/database.ts";
import { NO_PARTITION, type Change, type FeedEvent } from "../storage/feed.ts";
import { readPartitionIndexes } from "./store.ts";

/** A change as it is kept. */
export interface KeptEvent {
  partition: string;
  index: number;
  /** Undefined when anything in the partition may have changed: another server did it, and it is not known what. */
  change: Change | undefined;
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
  const kept: KeptEvent[] = [];
  /** Writes of a partition up to this one may be missing: they were before the window, or have been dropped. */
  const floors = new Map<string, number>();
  const listeners = new Map<string, Set<HearEvents>>();
  /** Read after the window has begun to listen, so that whatever is newer is in it. */
  let begun: Promise<void> | undefined;

  function begin(): Promise<void> {
    begun ??= readPartitionIndexes(db).then(
      (indexes) => {
        for (const [partition, index] of indexes) raiseFloor(partition, index);
      },
      (error: unknown) => {
        begun = undefined;
        throw error;
      },
    );
    return begun;
  }

  function raiseFloor(partition: string, index: number): void {
    floors.set(partition, Math.max(floors.get(partition) ?? 0, index));
  }

  function hear(events: readonly FeedEvent[], told: (partition: string) => number | undefined): void {
    const byPartition = new Map<string, KeptEvent[]>();
    for (const event of events) {
      const { partition } = event;
      if (partition === NO_PARTITION) continue;
      const entry: KeptEvent =
        "all" in event
          ? { partition, index: told(partition) ?? 0, change: undefined }
          : { partition, index: event.index, change: event };
      kept.push(entry);
      const list = byPartition.get(partition);
      if (list === undefined) byPartition.set(partition, [entry]);
      else list.push(entry);
    }
    // In pieces: to shift an array by one costs as much as by many.
    if (kept.length > limit + limit / 8) {
      for (const { partition, index } of kept.splice(0, kept.length - limit)) raiseFloor(partition, index);
    }
    for (const [partition, list] of byPartition) {
      for (const listener of listeners.get(partition) ?? []) listener(list, told(partition));
    }
  }

  const unsubscribe = db.feed.subscribe({ onDurableTurn: hear });
  begin().catch(() => undefined);

  return {
    async since(partition, index) {
      await begin();
      if (index < (floors.get(partition) ?? 0)) return undefined;
      return kept.filter((event) => event.partition === partition && event.index > index);
    },
    subscribe(partition, listener) {
      let set = listeners.get(partition);
      if (set === undefined) listeners.set(partition, (set = new Set()));
      set.add(listener);
      return () => {
        if (set.delete(listener) && set.size === 0) listeners.delete(partition);
      };
    },
    close: unsubscribe,
  };
}
