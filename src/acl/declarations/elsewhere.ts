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
  return new ReadAgain(db);
}

class ReadAgain implements Elsewhere {
  readonly #db: Pick<Database, "feed" | "long">;
  readonly #found = new Map<string, OwnedIndex>();
  /** Partitions whose declarations have changed since they were read. */
  readonly #changed = new Set<string>();
  /** States of the declarations of partitions when they were last compared. */
  #states = new Map<string, string>();
  /** Whether some may have changed, and it is not known where. */
  #isUncertain = true;
  #reading: Promise<void> | undefined;

  constructor(db: Pick<Database, "feed" | "long">) {
    this.#db = db;
    db.feed.subscribe({
      onCommitted: (event) => {
        if ("all" in event) this.#isUncertain = true;
        else if (event.table === DECLARATIONS) this.#changed.add(event.partition);
      },
    });
  }

  refresh(): Promise<void> | undefined {
    if (!this.#db.feed.isTrusted()) this.#isUncertain = true;
    if (this.#reading === undefined) return this.#isPending() ? this.#begin() : undefined;
    if (!this.#isPending()) return this.#reading;
    // The reading may have begun before the last change; a reading that follows it has not.
    return this.#reading
      .catch(() => undefined)
      .then(() => this.#reading ?? (this.#isPending() ? this.#begin() : undefined));
  }

  known(): ReadonlyMap<string, OwnedIndex> {
    return this.#found;
  }

  #isPending(): boolean {
    return this.#isUncertain || this.#changed.size > 0;
  }

  /** The result is kept for all, so it goes on when the first caller is gone. */
  #begin(): Promise<void> {
    this.#reading = workFor(nobodyOnShare(), () => this.#read()).finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  async #read(): Promise<void> {
    if (this.#isUncertain) await this.#compare();
    for (const partition of Array.from(this.#changed)) await this.#readOne(partition);
  }

  async #compare(): Promise<void> {
    this.#isUncertain = false;
    try {
      const now = await statesOfPartitions(this.#db.long);
      for (const name of new Set([...this.#states.keys(), ...now.keys()]))
        if (this.#states.get(name) !== now.get(name)) this.#changed.add(name);
      this.#states = now;
    } catch (error) {
      this.#isUncertain = true;
      throw error;
    }
  }

  async #readOne(partition: string): Promise<void> {
    this.#changed.delete(partition);
    // All that is owned there is looked at by every write anyway.
    if (partition === DEFAULT_SCOPE.partition) return;
    try {
      const index = await readOwned(this.#db, partition, (key) => partitionOf(key) !== partition);
      this.#found.delete(partition);
      const others = [...this.#found.values()].reduce((sum, { byKey }) => sum + byKey.size, 0);
      if (index.byKey.size > 0 && others + index.byKey.size <= MOST_OBJECTS) this.#found.set(partition, index);
    } catch (error) {
      this.#changed.add(partition);
      throw error;
    }
  }
}
