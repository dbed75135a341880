import { LRUCache } from "lru-cache";
import { CallerGone, shareWork, throwIfGone, type SharedWork } from "../callers.ts";

/** Values that take long to derive from stored objects: made once for each version of an object, and kept. */
export interface KeptVersions<V> {
  /**
   * Returns the kept value of an object, or makes it. All callers that ask while it is made share it, and the work ends
   * when the last of them is gone. An error is not kept.
   *
   * @param id of the object
   * @param version of the object
   * @param make gets the value of another version, if that is still kept; where newer ones serve, it reads the object
   *   after it is called
   */
  of(id: string, version: number, make: (previous: V | undefined) => Promise<V>): Promise<V>;
  /** Returns the kept value of an object, of any version; undefined without one. */
  peek(id: string): V | undefined;
  /** Approximate size of all that is kept, in bytes. */
  bytes(): number;
}

export interface KeptVersionsOptions {
  /** Maximum size of all that is kept; the least recently used is dropped first, the last used kept at any size. */
  maxBytes: number;
  /** Size of an entry without its value, in bytes. */
  entryBytes?: number;
  /**
   * Whether a newer version serves a caller that asks for an older one. Then one version of an object is made at a
   * time, from the one before: an object that changes all the time is not made from nothing for each caller.
   */
  newerServes?: boolean;
}

interface Entry<V> {
  readonly version: number;
  readonly value: SharedWork<V>;
  /** Once it is there. */
  readonly made: V | undefined;
  /** The newest version that somebody waits for who cannot be served by this one. */
  wanted: number;
}

/** Keeps nothing yet. @returns what counts the bytes that each value says it takes */
export function keepVersions<V extends { readonly bytes: number }>(options: KeptVersionsOptions): KeptVersions<V> {
  const { maxBytes, entryBytes = 0, newerServes = false } = options;
  const entries = new LRUCache<string, Entry<V>>({
    maxSize: maxBytes,
    // One that is as large as all that may be kept is kept alone.
    sizeCalculation: ({ made }) => Math.min(Math.max(entryBytes + (made?.bytes ?? 0), 1), maxBytes),
  });
  const serves = (kept: number, version: number) => kept === version || (newerServes && kept > version);

  async function begin(
    id: string,
    version: number,
    previous: V | undefined,
    make: (previous: V | undefined) => Promise<V>,
  ): Promise<V> {
    const alone = () => make(previous);
    const entry: Entry<V> = { version, value: shareWork(alone), made: undefined, wanted: version };
    entries.set(id, entry);
    try {
      const made = await entry.value.join(alone);
      if (entries.peek(id) === entry) entries.set(id, { ...entry, made });
      return made;
    } catch (error) {
      if (entries.peek(id) === entry) entries.delete(id);
      throw error;
    }
  }

  return {
    bytes: () => entries.calculatedSize,
    peek: (id) => entries.peek(id)?.made,
    async of(id, asked, make) {
      let version = asked;
      let known = entries.get(id);
      if (known !== undefined && !serves(known.version, version) && newerServes && isBeingMade(known)) {
        known.wanted = Math.max(known.wanted, version);
        const nothing = () => Promise.reject(new CallerGone());
        // A failure is tried anew.
        await known.value.join(nothing).catch(() => undefined);
        throwIfGone();
        // All that is made from here on is new enough for all who waited.
        version = known.wanted;
        known = entries.get(id);
      }
      if (known !== undefined && serves(known.version, version)) {
        if (known.made !== undefined) return known.made;
        if (!known.value.isGone()) return known.value.join(() => make(known?.made));
      }
      return begin(id, version, known?.made, make);
    },
  };
}

function isBeingMade({ made, value }: Entry<unknown>): boolean {
  return made === undefined && !value.isGone();
}
