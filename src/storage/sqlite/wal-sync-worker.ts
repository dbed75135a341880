/**
 * Syncs the WAL to disk, in a thread of its own: in the event loop a sync would
 * stall every request, and in libuv's pool it would wait behind name look-ups.
 * Each message asks for one sync; the answer is an error text or an empty one.
 */
import { closeSync, fdatasyncSync, openSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";

const { walPath } = workerData as { walPath: string };
const wal = openSync(walPath, "r");

parentPort?.on("message", (message: "sync" | "close") => {
  if (message === "close") {
    closeSync(wal);
    parentPort?.close();
    return;
  }
  let failure = "";
  try {
    fdatasyncSync(wal);
  } catch (error) {
    failure = String(error);
  }
  parentPort?.postMessage(failure);
});
