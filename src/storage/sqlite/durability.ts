import { stopWorker, startWorker } from "./worker.ts";
import { AppError } from "../../errors.ts";

export interface Durability {
  /** Notes that a commit was appended to the WAL. */
  committed(): void;
  /** See `Database.whenDurable`. */
  whenDurable(done: (error?: Error) => void): void;
  /** Whether a sync has failed: nothing may be written or copied any more. */
  failed(): boolean;
  /** Commits noted, and syncs made, since the start. */
  commits(): number;
  syncs(): number;
  close(): Promise<void>;
}

/**
 * Keeps count of commits and of those known to be on disk. All answers that
 * wait at a moment share one sync of the WAL.
 *
 * @param walPath the WAL file; it must exist
 * @param onFatal called once when a sync fails: what was committed since may be
 * lost, so the process has to stop
 */
export function startDurability(walPath: string, onFatal: (error: Error) => void): Durability {
  const worker = startWorker("wal-sync-worker", { walPath });
  worker.unref();
  let commits = 0;
  let durable = 0;
  let syncing = 0;
  let syncs = 0;
  let closing = false;
  let failure: Error | undefined;
  let waiters: { commit: number; done: (error?: Error) => void }[] = [];

  function requestSync(): void {
    if (syncing !== 0 || failure !== undefined) return;
    syncing = commits;
    worker.ref();
    worker.postMessage("sync");
  }

  function fail(cause: unknown): void {
    if (failure !== undefined) return;
    failure = new AppError("outcome_unknown", "The write could not be made durable; its outcome is unknown", { cause });
    const pending = waiters;
    waiters = [];
    for (const waiter of pending) waiter.done(failure);
    onFatal(failure);
  }

  worker.on("message", (error: string) => {
    if (error !== "") return fail(new Error(`sync of the write-ahead log failed: ${error}`));
    durable = syncing;
    syncing = 0;
    syncs += 1;
    const pending = waiters;
    waiters = [];
    for (const waiter of pending) {
      if (waiter.commit <= durable) waiter.done();
      else waiters.push(waiter);
    }
    if (waiters.length > 0) requestSync();
    else worker.unref();
  });
  worker.on("error", fail);
  worker.on("exit", () => {
    if (!closing) fail(new Error("the sync thread ended"));
  });

  return {
    committed() {
      commits += 1;
    },
    whenDurable(done) {
      if (failure !== undefined) return done(failure);
      if (commits <= durable) return done();
      waiters.push({ commit: commits, done });
      requestSync();
    },
    failed: () => failure !== undefined,
    commits: () => commits,
    syncs: () => syncs,
    close() {
      closing = true;
      return stopWorker(worker);
    },
  };
}
