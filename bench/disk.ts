/** Disk time of the smallest durable write: one `fdatasync` of 4 kB. */
import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Goal } from "./scenario.ts";

const ROUNDS = 300;
const PAGE = Buffer.alloc(4096, 1);

/** @returns the median of 300 appended pages, in milliseconds, on the disk that the server's data lies on */
function measureSync(): number {
  const path = join(tmpdir(), `tessera-bench-disk-${process.pid}`);
  const file = openSync(path, "w");
  try {
    const times = Array.from({ length: ROUNDS }, (_, round) => {
      const began = performance.now();
      writeSync(file, PAGE, 0, PAGE.length, round * PAGE.length);
      fdatasyncSync(file);
      return performance.now() - began;
    });
    return times.toSorted((a, b) => a - b)[ROUNDS >> 1] ?? 0;
  } finally {
    closeSync(file);
    rmSync(path);
  }
}

/** Returns the goal for a write without other writes to share its sync: little more than the disk time. */
export function goalOfLoneWrite(): Goal {
  return { metric: "p50", atMost: 1.15 * measureSync() + 0.15 };
}
