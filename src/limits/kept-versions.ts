import { LRUCache } from "lru-cache";
import { shareWork, type SharedWork } from "../callers.ts";

/** What takes long to make of something stored: made once for each version of it, and kept. */
export interface KeptVersions<V> {
  /**
   * What is kept of something, or what is made of it now. All who ask while it is made share that, and it ends with the last
   * of them; what fails is forgotten.
   *
   * @param id of what it is made of
   * @param version of that
   * @param serves whether a version that is kept will do; only the same one unless given
   * @param make gets what was made of another version, if that is still kept
   */
  of(
    id: string,
    version: number,
    make: (previous: V | undefined) => Promise<V>,
    serves?: (kept: number) => boolean,
  ): Promise<V>;
  /** Memory of what is kept, about. */
  bytes(): number;
}

export interface KeptVersionsOptions {
  /** What is kept in all; what was used longest ago is forgotten first, what was used last is kept at any size. */
  maxBytes: number;
  /** What an entry takes beside what is made. */
  entryBytes?: number;
}

interface Entry<V> {
  readonly version: number;
  readonly value: SharedWork<V>;
  /** Once it is there. */
  readonly made: V | undefined;
}

/** Keeps nothing yet. @returns what counts the bytes that each value says it takes */
export function keepVersions<V extends { readonly bytes: number }>(options: KeptVersionsOptions): KeptVersions<V> {
  const { maxBytes, entryBytes = 0 } = options;
  const entries = new LRUCache<string, Entry<V>>({
    maxSize: maxBytes,
    // One that is as large as all that may be kept is kept alone.
    sizeCalculation: ({ made }) => Math.min(Math.max(entryBytes + (made?.bytes ?? 0), 1), maxBytes),
  });
  return {
    bytes: () => entries.calculatedSize,
    async of(id, version, make, serves = (kept) => kept === version) {
      const known = entries.get(id);
      const previous = known?.made;
      const alone = () => make(previous);
      if (known !== undefined && serves(known.version)) {
        if (known.made !== undefined) return known.made;
        if (!known.value.isGone()) return known.value.join(alone);
      }
      const entry: Entry<V> = { version, value: shareWork(alone), made: undefined };
      entries.set(id, entry);
      try {
        const made = await entry.value.join(alone);
        if (entries.peek(id) === entry) entries.set(id, { ...entry, made });
        return made;
      } catch (error) {
        if (entries.peek(id) === entry) entries.delete(id);
        throw error;
      }
    },
  };
}
