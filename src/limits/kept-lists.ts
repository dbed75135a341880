/**
 * Lists that take long to make: made once for each version of what they are made of, a few at a time, and kept as text for
 * those who turn their pages.
 */
import { LRUCache } from "lru-cache";
import { shareWork, type SharedWork } from "../callers.ts";
import type { PoolName } from "../pools.ts";
import { createOwnedLane } from "./owned-lane.ts";

/** A list as plain data that one thread may hand to another. */
export interface TextList {
  /** The texts of its entries, one behind the other, in UTF-8. */
  bytes: Uint8Array;
  /** Offset of the end of each text, in bytes. */
  ends: Uint32Array;
  /** Whether all that belongs into it is in it. */
  isWhole: boolean;
}

/** A page of a list. */
export interface TextPage {
  texts: string[];
  total: number;
  isWhole: boolean;
}

export interface KeptLists {
  /**
   * A page. All who ask for the same list while it is made share it, and it ends with the last of them; what fails is forgotten.
   *
   * @param owner of what the list is made from: only one list of each is made at a time
   * @param key of the list
   * @param version of what it is made from
   * @throws AppError `unavailable` when too many lists are waiting, or what `make` throws
   */
  page(
    list: { owner: string; key: string; version: string },
    page: { offset: number; size: number },
    make: () => Promise<TextList>,
  ): Promise<TextPage>;
}

export interface KeptListsOptions {
  /** See `createOwnedLane`. */
  pool: PoolName;
  /**
   * Maximum size of all lists that are kept; the least recently used one is dropped first. A longer list is made again
   * for each of its pages.
   */
  maxBytes: number;
  /** Lists that are made at a time. */
  running: number;
}

/** Approximate size of an entry without its list, in bytes. */
const ENTRY_BYTES = 500;

const encoder = new TextEncoder();

interface Entry {
  version: string;
  list: TextList;
}

/** Keeps nothing yet. */
export function createKeptLists({ pool, maxBytes, running }: KeptListsOptions): KeptLists {
  const kept = new LRUCache<string, Entry>({ maxSize: maxBytes });
  const making = new Map<string, SharedWork<TextList>>();
  const lane = createOwnedLane(pool, running, "Too many long lists are being created");

  function makeShared(name: string, owner: string, make: () => Promise<TextList>): Promise<TextList> {
    const alone = () => lane.run(owner, make);
    const known = making.get(name);
    if (known?.isGone() === false) return known.join(alone);
    const made = shareWork(alone);
    making.set(name, made);
    return made.join(alone).finally(() => {
      if (making.get(name) === made) making.delete(name);
    });
  }

  return {
    async page({ owner, key, version }, page, make) {
      const entry = kept.get(key);
      if (entry?.version === version) return pageOf(entry.list, page);
      const list = await makeShared(`${key}\n${version}`, owner, make);
      const size = list.bytes.length + list.ends.byteLength + key.length + version.length + ENTRY_BYTES;
      kept.set(key, { version, list }, { size });
      return pageOf(list, page);
    },
  };
}

function pageOf({ bytes, ends, isWhole }: TextList, { offset, size }: { offset: number; size: number }): TextPage {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const total = ends.length;
  const count = Math.max(0, Math.min(size, total - offset));
  const texts = Array.from({ length: count }, (_, index) => {
    const at = offset + index;
    return text.toString("utf8", at === 0 ? 0 : ends[at - 1], ends[at]);
  });
  return { texts, total, isWhole };
}

/** Packs texts as a list. Half of a surrogate pair, which UTF-8 cannot hold, becomes U+FFFD. */
export function packTexts(texts: readonly string[], isWhole = true): TextList {
  let end = 0;
  const ends = Uint32Array.from(texts, (text) => (end += Buffer.byteLength(text)));
  const bytes = new Uint8Array(end);
  // Each by itself: joined, halves of a pair at the end of one and the start of the next would become one character.
  for (const [index, text] of texts.entries()) encoder.encodeInto(text, bytes.subarray(ends[index - 1] ?? 0));
  return { bytes, ends, isWhole };
}
