import type { CheckpointAnswer, CheckpointMode } from "./checkpoint-worker.ts";
import { startWorker, stopWorker } from "./worker.ts";

/** How often the WAL is copied into the database file while there are writes, in milliseconds. */
const INTERVAL_MS = 250;
const PAGE_BYTES = 4096;

export interface Checkpoints {
  /** Size of the WAL at the last checkpoint, in bytes. */
  walBytes(): number;
  close(): Promise<void>;
}

/**
 * Copies the WAL into the database file while the server runs. Past `limitBytes`
 * the writer is paused for the moment it takes to copy the rest, so that the WAL
 * starts again from its beginning.
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
    if (upTo === copiedCommits) return;
    let answer = await ask("passive");
    if (answer.walPages * PAGE_BYTES > limitBytes) {
      await pauseWriter(async () => {
        answer = await ask("restart");
      });
    }
    if (answer.error !== "") return onError(answer.error);
    walBytes = answer.walPages * PAGE_BYTES;
    if (answer.copiedPages === answer.walPages) copiedCommits = upTo;
  }

  const timer = setInterval(() => {
    running ??= checkpoint()
      .catch((error: unknown) => onError(String(error)))
      .finally(() => {
        running = undefined;
      });
  }, INTERVAL_MS);
  timer.unref();

  return {
    walBytes: () => walBytes,
    async close() {
      clearInterval(timer);
      await running;
      await stopWorker(worker);
    },
  };
}
