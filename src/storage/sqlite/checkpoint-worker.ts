/**
 * Copies the WAL into the database file, in a thread of its own. The answer to
 * each message says how long the WAL was and how much of it has been copied.
 *
 * While it copies, a read transaction of another connection pins the WAL: as long as that is open nobody can begin the WAL
 * anew. When all has been copied it stays open until it is asked to let go: before, the mark has to say so (`mark/`).
 */
import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import { createShrinkWatch, findMoved, type HeldFile, type PlacedFile } from "./placement.ts";

export interface CheckpointRequest {
  /** `release` copies nothing. Before `restart` and `truncate` all has to be copied, and marked. */
  mode: "passive" | "full" | "release" | "restart" | "truncate";
  /** How long to wait for readers of older pages (for each of the locks), in milliseconds; `passive` never waits. */
  patienceMs: number;
}
export interface CheckpointAnswer {
  /** Pages in the WAL, and how many of them are in the database file. */
  walPages: number;
  copiedPages: number;
  /** Whether readers kept the WAL from starting again. */
  isHeld: boolean;
  /** Whether all of the WAL is in the file, and nobody can begin it anew before `release`. */
  isPinned: boolean;
  error: string;
  /** How the database file has shrunk: nothing more is copied into such a file. Empty where it has not. */
  damaged: string;
}

/** Database to copy, and the places of its files when it was opened. */
export interface CheckpointedDatabase {
  database: HeldFile;
  files: readonly PlacedFile[];
}

const { database, files } = workerData as CheckpointedDatabase;
const { path } = database;
// SQLite would make a file that is missing, and throw away the log of one that it takes for empty.
const moved = findMoved(files);
if (moved !== undefined) throw new Error(moved);
const db = new DatabaseSync(path);
db.exec("pragma synchronous = normal");
db.exec("pragma wal_autocheckpoint = 0");
const findShrunk = createShrinkWatch(database);
const pin = new DatabaseSync(path, { readOnly: true });
pin.exec("pragma busy_timeout = 1000");
const look = pin.prepare("select 1 from sqlite_master limit 1");

function hold(): void {
  letGo();
  pin.exec("begin");
  look.all();
}

function letGo(): void {
  if (pin.isTransaction) pin.exec("rollback");
}

const NOTHING: CheckpointAnswer = {
  walPages: 0,
  copiedPages: 0,
  isHeld: false,
  isPinned: false,
  error: "",
  damaged: "",
};

function checkpoint({ mode, patienceMs }: CheckpointRequest): CheckpointAnswer {
  const answer = { ...NOTHING };
  if (mode === "passive" || mode === "full") hold();
  else letGo();
  if (mode === "release") return answer;
  try {
    // Before, since what is copied makes a file long again whose end is lost.
    answer.damaged = findShrunk() ?? "";
    if (answer.damaged !== "") return answer;
    db.exec(`pragma busy_timeout = ${patienceMs}`);
    const row = db.prepare(`pragma wal_checkpoint(${mode})`).get() as Record<string, number>;
    answer.walPages = Number(row["log"]);
    answer.copiedPages = Number(row["checkpointed"]);
    answer.isHeld = row["busy"] !== 0;
    answer.damaged = findShrunk() ?? "";
    if (answer.damaged !== "") return answer;
    answer.isPinned = pin.isTransaction && answer.walPages > 0 && answer.copiedPages === answer.walPages;
  } finally {
    if (!answer.isPinned) letGo();
  }
  return answer;
}

parentPort?.on("message", (request: CheckpointRequest | "close") => {
  if (request === "close") {
    pin.close();
    db.close();
    parentPort?.close();
    return;
  }
  try {
    parentPort?.postMessage(checkpoint(request));
  } catch (error) {
    parentPort?.postMessage({ ...NOTHING, error: String(error) });
  }
});
