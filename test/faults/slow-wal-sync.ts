/**
 * Loaded into a server with `--import`: every fourth sync of the log takes 300 ms longer, by chance. A file says how many did, and
 * which syncs and waits the main thread made.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { isMainThread } from "node:worker_threads";

const DELAY_MS = 300;
const file = process.env["LOG_SYNC_NOTES"] ?? "";
const { fdatasyncSync: sync, fsyncSync: syncWhole, appendFileSync: append } = fs;
const never = new Int32Array(new SharedArrayBuffer(4));
const wait = Atomics.wait.bind(Atomics) as (words: Int32Array, at: number, value: number, ms?: number) => string;

function note(what: string): void {
  append(file, `${what}\n`);
}

fs.fdatasyncSync = (descriptor: number) => {
  if (isMainThread) note("main fdatasync");
  else if (Math.random() < 0.25) {
    note("delayed");
    wait(never, 0, 0, DELAY_MS);
  }
  sync(descriptor);
};
fs.fsyncSync = (descriptor: number) => {
  if (isMainThread) note("main fsync");
  syncWhole(descriptor);
};
if (isMainThread) {
  Atomics.wait = ((words: Int32Array, at: number, value: number, ms?: number) => {
    note("main wait");
    return wait(words, at, value, ms);
  }) as typeof Atomics.wait;
}
syncBuiltinESMExports();
