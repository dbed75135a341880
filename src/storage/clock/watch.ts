/** Watches the clock while a server runs: what is removed for its age, is removed by a clock that is trusted. */
import type { Database } from "../database.ts";
import { startBackground, type Background, type Removal } from "../operator/removal.ts";
import { findLastLease, findLastRecord, type KeptClock, keepClock, readKept } from "./kept.ts";
import { createTrustedClock, JUMP_MS, type TrustedClock } from "./trusted.ts";

/** Clocks of machines differ, and a lease ends in the future. */
const BEHIND_MS = 5 * 60_000;
/**
 * Interval at which the time of the trusted clock is stored; short compared with the day by which a start is judged.
 */
const NOTE_MS = 10 * 60_000;

export interface ClockWatch extends TrustedClock, Background {
  /** Returns the removal, which finds nothing to do while the clock is in doubt. */
  holding(removal: Removal): Removal;
}

interface WatchOptions {
  /** `--accept-clock`: whether the clock is right at this start. */
  isAccepted: boolean;
  /** Called with one line when the clock is in doubt, and when it no longer is. */
  onWarning: (message: string) => void;
  onError: (error: unknown) => void;
}

/**
 * Compares the clock with the time until which one was trusted last, and then once a second with the time that passes. Only a clock
 * that is not in doubt moves that time, so a start finds what the start before it has found, whatever was written meanwhile.
 */
export async function startClockWatch(
  db: Database,
  { isAccepted, onWarning, onError }: WatchOptions,
): Promise<ClockWatch> {
  const [kept, lastRecord, lastLease] = await Promise.all([readKept(db), findLastRecord(db), findLastLease(db)]);
  let unwritten: KeptClock = {};
  let notedAt = -Infinity;
  // Values that an earlier version has written do not contain this time.
  const lastTrusted = kept.trusted ?? lastRecord;
  const clock = createTrustedClock({
    wall: db.now,
    monotonic: () => performance.now(),
    lastTrusted,
    isAccepted,
    catchUp: kept.catchUp,
    onDoubt: (aheadMs) => onWarning(inDoubt(aheadMs)),
    onBelieved(since) {
      if (since === undefined) {
        onWarning("the system clock is back at the time before the jump; nothing was deleted during the jump");
        return;
      }
      unwritten = { catchUp: since };
      notedAt = -Infinity;
      onWarning("the system clock is trusted again; overdue audit records are deleted gradually");
    },
  });
  const behindMs = Math.max(kept.trusted ?? 0, lastRecord ?? 0, lastLease) - db.now();
  if (behindMs > BEHIND_MS && behindMs <= JUMP_MS) onWarning(isBehind(behindMs));
  // Before a record by a clock that is in doubt could be taken for what was written last.
  if (kept.trusted === undefined && clock.isInDoubt()) await keepClock(db, { trusted: lastTrusted });

  async function look(): Promise<void> {
    const trusted = clock.now();
    if (clock.isInDoubt() || performance.now() - notedAt < NOTE_MS) return;
    await keepClock(db, { ...unwritten, trusted });
    unwritten = {};
    notedAt = performance.now();
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
    `the system clock is not trusted: it is ${how} the expected time. Fix the clock if it is wrong. Nothing is deleted ` +
    "by age until the clock is stable for one hour, or the server is started with --accept-clock"
  );
}

function isBehind(behindMs: number): string {
  return `the system clock is ${inWords(behindMs)} behind the last write. Fix the clock: tokens expire too late, and new records get old times`;
}

function inWords(milliseconds: number): string {
  const hours = Math.round(milliseconds / 3_600_000);
  if (hours < 1) return `${Math.round(milliseconds / 60_000)} minutes`;
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
}
