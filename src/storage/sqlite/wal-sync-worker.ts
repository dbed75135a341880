/**
 * Syncs the WAL to disk, in a thread of its own: in the event loop a sync would stall every request, and in libuv's
 * pool it would wait behind name look-ups. Each message asks for one sync. What is synced counts only while the files
 * are still at their paths; once a second that is looked at without being asked, of all of them: what is written is in
 * the database and in the WAL alone.
 */
import { closeSync, fdatasyncSync, openSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { findMoved, type Placed } from "./placement.ts";

export interface SyncWork {
  walPath: string;
  /** The files that must not move. */
  files: readonly Placed[];
}

/** One for each sync, and one more when it is seen that a file has moved. */
export interface SyncAnswer {
  synced: boolean;
  /** Why the sync failed. */
  failure?: string;
  /** Which file is not at its path any more. */
  moved?: string;
}

const LOOK_MS = 1000;

const { walPath, files } = workerData as SyncWork;
const written = files.filter(({ path }) => path === walPath || `${path}-wal` === walPath);
const wal = openSync(walPath, "r");

function answer(synced: boolean): SyncAnswer {
  try {
    if (synced) fdatasyncSync(wal);
  } catch (error) {
    return { synced, failure: String(error) };
  }
  // Last: a file that goes while it is being synced must not pass.
  const moved = findMoved(synced ? written : files);
  return moved === undefined ? { synced } : { synced, moved };
}

const looks = setInterval(() => {
  const seen = answer(false);
  if (seen.moved !== undefined) parentPort?.postMessage(seen);
}, LOOK_MS);

parentPort?.on("message", (message: "sync" | "close") => {
  if (message === "sync") return parentPort?.postMessage(answer(true));
  clearInterval(looks);
  closeSync(wal);
  parentPort?.close();
});
