/** Compares a log with its mark. */
import type { LogWalk } from "./log-frames.ts";
import { MARK_MS, type Salts, type Slot } from "./slots.ts";

/** How a start judges a log. */
export type LogVerdict =
  /** SQLite will find in it all that was acknowledged. */
  | Whole
  /** SQLite would take less than that for the truth, and say nothing. */
  | Lost;

export interface Whole {
  kind: "whole";
  note?: string;
  handling: Handling;
  /**
   * Set where it is a run behind the one that the mark knows. Whoever began it had copied that one before, but only as far as it was
   * right: the database has to say whether all of it was.
   */
  isBegunAnew?: boolean;
  /** Commits that do not count and may have been acknowledged, within the age of the mark: the first, and the last. */
  unsure?: { from: number; upTo: number };
}

export interface Lost {
  kind: "lost";
  /** The fault, as the part of a sentence that begins with the log. */
  what: string;
  /** Number of the first commit that is lost, and of the last that the mark knows of. */
  from: number;
  upTo: number;
  /** Commits that are still to be seen in the log and do not count. */
  seen: number;
  handling: Handling;
}

/**
 * How the log is handled before anybody writes: `keep` it; have it copied and begun anew, where frames that do not count lie
 * behind those that do (`clean`); or move it out of SQLite's way (`aside`).
 */
export type Handling = "keep" | "clean" | "aside";

/** As many runs of the log a program that is not ours may have begun since the mark was written. */
const RUNS_OF_OTHERS = 1000;

/**
 * @param slot what the mark says; undefined where there is none that counts
 * @param boot of the machine now: a mark of the same was left by a process that ended, and not by a machine that did
 */
export function judge(slot: Slot | undefined, walk: LogWalk, boot: string): LogVerdict {
  if (slot === undefined) return { kind: "whole", handling: "keep" };
  if (slot.kind === "starting") return judgeEnd(slot, walk, boot, slot.commit);
  if (isSame(slot.salts, walk.salts))
    return walk.state === "log" ? judgeSame(slot, walk, boot) : judgeMissing(slot, walk);
  if (walk.state !== "log") return judgeMissing(slot, walk);
  const runs = (walk.salts[0] - slot.salts[0]) >>> 0;
  if (slot.frames > 0 && runs > 0 && runs <= RUNS_OF_OTHERS) {
    const verdict = judgeEnd(slot, walk, boot, slot.commit);
    return verdict.kind === "lost" ? verdict : { ...verdict, isBegunAnew: true };
  }
  return {
    kind: "lost",
    what: "does not match the mark",
    from: slot.copiedCommit + 1,
    upTo: slot.commit,
    seen: walk.commits,
    handling: "aside",
  };
}

/** Whether all that the mark speaks of is in the database file. */
export function isWhole({ frames, copied }: Slot): boolean {
  return copied >= frames;
}

function isSame(one: Salts, other: Salts): boolean {
  return one[0] === other[0] && one[1] === other[1];
}

/** The log that the mark speaks of. */
function judgeSame(slot: Slot, walk: LogWalk, boot: string): LogVerdict {
  if (walk.verified >= slot.frames) {
    const isOther = slot.frames > 0 && (walk.sums === undefined || !isSame(walk.sums, slot.sums));
    if (!isOther) return judgeEnd(slot, walk, boot, slot.commitBefore + walk.commits);
  }
  const what = describe(slot, walk);
  if (isWhole(slot)) return judgeCopied(slot, walk, what);
  const isBehindCopy = walk.committed >= slot.copied;
  return {
    kind: "lost",
    what,
    from: (isBehindCopy ? slot.commitBefore + walk.commits : slot.copiedCommit) + 1,
    upTo: slot.commit,
    seen: walk.lostCommits,
    // Older pages than those that are in the database file must not be put over them.
    handling: isBehindCopy ? "clean" : "aside",
  };
}

function describe(slot: Slot, walk: LogWalk): string {
  if (walk.verified >= slot.frames) return `does not match the mark, although its header claims it`;
  const isThere = walk.lostCommits > 0 || walk.behind > 0;
  if (!isThere) return `ends after frame ${walk.verified}, but ${slot.frames} frames were durable`;
  return `is corrupted in frame ${walk.verified + 1} of ${slot.frames}, with ${commits(walk.commitsBehind)} after it`;
}

/** Said of a log that is gone, or that SQLite does not take for one. */
function judgeMissing(slot: Slot, walk: LogWalk): LogVerdict {
  const isGone = walk.state !== "headless";
  const what = isGone
    ? `is ${walk.state === "missing" ? "missing" : "empty"}, and ${slot.frames} frames of it were durable`
    : `has a corrupted header, with ${commits(walk.lostCommits)} after it`;
  if (isWhole(slot)) return isGone ? { kind: "whole", handling: "keep" } : judgeCopied(slot, walk, what);
  const seen = walk.lostCommits;
  return {
    kind: "lost",
    what,
    from: slot.copiedCommit + 1,
    upTo: slot.commit,
    seen,
    handling: isGone ? "keep" : "aside",
  };
}

/** A damaged log of which the database file has all that the mark knows. */
function judgeCopied(slot: Slot, walk: LogWalk, what: string): LogVerdict {
  const seen = walk.commitsBehindSought;
  if (seen > 0) return { kind: "lost", what, from: slot.commit + 1, upTo: slot.commit + seen, seen, handling: "aside" };
  return {
    kind: "whole",
    note: `the write-ahead log ${what}; it was already checkpointed completely`,
    handling: "aside",
  };
}

/**
 * A log that reaches as far as the mark. A frame behind it that does not verify is a torn end where nothing is behind it, and where
 * the machine has stopped: pages that were being written then arrive in any order. What was synced since the mark was written may be
 * damaged all the same, and nobody can tell the two apart.
 *
 * @param last number of the last commit that counts
 */
function judgeEnd(slot: Slot, walk: LogWalk, boot: string, last: number): LogVerdict {
  const handling = walk.behind > 0 ? "clean" : "keep";
  const seen = walk.commitsBehind;
  if (seen === 0) return { kind: "whole", handling };
  const what = `is corrupted in frame ${walk.verified + 1}, with ${commits(seen)} after it`;
  const [from, upTo] = [last + 1, last + walk.lostCommits];
  if (slot.boot !== boot && slot.boot !== NO_BOOT) {
    const note =
      `the write-ahead log ${what}: the machine had stopped since; writes are lost from commit ${from} on, and writes of ` +
      `the last ${MARK_MS} ms before it stopped may have been acknowledged`;
    return { kind: "whole", note, handling, unsure: { from, upTo } };
  }
  return { kind: "lost", what, from, upTo, seen: walk.lostCommits, handling };
}

/** Boot ID on systems without a name for a run of the machine. */
export const NO_BOOT = "0".repeat(32);

function commits(count: number): string {
  return count === 1 ? "1 commit" : `${count} commits`;
}
