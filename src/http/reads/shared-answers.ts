/**
 * Answers that many ask for: made once, kept as text for as long as the tables
 * that they were made from have not changed.
 */
import { LRUCache } from "lru-cache";
import { shareWork, type SharedWork, throwIfGone } from "../../callers.ts";
import { afterNextTurn } from "../../turns.ts";

/** An answer as it is sent. */
export interface MadeAnswer {
  /** JSON; as bytes when it is long, so that it is not encoded for each who is sent it. */
  body: string | Buffer;
  /** Headers of its own, such as the cursor of the next page. */
  headers: Readonly<Record<string, string>>;
  /** The key of the object that it shows, for those that wait for its next change. */
  key: string | undefined;
  /** The index to show, where it is the object's own and not that of its table. */
  index?: number | undefined;
}

type Make = () => Promise<MadeAnswer | undefined>;

export type SharedAnswers = ReturnType<typeof createSharedAnswers>;

interface Entry {
  indexes: string;
  answer: MadeAnswer;
  /** Since which change it is known to be right, and the index that it is told with. */
  known: { changes: number; index: number } | undefined;
}

const MAX_BYTES = 24 * 1024 * 1024;
/** The longest answer that is kept, in bytes. */
export const MAX_SHARED_BYTES = 8 * 1024 * 1024;
/** An entry without its texts, about. */
const ENTRY_BYTES = 400;
/** From here on a text is kept as bytes. */
const BYTES_FROM = 16 * 1024;

/** Makes an empty store of answers, which forgets what was used longest ago when it is full. */
export function createSharedAnswers() {
  const entries = new LRUCache<string, Entry>({ maxSize: MAX_BYTES, maxEntrySize: MAX_SHARED_BYTES });
  const making = new Map<string, SharedWork<MadeAnswer | undefined>>();
  let hits = 0;
  let misses = 0;

  /** The answer, if it is kept and was made at these indexes. */
  function find(key: string, indexes: string): MadeAnswer | undefined {
    const entry = entries.get(key);
    if (entry?.indexes !== indexes) {
      misses += 1;
      return undefined;
    }
    hits += 1;
    return entry.answer;
  }

  /** The answer, if it is kept and nothing at all has changed since `confirm`. @param changes see `Feed.changes` */
  function findUnchanged(key: string, changes: number): { answer: MadeAnswer; index: number } | undefined {
    const entry = entries.get(key);
    if (entry?.known?.changes !== changes) return undefined;
    hits += 1;
    return { answer: entry.answer, index: entry.known.index };
  }

  /** Notes that an answer is the one of these indexes, and they those of now. @param index with which it is told */
  function confirm(key: string, changes: number | undefined, index: number, indexes: string): void {
    if (changes === undefined) return;
    const entry = entries.peek(key);
    if (entry?.indexes === indexes) entry.known = { changes, index };
  }

  /** Keeps an answer for which these indexes were read before its rows. */
  function keep(key: string, indexes: string, answer: MadeAnswer): void {
    const size =
      answer.body.length * (typeof answer.body === "string" ? 2 : 1) + key.length + indexes.length + ENTRY_BYTES;
    entries.set(key, { indexes, answer, known: undefined }, { size });
  }

  /**
   * Gives the answer, made at most once for all that ask for it with the same
   * indexes while it is made, and ends with the last of them. `make` reads after it is called, so its answer is at least as new.
   *
   * @param make gives undefined where the answer is too long to be made at once
   */
  async function share(key: string, indexes: string, make: Make): Promise<MadeAnswer | undefined> {
    const name = `${indexes}\0${key}`;
    const shared = making.get(name);
    if (shared?.isGone() === false) return shared.join(make);
    const mine = shareWork(make);
    making.set(name, mine);
    try {
      return await mine.join(make);
    } finally {
      void afterNextTurn().then(() => {
        if (making.get(name) === mine) making.delete(name);
      });
    }
  }

  return {
    /** Whether there is an answer, made at whatever indexes: whoever asks with this key has been given one. */
    has: (key: string) => entries.has(key),
    find,
    findUnchanged,
    confirm,
    share,
    /**
     * The answer: one that is kept, or that is made for all who ask meanwhile, and kept from then on.
     *
     * @param keeps whether it may be given to who asks later, while the indexes are the same
     * @throws what the caller's own `make` does: the words of a refusal name the token of who was refused
     */
    async once(key: string, indexes: string, keeps: boolean, make: Make): Promise<MadeAnswer | undefined> {
      const kept = keeps ? find(key, indexes) : undefined;
      if (kept !== undefined) return kept;
      let isMine = false;
      try {
        const made = await share(key, indexes, () => {
          isMine = true;
          return make();
        });
        if (isMine && made !== undefined && keeps) keep(key, indexes, made);
        return made;
      } catch (error) {
        if (isMine) throw error;
        throwIfGone();
        return make();
      }
    },
    keep,
    stats: () => ({ entries: entries.size, bytes: entries.calculatedSize, hits, misses }),
  };
}

/** The body of an answer in the form in which it costs least to send again. */
export function bodyOf(text: string | Buffer): string | Buffer {
  if (text.length < BYTES_FROM) return String(text);
  return typeof text === "string" ? Buffer.from(text) : text;
}
