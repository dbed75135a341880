/** Least that a durable write costs on the disk of temporary files: one appended page each, and a sync for all that wait. */
import { fdatasync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PAGE = Buffer.alloc(4096, 1);
/** The file begins anew behind it. */
const LONGEST_FILE = 64 * 2 ** 20;

/** Returns a function that calls back once a page that it appended is synced. */
export function createDurability(): (done: () => void) => void {
  const directory = mkdtempSync(join(tmpdir(), "tessera-bench-durable-"));
  const file = openSync(join(directory, "log"), "w");
  // The open file stays until the process ends; its name is not left behind.
  rmSync(directory, { recursive: true });
  let waiting: (() => void)[] = [];
  let isSyncing = false;
  let length = 0;

  function sync(): void {
    isSyncing = waiting.length > 0;
    if (!isSyncing) return;
    const group = waiting;
    waiting = [];
    for (const _ of group) {
      writeSync(file, PAGE, 0, PAGE.length, length);
      length = (length + PAGE.length) % LONGEST_FILE;
    }
    fdatasync(file, (error) => {
      if (error !== null) throw error;
      for (const done of group) done();
      sync();
    });
  }

  return (done) => {
    waiting.push(done);
    if (!isSyncing) sync();
  };
}
