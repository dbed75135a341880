/** Counts that take long: made once for each version of what is counted, and kept for those who turn the pages. */
import { LRUCache } from "lru-cache";
import { shareWork, type SharedWork } from "../callers.ts";

export interface KeptCounts {
  /**
   * A count. All who ask for the same one while it is made share it, and it ends with the last of them; what fails is forgotten.
   *
   * @param key of what is counted
   * @param version of what it is counted from
   * @throws what `make` throws
   */
  count(of: { key: string; version: string }, make: () => Promise<number>): Promise<number>;
}

interface Entry {
  version: string;
  count: SharedWork<number>;
}

/** Approximate size of an entry without its texts, in bytes. */
const ENTRY_BYTES = 300;

/** Keeps nothing yet. @param maxBytes what was used longest ago is forgotten first */
export function createKeptCounts(maxBytes: number): KeptCounts {
  const kept = new LRUCache<string, Entry>({ maxSize: maxBytes });
  return {
    async count({ key, version }, make) {
      const known = kept.get(key);
      if (known?.version === version && !known.count.isGone()) return known.count.join(make);
      const count = shareWork(make);
      kept.set(key, { version, count }, { size: 2 * (key.length + version.length) + ENTRY_BYTES });
      try {
        return await count.join(make);
      } catch (error) {
        if (kept.peek(key)?.count === count) kept.delete(key);
        throw error;
      }
    },
  };
}
