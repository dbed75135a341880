/** Watches the clock while a server runs: what is removed for its age, is removed by a clock that is trusted. */
import type { Database, Reader } from "../database.ts";
import { checkProof, provenRows } from "../proofs.ts";
import { definePoint, defineQuery } from "../query.ts";
import { startBackground, type Background, type Removal } from "../removal.ts";
import { type CatchUp, createTrustedClock, JUMP_MS, type TrustedClock } from "./trusted.ts";

/** Clocks of machines differ, and a lease ends in the future. */
const BEHIND_MS = 5 * 60_000;
/** Row of `meta` that says where pruning goes on from after a doubt. */
const CATCH_UP = "clock-catch-up";

export interface ClockWatch extends TrustedClock, Background {
  /** The same removal, which finds nothing to do while the clock is in doubt. */
  holding(removal: Removal): Removal;
}

interface WatchOptions {
  /** `--accept-clock`: whether the clock is right at this start. */
  isAccepted: boolean;
  /** Told in one line when the clock is in doubt, and when it is no longer. */
  onWarning: (message: string) => void;
  onError: (error: unknown) => void;
}

/** Compares the clock with what was written last, and then once a second with the time that passes. */
export async function startClockWatch(
  db: Database,
  { isAccepted, onWarning, onError }: WatchOptions,
): Promise<ClockWatch> {
  const [lastWritten, catchUp] = await Promise.all([findLastWritten(db), readCatchUp(db)]);
  let unwritten: CatchUp | undefined;
  const clock = createTrustedClock({
    wall: db.now,
    monotonic: () => performance.now(),
    lastWritten,
    isAccepted,
    catchUp,
    onDoubt: (aheadMs) => onWarning(inDoubt(aheadMs)),
    onBelieved(since) {
      unwritten = since;
      if (since === undefined) onWarning("the clock is what it was before it jumped; nothing was removed meanwhile");
      else
        onWarning("the clock is believed again; of audit records twice the time that really passes is removed at most");
    },
  });
  const behindMs = (lastWritten ?? 0) - db.now();
  if (behindMs > BEHIND_MS && behindMs <= JUMP_MS) onWarning(isBehind(behindMs));

  async function look(): Promise<void> {
    clock.now();
    if (unwritten === undefined) return;
    await writeCatchUp(db, unwritten);
    unwritten = undefined;
  }

  return {
    ...clock,
    ...startBackground(look, onError),
    holding: (removal) => ({ ...removal, jobs: async () => (clock.isInDoubt() ? [] : removal.jobs()) }),
  };
}

function inDoubt(aheadMs: number): string {
  const how = aheadMs > 0 ? `${inWords(aheadMs)} ahead of` : `${inWords(-aheadMs)} behind`;
  return (
    `the clock is in doubt: it is ${how} what was last written and the time that has passed since; set it if it is wrong. Nothing is ` +
    "removed for its age until it has stood for an hour, or this server is started with --accept-clock"
  );
}

function isBehind(behindMs: number): string {
  return `the clock is ${inWords(behindMs)} behind what was last written; set it: tokens live for too long, and new records look old`;
}

function inWords(milliseconds: number): string {
  const hours = Math.round(milliseconds / 3_600_000);
  if (hours < 1) return `${Math.round(milliseconds / 60_000)} minutes`;
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
}

/** @returns milliseconds since the epoch; undefined where nothing was written yet */
async function findLastWritten(db: Reader): Promise<number | undefined> {
  const [[record], [lease]] = await Promise.all([db.run(lastRecord, {}), db.run(lastLease, {})]);
  const last = Math.max(record === undefined ? 0 : Date.parse(record.at), (lease?.expires_at ?? 0) * 1000);
  return last === 0 ? undefined : last;
}

async function readCatchUp(db: Reader): Promise<CatchUp | undefined> {
  const row = await db.point(findMeta, CATCH_UP);
  if (row === undefined) return undefined;
  checkProof("meta", row);
  const [trusted = 0, wall = 0] = row.value.split(" ").map(Number);
  return { trusted, wall };
}

async function writeCatchUp(db: Database, { trusted, wall }: CatchUp): Promise<void> {
  const row = { name: CATCH_UP, value: `${trusted} ${wall}` };
  await db.inTransaction({ kind: "root" }, (tx) => {
    tx.unrecorded("from where pruning goes on after the clock was in doubt");
    stored.put(tx, row);
    return Promise.resolve();
  });
}

/** Of one chain that every server writes to, by its key. */
const lastRecord = defineQuery((db, _: object) =>
  db.selectFrom("audit_records").select("at").where("chain", "=", "partition/default").orderBy("seq", "desc").limit(1),
);
/** There are as many leases as kinds of work, and servers. */
const lastLease = defineQuery((db, _: object) =>
  db.selectFrom("leases").select("expires_at").orderBy("expires_at", "desc").limit(1),
);
const findMeta = definePoint("meta.name", (db) => db.selectFrom("meta").selectAll());
const stored = provenRows("meta");
