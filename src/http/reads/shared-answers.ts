/**
 * Answers that many ask for: made once, kept as text for as long as the tables
 * that they were made from have not changed.
 */
import { LRUCache } from "lru-cache";
import type { FastifyRequest } from "fastify";
import type { PermissionUse } from "../../rights/uses.ts";
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
  /** Permissions that it was made with: whoever is sent it uses them too. */
  uses?: readonly PermissionUse[] | undefined;
}

/** Notes the permissions of an answer that was made for another request, or is kept, for a caller that is sent it. */
export function noteUses({ ctx }: Pick<FastifyRequest, "ctx">, { uses }: Pick<MadeAnswer, "uses">): void {
  if (uses !== undefined) ctx.actor.uses?.noteAll(uses);
}

/** Gives an answer the permissions that it was made with. */
export function withUses({ ctx }: Pick<FastifyRequest, "ctx">, answer: MadeAnswer): MadeAnswer {
  const { uses } = ctx.actor;
  return uses === undefined ? answer : { ...answer, uses: uses.noted() };
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
/** A permission of an answer, about. */
const USE_BYTES = 160;
/** From here on a text is kept as bytes. */
const BYTES_FROM = 16 * 1024;

/** Makes an empty store of answers, which forgets what was used longest ago when it is full. */
export function createSharedAnswers() {
  return new KeptAnswers();
}

class KeptAnswers {
  readonly #entries = new LRUCache<string, Entry>({ maxSize: MAX_BYTES, maxEntrySize: MAX_SHARED_BYTES });
  readonly #making = new Map<string, SharedWork<MadeAnswer | undefined>>();
  #hits = 0;
  #misses = 0;

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  async once(key: string, indexes: string, keeps: boolean, make: Make): Promise<MadeAnswer | undefined> {
    const kept = keeps ? this.find(key, indexes) : undefined;
    if (kept !== undefined) return kept;
    let isMine = false;
    try {
      const made = await this.share(key, indexes, () => {
        isMine = true;
        return make();
      });
      if (isMine && made !== undefined && keeps) this.keep(key, indexes, made);
      return made;
    } catch (error) {
      if (isMine) throw error;
      throwIfGone();
      return make();
    }
  }

  stats() {
    return { entries: this.#entries.size, bytes: this.#entries.calculatedSize, hits: this.#hits, misses: this.#misses };
  }

  /** The answer, if it is kept and was made at these indexes. */
  find(key: string, indexes: string): MadeAnswer | undefined {
    const entry = this.#entries.get(key);
    if (entry?.indexes !== indexes) {
      this.#misses += 1;
      return undefined;
    }
    this.#hits += 1;
    return entry.answer;
  }

  /** The answer, if it is kept and nothing at all has changed since `confirm`. @param changes see `Feed.changes` */
  findUnchanged(key: string, changes: number): { answer: MadeAnswer; index: number } | undefined {
    const entry = this.#entries.get(key);
    if (entry?.known?.changes !== changes) return undefined;
    this.#hits += 1;
    return { answer: entry.answer, index: entry.known.index };
  }

  /** Notes that an answer is the one of these indexes, and they those of now. @param index with which it is told */
  confirm(key: string, changes: number | undefined, index: number, indexes: string): void {
    if (changes === undefined) return;
    const entry = this.#entries.peek(key);
    if (entry?.indexes === indexes) entry.known = { changes, index };
  }

  /** Keeps an answer for which these indexes were read before its rows. */
  keep(key: string, indexes: string, answer: MadeAnswer): void {
    const size =
      answer.body.length * (typeof answer.body === "string" ? 2 : 1) +
      key.length +
      indexes.length +
      ENTRY_BYTES +
      USE_BYTES * (answer.uses?.length ?? 0);
    this.#entries.set(key, { indexes, answer, known: undefined }, { size });
  }

  /**
   * Gives the answer, made at most once for all that ask for it with the same
   * indexes while it is made, and ends with the last of them. `make` reads after it is called, so its answer is at least as new.
   *
   * @param make gives undefined where the answer is too long to be made at once
   */
  async share(key: string, indexes: string, make: Make): Promise<MadeAnswer | undefined> {
    const name = `${indexes}\0${key}`;
    const shared = this.#making.get(name);
    if (shared?.isGone() === false) return shared.join(make);
    const mine = shareWork(make);
    this.#making.set(name, mine);
    try {
      return await mine.join(make);
    } finally {
      void afterNextTurn().then(() => {
        if (this.#making.get(name) === mine) this.#making.delete(name);
      });
    }
  }
}

/** The body of an answer in the form in which it costs least to send again. */
export function bodyOf(text: string | Buffer): string | Buffer {
  if (text.length < BYTES_FROM) return String(text);
  return typeof text === "string" ? Buffer.from(text) : text;
}
