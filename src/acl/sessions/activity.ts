/**
 * When sessions were used, on its way into the database. A request only notes it in memory, once a minute and session; a moment
 * later it is written in the background.
 */
import type { Database } from "../../storage/database.ts";
import { type Background, startBackground } from "../../storage/operator/removal.ts";
import { updateActivity } from "./store.ts";

/** A session that was used, and when, in milliseconds since the epoch. */
export type Active = readonly [id: string, at: number];

export interface SessionActivity {
  /** Notes that a session was used. @returns false when there is no room for it now */
  note(active: Active): boolean;
  /** Some of what was noted and not taken yet. */
  take(most: number): Active[];
}

/** Sessions that wait to be noted. */
const WAITING = 16_384;

/** Makes what remembers uses until they are taken. */
export function createSessionActivity(): SessionActivity {
  const waiting = new Map<string, number>();
  return {
    note([id, at]) {
      if (waiting.size >= WAITING && !waiting.has(id)) return false;
      waiting.set(id, Math.max(at, waiting.get(id) ?? 0));
      return true;
    },
    take(most) {
      const taken: Active[] = [];
      for (const active of waiting) {
        if (taken.length === most) break;
        taken.push(active);
        waiting.delete(active[0]);
      }
      return taken;
    },
  };
}

/** Rows that one transaction writes: other writers wait for it. */
const BATCH = 50;
const EVERY_MS = 1000;

/** Writes the noted uses. @throws AppError when storage does not accept them now; they are kept */
export async function recordActivity(db: Database, activity: SessionActivity): Promise<void> {
  for (;;) {
    const active = activity.take(BATCH);
    if (active.length === 0) return;
    try {
      // The transaction is of no partition: writers of a partition do not wait for it, and its index does not change.
      await db.inTransaction({ kind: "root" }, async (tx) => {
        tx.unrecorded("when a session was used");
        await updateActivity(tx, new Map(active));
      });
    } catch (error) {
      for (const each of active) activity.note(each);
      throw error;
    }
  }
}

/** Starts to write it once a second. When it is stopped it writes what is left. @param onError told of a failure; it is tried again */
export function startRecordingActivity(
  db: Database,
  activity: SessionActivity,
  onError: (error: unknown) => void,
): Background {
  const background = startBackground(() => recordActivity(db, activity), onError, EVERY_MS);
  return {
    async stop() {
      await background.stop();
      await recordActivity(db, activity).catch(onError);
    },
  };
}
