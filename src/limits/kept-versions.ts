import { LRUCache } from "lru-cache";
import { CallerGone, shareWork, throwIfGone, type SharedWork } from "../callers.ts";

/** What takes long to make of something stored: made once for each version of it, and kept. */
export interface KeptVersions<V> {
  /**
   * What is kept of something, or what is made of it now. All who ask while it is made share that, and it ends with the last
   * of them; what fails is forgotten.
   *
   * @param id of what it is made of
   * @param version of that
   * @param make gets what was made of another version, if that is still kept; where newer ones serve it reads after it is called
   */
  of(id: string, version: number, make: (previous: V | undefined) => Promise<V>): Promise<V>;
  /** The value that is kept of something, of whatever version; undefined where none is. */
  peek(id: string): V | undefined;
  /** Memory of what is kept, about. */
  bytes(): number;
}

export interface KeptVersionsOptions {
  /** What is kept in all; what was used longest ago is forgotten first, what was used last is kept at any size. */
  maxBytes: number;
  /** What an entry takes beside what is made. */
  entryBytes?: number;
  /**
   * Whether a newer version serves whoever asks for an older one. Then one at a time is made of each, from the one before:
   * whatever changes all the time is not made from nothing for everybody who asks meanwhile.
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
