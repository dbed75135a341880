/**
 * Copies the WAL into the database file, in a thread of its own. The answer to
 * each message says how long the WAL was and how much of it has been copied.
 */
import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import { findMoved, type Placed } from "./placement.ts";

export interface CheckpointRequest {
  mode: "passive" | "restart" | "truncate";
  /** How long to wait for readers of older pages (for each of the locks), in milliseconds; `passive` never waits. */
  patienceMs: number;
}
export interface CheckpointAnswer {
  /** Pages in the WAL, and how many of them are in the database file. */
  walPages: number;
  copiedPages: number;
  /** Whether readers kept the WAL from starting again. */
  isHeld: boolean;
  error: string;
}

/** What is copied: the file, and where it and what belongs to it lay when the database was opened. */
export interface CheckpointedDatabase {
  path: string;
  files: readonly Placed[];
}

const { path, files } = workerData as CheckpointedDatabase;
// SQLite would make a file that is missing, and throw away the log of one that it takes for empty.
const moved = findMoved(files);
if (moved !== undefined) throw new Error(moved);
const db = new DatabaseSync(path);
db.exec("pragma synchronous = normal");
db.exec("pragma wal_autocheckpoint = 0");

parentPort?.on("message", (request: CheckpointRequest | "close") => {
  if (request === "close") {
    db.close();
    parentPort?.close();
    return;
  }
  const answer: CheckpointAnswer = { walPages: 0, copiedPages: 0, isHeld: false, error: "" };
  try {
    db.exec(`pragma busy_timeout = ${request.patienceMs}`);
    const row = db.prepare(`pragma wal_checkpoint(${request.mode})`).get() as Record<string, number>;
    answer.walPages = Number(row["log"]);
    answer.copiedPages = Number(row["checkpointed"]);
    answer.isHeld = row["busy"] !== 0;
  } catch (error) {
    answer.error = String(error);
  }
  parentPort?.postMessage(answer);
});
