/**
 * Writes the uses of tokens into the database. A request only notes a use in memory, once a token and day; a moment
 * later the background writes it. No request waits for it, and no index changes: a
 * reader of a token sees its use some seconds later.
 */
import { LRUCache } from "lru-cache";
import type { Database } from "../../storage/database.ts";
import { startBackground, type Background } from "../../storage/operator/removal.ts";
import { noteUsesSince, writeUses } from "./use-store.ts";

/**
 * A token that was used, and when, in milliseconds since the epoch. One that is made again with the AccessorID of another has
 * another CreateIndex.
 */
export type Used = readonly [accessorId: string, createIndex: number, at: number];

export interface TokenUses {
  /** Notes that a token was used. @returns false when there is no room for it now */
  note(used: Used): boolean;
  /** Returns some uses that were noted and not taken yet. */
  take(most: number): Used[];
  /** Returns uses that could not be written: a later `take` returns them again. */
  giveBack(used: readonly Used[]): void;
  /** Returns whether there is no room for another token. */
  isFull(): boolean;
}

/** Tokens of which is remembered that they were used today; of more than these one may be written again, which changes nothing. */
const REMEMBERED = 65_536;
/** Maximum number of uses that wait to be written. */
const WAITING = 65_536;
const DAY_MS = 24 * 60 * 60 * 1000;

/** The day of UTC, as a number. @param now milliseconds since the epoch */
export function dayOf(now: number): number {
  return Math.floor(now / DAY_MS);
}

/** The day after, in milliseconds since the epoch. */
export function endOfDay(now: number): number {
  return (dayOf(now) + 1) * DAY_MS;
}

/** Makes what remembers uses until they are taken. */
export function createTokenUses(): TokenUses {
  const noted = new LRUCache<string, number>({ max: REMEMBERED });
  const waiting = new Map<string, Used>();
  return {
    note(used) {
      const id = idOf(used);
      const day = dayOf(used[2]);
      if (noted.get(id) === day) return true;
      if (waiting.size >= WAITING) return false;
      noted.set(id, day);
      waiting.set(id, used);
      return true;
    },
    take(most) {
      const taken: Used[] = [];
      for (const [id, used] of waiting) {
        if (taken.length === most) break;
        taken.push(used);
        waiting.delete(id);
      }
      return taken;
    },
    giveBack(all) {
      for (const used of all) if (waiting.size < WAITING) waiting.set(idOf(used), used);
    },
    isFull: () => waiting.size >= WAITING,
  };
}

function idOf([accessorId, createIndex]: Used): string {
  return `${accessorId}/${createIndex}`;
}

/** Rows that one transaction writes: other writers wait for it. */
const BATCH = 100;
const EVERY_MS = 1000;

/** Writes the noted uses, of which none is later than the clock that is trusted: a later day stays for good. @throws AppError when storage does not accept them now; they are kept */
export async function recordUses(db: Database, uses: TokenUses): Promise<void> {
  for (;;) {
    const used = uses.take(BATCH);
    if (used.length === 0) return;
    const ids = used.map(([accessorId]) => accessorId);
    // Except after a failure they are of one second; only the day matters.
    const at = Math.min(Math.max(...used.map(([, , time]) => time)), db.forGood.now());
    try {
      // The transaction is of no partition: writers of a partition do not wait for it, and its index does not change.
      await db.inTransaction({ kind: "root" }, async (tx) => {
        tx.unrecorded("when a token was used");
        writeUses(tx, ids, at);
      });
    } catch (error) {
      uses.giveBack(used);
      throw error;
    }
  }
}

/**
 * Writes them as `recordUses` does. While the clock is in doubt they wait for as long as there is room, so that each gets its day
 * once that is known.
 */
export async function recordUsesOfDays(db: Database, uses: TokenUses): Promise<void> {
  if (!db.forGood.isInDoubt() || uses.isFull()) await recordUses(db, uses);
}

/**
 * Starts to write them once a second. When it is stopped it writes what is left.
 *
 * @param onError told of a failure; it is tried again
 */
export function startRecordingUses(
  db: Database,
  uses: TokenUses,
  onError: (error: unknown) => void,
): Pick<Background, "stop"> {
  let isBegun = false;
  const work = async (): Promise<void> => {
    if (!isBegun) await noteUsesSince(db, db.forGood.now());
    isBegun = true;
    await recordUsesOfDays(db, uses);
  };
  const background = startBackground(work, onError, EVERY_MS);
  return {
    async stop() {
      await background.stop();
      await recordUses(db, uses).catch(onError);
    },
  };
}
