/** A start compares the log with its mark, and prepares both, before the first write. */
import { randomBytes } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { syncDirectory } from "../../files.ts";
import { StartError } from "../../start-error.ts";
import { isWhole, judge, NO_BOOT, type Handling, type LogVerdict } from "./judge.ts";
import { type LogWalk, NO_WALK, walkLog } from "./log-frames.ts";
import { isDiskFull, isReadOnly } from "../faults.ts";
import { lostLine, type LostWrites, type MarkChoice, PAGE, refuse, unreadable } from "./refusals.ts";
import { readMarkRow, touchMarkRow } from "./row.ts";
import { encodeSlot, markPath, type ReadSlot, readMark, SLOT_BYTES, type Slot, SLOTS } from "./slots.ts";

/** A log that was compared with its mark. */
export interface CheckedLog {
  /** The mark as it was found; undefined where there is none that counts. */
  slot: ReadSlot | undefined;
  walk: LogWalk;
  handling: Handling;
  /** See `Whole`: `checkMark` asks the database. */
  isBegunAnew: boolean;
  /** Writes that are lost, and that the operator goes on without. */
  accepted: LostWrites | undefined;
  /** Writes that are lost, and of which nobody can tell whether they were acknowledged. */
  unsure: LostWrites | undefined;
}

/**
 * Compares the log with the mark, before SQLite looks at either. Nothing is changed unless the log is to be moved aside.
 *
 * @throws StartError when writes are lost, and the operator has not accepted that
 */
export function checkLog(path: string, { accept, onWarning, isLookOnly = false }: MarkChoice): CheckedLog {
  const found = readMark(path);
  const slot = found.state === "read" ? found.slot : undefined;
  const walk = slot === undefined ? NO_WALK : walkLog(`${path}-wal`, slot);
  const checked = { slot, walk, isBegunAnew: false, accepted: undefined, unsure: undefined };
  if (found.state === "unreadable") {
    const accepted = refuse({ line: unreadable(path) }, { accept, onWarning });
    return { ...checked, handling: "keep", accepted };
  }
  const judged = judge(slot, walk, bootId());
  const isOfOthers = slot !== undefined && judged.kind === "lost" && isBegunByOthers(path, slot, walk);
  const verdict: LogVerdict = isOfOthers ? { kind: "whole", handling: "keep", isBegunAnew: true } : judged;
  const { handling } = verdict;
  if (handling === "aside" && (accept || verdict.kind === "whole")) {
    // SQLite would take what is right of it for newer than the database file.
    if (isLookOnly) throw new StartError(`${noteOf(verdict)}. Start a server first: it moves the log aside`);
    moveAside(path);
  }
  if (verdict.kind === "whole") {
    const { note, isBegunAnew = false, unsure } = verdict;
    if (note !== undefined) onWarning(note);
    const noted = unsure && { ...unsure, line: noteOf(verdict), action: "note-lost-writes" as const };
    return { ...checked, handling, isBegunAnew, unsure: noted };
  }
  const { from, upTo } = verdict;
  const accepted = refuse({ line: lostLine(path, verdict, slot), from, upTo }, { accept, onWarning });
  return { ...checked, handling, accepted };
}

/**
 * Whether a log with salts that the mark does not know is the work of others, such as a command, to which SQLite gives random ones:
 * all that the mark speaks of was in the database file before, and the database has come as far with this log. With one of an
 * earlier run it has not.
 */
function isBegunByOthers(path: string, slot: ReadSlot, { state, salts }: LogWalk): boolean {
  const isOther = salts[0] !== slot.salts[0] || salts[1] !== slot.salts[1];
  if (state !== "log" || !isOther || !isWhole(slot) || slot.counted === 0) return false;
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(path, { readOnly: true });
    db.exec("pragma busy_timeout = 5000");
    const row = readMarkRow(db);
    return row !== undefined && row.instance === slot.instance && row.commits >= slot.counted;
  } catch {
    // An unreadable file proves nothing.
    return false;
  } finally {
    db?.close();
  }
}

function noteOf(verdict: LogVerdict): string {
  return verdict.kind === "whole" ? (verdict.note ?? "") : verdict.what;
}

/** Kept: somebody may still get something out of it. SQLite has no part in it, so its index goes too. */
function moveAside(path: string): void {
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "");
  renameSync(`${path}-wal`, `${path}-wal.aside-${time}-${randomBytes(2).toString("hex")}`);
  rmSync(`${path}-shm`, { force: true });
  syncDirectory(dirname(path));
}

/** Which run of the machine it is; zeros where the system does not say. */
export function bootId(): string {
  try {
    const text = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim().replaceAll("-", "");
    return /^[0-9a-f]{32}$/.test(text) ? text : NO_BOOT;
  } catch {
    return NO_BOOT;
  }
}

/**
 * Makes the log one that the mark can speak of, before the first write: frames that do not count are removed, and a log that
 * begins does so with the mark saying that it does.
 *
 * @returns what a server's mark goes on from; undefined where it begins one
 */
export function prepareLog(
  path: string,
  db: DatabaseSync,
  { slot, walk, handling, accepted }: CheckedLog,
  key: KeyObject | undefined,
): Slot | undefined {
  const isLog = walk.state === "log" && walk.committed > 0 && handling !== "aside";
  // All that is right of it is in the database file then, and frames behind it can be taken for nothing.
  if (handling === "clean") db.exec("pragma wal_checkpoint(passive)");
  if (slot === undefined || key === undefined) {
    beginAnew(db);
    return undefined;
  }
  const isSameRun = slot.kind === "live" && slot.salts[0] === walk.salts[0] && slot.salts[1] === walk.salts[1];
  const before = isSameRun ? slot.commitBefore : slot.commit;
  const last = accepted?.from === undefined ? undefined : accepted.from - 1;
  const commit = last ?? (isLog ? before + walk.commits : slot.commit);
  // The mark stays what it is: it holds for the log that goes on.
  if (isLog && handling === "keep") return { ...slot, salts: walk.salts, commit, commitBefore: before };
  const begun: Slot = {
    ...slot,
    kind: "starting",
    sequence: slot.sequence + 1,
    commit,
    copiedCommit: commit,
    commitBefore: commit,
  };
  writeSlot(path, begun, key);
  beginAnew(db);
  // The log has salts then that the mark can name before anybody is answered. Where nothing can be written, reads are answered.
  try {
    touchMarkRow(db);
  } catch (error) {
    if (!isDiskFull(error) && !isReadOnly(error)) throw error;
  }
  return begun;
}

/**
 * Empties the log, also one that is empty: only a connection that has done so gives the next run salts that follow from those
 * of the run before, whoever ends that one. Others are random, and a mark of the run before would not know them.
 */
function beginAnew(db: DatabaseSync): void {
  db.exec("pragma wal_checkpoint(truncate)");
}

function writeSlot(path: string, slot: Slot, key: KeyObject): void {
  const file = openSync(markPath(path), "r+");
  const bytes = encodeSlot(slot, key);
  writeSync(file, bytes, 0, bytes.length, (slot.sequence % SLOTS) * SLOT_BYTES);
  fsyncSync(file);
  closeSync(file);
}

/** Begins a mark, in place of one that is there. @returns what it says */
export function makeMark(path: string, key: KeyObject): Slot {
  const slot: Slot = {
    sequence: 0,
    instance: randomBytes(16).toString("hex"),
    kind: "starting",
    salts: [0, 0],
    frames: 0,
    copied: 0,
    sums: [0, 0],
    pageSize: 0,
    commit: 0,
    copiedCommit: 0,
    commitBefore: 0,
    at: Date.now(),
    boot: bootId(),
    counted: 0,
  };
  const unnamed = `${markPath(path)}.new`;
  rmSync(unnamed, { force: true });
  const file = openSync(unnamed, "wx", 0o600);
  const bytes = Buffer.alloc(SLOTS * SLOT_BYTES);
  encodeSlot(slot, key).copy(bytes);
  writeSync(file, bytes);
  fsyncSync(file);
  closeSync(file);
  renameSync(unnamed, markPath(path));
  syncDirectory(dirname(path));
  return slot;
}

/** A mark without its database is of one that is gone. @throws StartError unless an empty one may be begun */
export function refuseMarkAlone(path: string, allowEmpty: boolean): void {
  if (readMark(path).state === "none") return;
  if (!allowEmpty) {
    throw new StartError(
      `the database ${path} is missing or empty, but the mark ${markPath(path)} of its log exists. Restore the ` +
        `database, or create an empty one with --allow-empty-database (see ${PAGE})`,
    );
  }
  removeMark(path);
}

/** Takes a mark away with the database that it was of. */
export function removeMark(path: string): void {
  rmSync(markPath(path), { force: true });
  syncDirectory(dirname(path));
}
