/** Whether the clock by which a server starts can be right: what it has ended by a wrong one would be removed for good. */
import type { Database, Reader } from "./database.ts";
import { defineQuery } from "./query.ts";
import type { Removal } from "./removal.ts";

/** Clocks of machines differ, and a lease ends in the future. */
const BEHIND_MS = 5 * 60_000;
/** A server that was off for so long has lost nothing by ten minutes more. */
const AHEAD_MS = 24 * 60 * 60_000;
const HOLD_MS = 10 * 60_000;

/** What is odd about the clock. */
export interface OddClock {
  /** For the log, in one line. */
  message: string;
  /** Milliseconds for which nothing is removed for its age. */
  holdMs: number;
}

/** Compares the clock with what was written last. @returns undefined where nothing is odd */
export async function findOddClock(db: Pick<Database, "now"> & Reader): Promise<OddClock | undefined> {
  const [[record], [lease]] = await Promise.all([db.run(lastRecord, {}), db.run(lastLease, {})]);
  const last = Math.max(record === undefined ? 0 : Date.parse(record.at), (lease?.expires_at ?? 0) * 1000);
  // Nothing was written yet.
  if (last === 0) return undefined;
  const since = db.now() - last;
  const at = new Date(last).toISOString();
  if (since < -BEHIND_MS) {
    return {
      message: `the clock is ${inWords(-since)} behind what was last written (${at}); set it: tokens live for too long, and new records look old`,
      holdMs: 0,
    };
  }
  if (since <= AHEAD_MS) return undefined;
  return {
    message: `the clock is ${inWords(since)} after what was last written (${at}); what has ended by it is removed in 10 minutes, so set it before if it is wrong`,
    holdMs: HOLD_MS,
  };
}

/** The same removal, which finds nothing to do for that time from now on. */
export function holding(removal: Removal, holdMs: number): Removal {
  if (holdMs === 0) return removal;
  const until = performance.now() + holdMs;
  return { ...removal, jobs: async () => (performance.now() < until ? [] : removal.jobs()) };
}

function inWords(milliseconds: number): string {
  const hours = Math.round(milliseconds / 3_600_000);
  if (hours < 1) return `${Math.round(milliseconds / 60_000)} minutes`;
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
}

/** Of one chain that every server writes to, by its key. */
const lastRecord = defineQuery((db, _: object) =>
  db.selectFrom("audit_records").select("at").where("chain", "=", "partition/default").orderBy("seq", "desc").limit(1),
);
/** There are as many leases as kinds of work, and servers. */
const lastLease = defineQuery((db, _: object) =>
  db.selectFrom("leases").select("expires_at").orderBy("expires_at", "desc").limit(1),
);
