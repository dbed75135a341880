/**
 * Syncs the WAL to disk, in a thread of its own: in the event loop a sync would stall every request, and in libuv's
 * pool it would wait behind name look-ups. It is asked, and says that it is done, by numbers in shared memory
 * (`wal-sync-words.ts`), and speaks only of what is wrong. What is synced counts only while the files are still at their
 * paths; once a second that is looked at without being asked, of all of them: what is written is in the database and in
 * the WAL alone.
 */
import { closeSync, fdatasyncSync, openSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { createMoveWatch, findMoved, type Placed } from "./placement.ts";
import { CLOSING, REQUESTED, SYNCED } from "./wal-sync-words.ts";

export interface SyncWork {
  walPath: string;
  /** The files that must not move. */
  files: readonly Placed[];
  words: Int32Array<SharedArrayBuffer>;
}

/** What is wrong; nothing that was asked for since is synced. */
export interface SyncTrouble {
  /** Why the sync failed. */
  failure?: string;
  /** Which file is not at its path any more. */
  moved?: string;
}

const LOOK_MS = 1000;

const { walPath, files, words } = workerData as SyncWork;
const findMovedOfWritten = createMoveWatch(files.filter(({ path }) => path === walPath || `${path}-wal` === walPath));
const wal = openSync(walPath, "r");

/** @returns whether all that was written before is on the disk, in files that will be found */
function sync(): boolean {
  try {
    fdatasyncSync(wal);
  } catch (error) {
    tell({ failure: String(error) });
    return false;
  }
  // Last: a file that goes while it is being synced must not pass.
  const moved = findMovedOfWritten();
  if (moved !== undefined) tell({ moved });
  return moved === undefined;
}

function tell(trouble: SyncTrouble): void {
  parentPort?.postMessage(trouble);
}

let served = 0;
let nextLook = performance.now() + LOOK_MS;
while (Atomics.load(words, CLOSING) === 0) {
  Atomics.wait(words, REQUESTED, served, Math.max(0, nextLook - performance.now()));
  const asked = Atomics.load(words, REQUESTED);
  if (asked !== served && Atomics.load(words, CLOSING) === 0) {
    served = asked;
    if (sync()) {
      Atomics.store(words, SYNCED, asked);
      Atomics.notify(words, SYNCED);
    }
  }
  if (performance.now() < nextLook) continue;
  nextLook = performance.now() + LOOK_MS;
  const moved = findMoved(files);
  if (moved !== undefined) tell({ moved });
}
closeSync(wal);
