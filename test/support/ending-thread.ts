/** Loaded in front of the program, by `node --import`: a thread that answers ends by an error when a file appears. */
import { existsSync, renameSync } from "node:fs";
import { isMainThread, workerData } from "node:worker_threads";

const file = process.env["ENDING_THREAD_FILE"] ?? "";

if (!isMainThread && "following" in ((workerData ?? {}) as object)) {
  setInterval(() => {
    if (!existsSync(file)) return;
    // One of them alone gets it.
    renameSync(file, `${file}.taken`);
    throw new Error("this thread shall end");
  }, 20).unref();
}
