/**
 * Objects that declarations own outside of their partition: organizations and what is in them, which lie in none, and objects of
 * other partitions. It is little, and asked for by every write, so it is kept whole and only read again where something changed.
 */
import { nobodyOnShare, workFor } from "../../callers.ts";
import type { Database } from "../../storage/database.ts";
import { DECLARATIONS } from "../../rights/kinds.ts";
import { DEFAULT_SCOPE } from "../../rights/scope.ts";
import { partitionOf } from "./owned-keys.ts";
import { readOwned, type OwnedIndex } from "./owned-index.ts";
import { statesOfPartitions } from "./store.ts";

export interface Elsewhere {
  /** Reads what has changed. @returns undefined where nothing has */
  refresh(): Promise<void> | undefined;
  /** The objects that are owned so, by the partition of the declarations. */
  known(): ReadonlyMap<string, OwnedIndex>;
}

/** Objects in all, beyond which no more are known. Only who may write an object can say that it is owned elsewhere. */
const MOST_OBJECTS = 100_000;

export function createElsewhere(db: Pick<Database, "feed" | "long">): Elsewhere {
  const found = new Map<string, OwnedIndex>();
  /** Partitions whose declarations have changed since they were read. */
  const changed = new Set<string>();
  /** In what state the declarations of a partition were when they were last compared. */
  let states = new Map<string, string>();
  /** Whether some may have changed, and it is not known where. */
  let isUncertain = true;
  let reading: Promise<void> | undefined;

  db.feed.subscribe({
    onCommitted(event) {
      if ("all" in event) isUncertain = true;
      else if (event.table === DECLARATIONS) changed.add(event.partition);
    },
  });

  async function compare(): Promise<void> {
    isUncertain = false;
    try {
      const now = await statesOfPartitions(db.long);
      for (const name of new Set([...states.keys(), ...now.keys()]))
        if (states.get(name) !== now.get(name)) changed.add(name);
      states = now;
    } catch (error) {
      isUncertain = true;
      throw error;
    }
  }

  async function readOne(partition: string): Promise<void> {
    changed.delete(partition);
    // All that is owned there is looked at by every write anyway.
    if (partition === DEFAULT_SCOPE.partition) return;
    try {
      const index = await readOwned(db, partition, (key) => partitionOf(key) !== partition);
      found.delete(partition);
      const others = [...found.values()].reduce((sum, { byKey }) => sum + byKey.size, 0);
      if (index.byKey.size > 0 && others + index.byKey.size <= MOST_OBJECTS) found.set(partition, index);
    } catch (error) {
      changed.add(partition);
      throw error;
    }
  }

  async function read(): Promise<void> {
    if (isUncertain) await compare();
    for (const partition of Array.from(changed)) await readOne(partition);
  }

  const isPending = (): boolean => isUncertain || changed.size > 0;

  /** The result is kept for all, so it goes on when who has asked first is gone. */
  function begin(): Promise<void> {
    reading = workFor(nobodyOnShare(), read).finally(() => (reading = undefined));
    return reading;
  }

  return {
    refresh() {
      if (!db.feed.isTrusted()) isUncertain = true;
      if (reading === undefined) return isPending() ? begin() : undefined;
      if (!isPending()) return reading;
      // The reading may have begun before the last change; a reading that follows it has not.
      return reading.catch(() => undefined).then(() => reading ?? (isPending() ? begin() : undefined));
    },
    known: () => found,
  };
}
