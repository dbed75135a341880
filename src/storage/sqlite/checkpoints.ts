import { statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { CheckpointAnswer, CheckpointMode } from "./checkpoint-worker.ts";
import { startWorker, stopWorker } from "./worker.ts";

/** How often the WAL is copied into the database file while there are writes, in milliseconds. */
const INTERVAL_MS = 250;
const PAGE_BYTES = 4096;
/** How long a look at the disk's free room holds, in milliseconds. */
const LOOK_MS = 20;

export interface Checkpoints {
  /** Notes that a write found the disk full. */
  noteFull(): void;
  /**
   * Whether the disk is full, or the log about to take the room that copying it
   * needs; true until a checkpoint has gone through. Writes are refused so long.
   */
  isFull(): boolean;
  /** Size of the WAL at the last checkpoint, in bytes. */
  walBytes(): number;
  close(): Promise<void>;
}

/**
 * Copies the WAL into the database file while the server runs. Past `limitBytes`
 * the writer is paused for the moment it takes to copy the rest, so that the WAL
 * starts again from its beginning. Where the disk has little room left the same
 * is done earlier, and the WAL's own room is given back.
 *
 * @param commits how many commits there have been; nothing is done while it stands still
 * @param pauseWriter runs its argument while no transaction is under way
 * @param onError told of a checkpoint that failed (a full disk); it is tried again
 */
export function startCheckpoints(
  path: string,
  limitBytes: number,
  commits: () => number,
  pauseWriter: (work: () => Promise<void>) => Promise<void>,
  onError: (message: string) => void,
): Checkpoints {
  const worker = startWorker("checkpoint-worker", { path });
  worker.unref();
  let copiedCommits = 0;
  let walBytes = 0;
  let full = false;
  let failing = false;
  let nextLook = 0;
  let running: Promise<void> | undefined;

  function ask(mode: CheckpointMode): Promise<CheckpointAnswer> {
    return new Promise((resolve, reject) => {
      worker.once("error", reject);
      worker.once("message", (answer: CheckpointAnswer) => {
        worker.off("error", reject);
        resolve(answer);
      });
      worker.postMessage(mode);
    });
  }

  async function checkpoint(): Promise<void> {
    const upTo = commits();
    if (upTo === copiedCommits && !full) return;
    let answer = await ask("passive");
    const bytes = answer.walPages * PAGE_BYTES;
    const isScarce = !hasRoomFor(2);
    if (bytes > limitBytes || isScarce) {
      await pauseWriter(async () => {
        answer = await ask(isScarce ? "truncate" : "restart");
      });
    }
    if (answer.error !== "") throw new Error(answer.error);
    walBytes = answer.walPages * PAGE_BYTES;
    failing = false;
    if (answer.copiedPages !== answer.walPages) return;
    copiedCommits = upTo;
    full = false;
  }

  /** Whether the disk has room for so many times what the log takes. */
  function hasRoomFor(times: number): boolean {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize >= times * statSync(`${path}-wal`).size;
  }

  function isFull(): boolean {
    const now = performance.now();
    if (full || now < nextLook) return full;
    nextLook = now + LOOK_MS;
    full = !hasRoomFor(1);
    return full;
  }

  /** A full disk fails every time until it has room: told once. */
  function fail(error: unknown): void {
    if (!failing) onError(`the write-ahead log cannot be copied, this is tried again: ${String(error)}`);
    failing = true;
  }

  const timer = setInterval(() => {
    running ??= checkpoint()
      .catch(fail)
      .finally(() => {
        running = undefined;
      });
  }, INTERVAL_MS);
  timer.unref();

  return {
    noteFull() {
      full = true;
    },
    isFull,
    walBytes: () => walBytes,
    async close() {
      clearInterval(timer);
      await running;
      await stopWorker(worker);
    },
  };
}
