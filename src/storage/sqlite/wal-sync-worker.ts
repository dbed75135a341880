/**
 * Syncs the WAL to disk, in a thread of its own: in the event loop a sync would stall every request, and in libuv's
 * pool it would wait behind name look-ups. It is asked, and says that it is done, by numbers in shared memory
 * (`wal-sync-words.ts`), and speaks only of what is wrong. What is synced counts only while the files are still at their
 * paths; once a second that is looked at without being asked, of all of them: what is written is in the database and in
 * the WAL alone.
 *
 * It writes the mark of the log too (`mark/`): now and then behind a sync, when nobody waits for it, and in front of the
 * answer where that is asked for.
 */
import { closeSync, fdatasyncSync, openSync } from "node:fs";
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { createMarkWriter, type LogPlace, type MarkSettings, type MarkWriter } from "./mark/write.ts";
import { MARK_MS } from "./mark/slots.ts";
import { createMoveWatch, findMoved, findShortage, type HeldFile, type PlacedFile } from "./placement.ts";
import { CLOSING, COMMITS, MARK_ALONE, MARK_WRITTEN, MARKED, REQUESTED, SYNCED, WITH_MARK } from "./wal-sync-words.ts";

export interface SyncWork {
  walPath: string;
  /** The files that must not move. The database file among them is held. */
  files: readonly (PlacedFile | HeldFile)[];
  words: Int32Array<SharedArrayBuffer>;
  /** Brings the settings of the mark, before the first sync that is to be marked. */
  settings: MessagePort;
}

/** Trouble of the syncing thread. It syncs no later request. */
export interface SyncTrouble {
  /** Reason of the failed sync. */
  failure?: string;
  /** File that is not at its path any more. */
  moved?: string;
  /** Damage of the database file. */
  damaged?: string;
}

const LOOK_MS = 1000;

const { walPath, files, words, settings } = workerData as SyncWork;
const databaseFile = files.filter(({ path }) => `${path}-wal` === walPath);
const findMovedOfWritten = createMoveWatch(files.filter(({ path }) => path === walPath || `${path}-wal` === walPath));
const wal = openSync(walPath, "r");

let mark: MarkWriter | undefined;
let lastCommits = 0;
let commits = 0;
/** Whether anything durable is not marked yet, and up to where it reaches, as far as that is known. */
let isUnmarked = false;
let unmarked: LogPlace | undefined;
let nextMark = 0;

/** Commits since the mark was taken over. */
function countCommits(): number {
  const now = Atomics.load(words, COMMITS);
  commits += (now - lastCommits) | 0;
  lastCommits = now;
  return commits;
}

/**
 * @param isLookedAt whether the mark is to be written next: how far the log is costs more than nothing
 * @returns whether all that was written before is on the disk, in files that will be found
 */
function sync(isLookedAt: boolean): boolean {
  const place = isLookedAt ? mark?.look(countCommits()) : undefined;
  try {
    fdatasyncSync(wal);
  } catch (error) {
    tell({ failure: `sync of the write-ahead log failed: ${String(error)}` });
    return false;
  }
  // Last: a file that goes while it is being synced must not pass.
  const moved = findMovedOfWritten();
  if (moved !== undefined) tell({ moved });
  else {
    isUnmarked = mark !== undefined;
    unmarked = place;
  }
  return moved === undefined;
}

/** @returns whether the mark says all that is durable */
function writeMark(): boolean {
  nextMark = performance.now() + MARK_MS;
  const place = unmarked;
  isUnmarked = false;
  unmarked = undefined;
  if (mark === undefined || place === undefined) return true;
  try {
    mark.write(place);
    return true;
  } catch (error) {
    tell({ failure: `cannot write the mark of the write-ahead log: ${String(error)}` });
    return false;
  }
}

/** Takes over the mark when the main thread hands it over. */
function takeMark(): void {
  const given: { message: MarkSettings } | undefined = mark === undefined ? receiveMessageOnPort(settings) : undefined;
  if (given === undefined) return;
  lastCommits = Atomics.load(words, COMMITS);
  mark = createMarkWriter(given.message, wal);
}

function tell(trouble: SyncTrouble): void {
  parentPort?.postMessage(trouble);
}

/** @param asked number of the sync that is asked for */
function serve(asked: number): void {
  const marked = Atomics.load(words, MARKED);
  if (marked === MARK_ALONE) {
    if (markMovedLog()) Atomics.store(words, MARKED, MARK_WRITTEN);
    return done(asked);
  }
  const isMarked = marked === WITH_MARK;
  if (isMarked) takeMark();
  if (!sync(isMarked || performance.now() >= nextMark) || (isMarked && !writeMark())) return;
  done(asked);
}

function done(asked: number): void {
  Atomics.store(words, SYNCED, asked);
  Atomics.notify(words, SYNCED);
}

/** Nothing is said of another database that lies at the path by now. @returns whether the mark says how much is copied */
function markMovedLog(): boolean {
  if (mark === undefined || findMoved(databaseFile) !== undefined) return false;
  unmarked = mark.look(countCommits());
  return writeMark();
}

/** Other programs write too, such as a command beside the server: of these nobody asks for a sync. And others cut files. */
function lookForOthers(): void {
  if (mark === undefined) return;
  const place = mark.look(countCommits());
  if (mark.isBehind(place)) sync(true);
  for (const file of place.copied === place.frames ? databaseFile : []) {
    const damaged = "descriptor" in file ? findShortage(file) : undefined;
    if (damaged !== undefined) tell({ damaged });
  }
}

/** Nobody waits for it. The log is synced again where nobody had looked how far the log was. */
function markLate(): void {
  if (unmarked !== undefined || sync(true)) writeMark();
}

let served = 0;
let nextLook = performance.now() + LOOK_MS;
while (Atomics.load(words, CLOSING) === 0) {
  const next = !isUnmarked ? nextLook : Math.min(nextLook, nextMark);
  Atomics.wait(words, REQUESTED, served, Math.max(0, next - performance.now()));
  const asked = Atomics.load(words, REQUESTED);
  if (asked !== served && Atomics.load(words, CLOSING) === 0) {
    served = asked;
    serve(asked);
  }
  if (isUnmarked && performance.now() >= nextMark) markLate();
  if (performance.now() < nextLook) continue;
  nextLook = performance.now() + LOOK_MS;
  const moved = findMoved(files);
  if (moved !== undefined) tell({ moved });
  else lookForOthers();
}
closeSync(wal);
mark?.close();
settings.close();
