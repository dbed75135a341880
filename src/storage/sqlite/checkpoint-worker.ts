/**
 * Copies the WAL into the database file, in a thread of its own. Each message
 * is a checkpoint mode; the answer says how long the WAL was and how much of it
 * has been copied, in pages.
 */
import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";

export type CheckpointMode = "passive" | "restart" | "truncate";
export interface CheckpointAnswer {
  walPages: number;
  copiedPages: number;
  error: string;
}

const { path } = workerData as { path: string };
const db = new DatabaseSync(path);
db.exec("pragma busy_timeout = 2000");
db.exec("pragma synchronous = normal");
db.exec("pragma wal_autocheckpoint = 0");

parentPort?.on("message", (mode: CheckpointMode | "close") => {
  if (mode === "close") {
    db.close();
    parentPort?.close();
    return;
  }
  const answer: CheckpointAnswer = { walPages: 0, copiedPages: 0, error: "" };
  try {
    const row = db.prepare(`pragma wal_checkpoint(${mode})`).get() as { log: number; checkpointed: number };
    answer.walPages = row.log;
    answer.copiedPages = row.checkpointed;
  } catch (error) {
    answer.error = String(error);
  }
  parentPort?.postMessage(answer);
});
