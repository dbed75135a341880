import { MessageChannel } from "node:worker_threads";
import { AppError } from "../../errors.ts";
import type { MarkSettings } from "./mark/write.ts";
import type { PlacedFile } from "./placement.ts";
import {
  CLOSING,
  COMMITS,
  createSyncWords,
  MARK_ALONE,
  MARK_WRITTEN,
  MARKED,
  REQUESTED,
  SYNCED,
  WITH_MARK,
} from "./wal-sync-words.ts";
import type { SyncTrouble, SyncWork } from "./wal-sync-worker.ts";
import { startWorker, stopWorker } from "./worker.ts";

/** Why nothing that is written from now on will be kept. */
export interface DurabilityLoss {
  /** `sync`: the disk has not kept the log, which must not be copied any more. `moved`: a file is not at its path any more. */
  kind: "sync" | "moved";
  error: AppError;
}

/** Observers that also depend on durable commits; see `commit-board.ts`. */
export interface Onlookers {
  /** Called before each commit. */
  begin(): void;
  /** Returns the number of begun commits, in the observer's own count. */
  begun(): number;
  /** Called when all commits that had begun then are durable, before any waiter for them. */
  settle(begun: number): void;
  lose(): void;
}

/** How long the mark of a log that has moved is waited for, in milliseconds. */
const MARK_PATIENCE_MS = 5000;

const NOBODY: Onlookers = { begin: () => undefined, begun: () => 0, settle: () => undefined, lose: () => undefined };

export interface Durability {
  /** Notes that a commit is about to be made: from then on others may read it. */
  beginCommit(): void;
  /**
   * Notes that a commit was appended to the WAL, and has it synced: nearly always somebody is about to wait for that.
   *
   * @param isMarked whether it is durable only when the mark says so: where it takes rights away
   */
  committed(isMarked?: boolean): void;
  /** Hands the mark of the log to the thread that syncs it. Resolves when it says all that has been committed. */
  beginMark(settings: MarkSettings): Promise<void>;
  /** Resolves when the mark says all that has been committed, and what of it has been copied. @throws AppError when it cannot */
  mark(): Promise<void>;
  /** Whether commits are on their way to the disk: what is committed now is not durable before they are. */
  isSyncing(): boolean;
  /** See `Database.whenDurable`. */
  whenDurable(done: (error?: Error) => void): void;
  /** Permanent failure: no write may begin any more; undefined while there is none. */
  loss(): DurabilityLoss | undefined;
  /** Notes that a file was found to have moved. */
  noteMoved(what: string): void;
  /** Commits noted, and syncs made, since the start. */
  commits(): number;
  syncs(): number;
  close(): Promise<void>;
}

/**
 * Keeps count of commits and of those known to be on disk. A sync begins with the commit, while its answer is still being
 * made; all that is committed while one is under way shares the next.
 *
 * @param walPath the WAL file; it must exist
 * @param files those that have to stay where they are: what is written to one that is gone is not durable
 * @param onlookers told in step with this
 * @param onLoss called once when a sync fails or a file has moved: what was committed since may be lost, so the process
 * has to stop
 * @param onDamage told when the database file was found to be damaged
 */
export function startDurability(
  walPath: string,
  files: readonly PlacedFile[],
  onLoss: (loss: DurabilityLoss) => void,
  onlookers: Onlookers = NOBODY,
  onDamage: (finding: string) => void = () => undefined,
): Durability {
  const words = createSyncWords();
  const { port1: settings, port2 } = new MessageChannel();
  const work: SyncWork = { walPath, files, words, settings: port2 };
  const worker = startWorker("wal-sync-worker", work, {}, [port2]);
  worker.unref();
  settings.unref();
  let commits = 0;
  /** Commits, and what else is waited for; the numbers below are of these. */
  let wanted = 0;
  let isMarkWanted = false;
  let durable = 0;
  let syncing = 0;
  let begun = 0;
  let syncs = 0;
  let closing = false;
  let loss: DurabilityLoss | undefined;
  let waiters: { upTo: number; done: (error?: Error) => void }[] = [];

  function requestSync(): void {
    if (syncing !== 0 || loss !== undefined) return;
    syncing = wanted;
    begun = onlookers.begun();
    worker.ref();
    Atomics.store(words, MARKED, isMarkWanted ? WITH_MARK : 0);
    Atomics.store(words, COMMITS, commits);
    isMarkWanted = false;
    const before = Atomics.load(words, SYNCED);
    Atomics.add(words, REQUESTED, 1);
    Atomics.notify(words, REQUESTED);
    const wait = Atomics.waitAsync(words, SYNCED, before);
    if (wait.async) void wait.value.then(noteSynced);
    // It is over already. Told like any other, in a turn of its own, when whoever committed has gone on.
    else setImmediate(noteSynced);
  }

  function noteSynced(): void {
    if (loss !== undefined) return;
    durable = syncing;
    syncing = 0;
    syncs += 1;
    onlookers.settle(begun);
    const pending = waiters;
    waiters = [];
    for (const waiter of pending) {
      if (waiter.upTo <= durable) waiter.done();
      else waiters.push(waiter);
    }
    if (wanted > durable) requestSync();
    else worker.unref();
  }

  function lose(kind: DurabilityLoss["kind"], cause: unknown): void {
    if (loss !== undefined) return;
    const error = new AppError("outcome_unknown", "The write could not be made durable; its outcome is unknown", {
      cause,
    });
    loss = { kind, error };
    onlookers.lose();
    const pending = waiters;
    waiters = [];
    for (const waiter of pending) waiter.done(error);
    onLoss(loss);
  }

  const noteMoved = (what: string) => lose("moved", new Error(what));

  worker.on("message", ({ failure, moved, damaged }: SyncTrouble) => {
    if (damaged !== undefined) onDamage(damaged);
    if (failure !== undefined) return lose("sync", new Error(failure));
    if (moved !== undefined) noteMoved(moved);
  });
  worker.on("error", (error) => lose("sync", error));
  worker.on("exit", () => {
    if (!closing) lose("sync", new Error("the sync thread ended"));
  });

  function whenDurable(done: (error?: Error) => void): void {
    if (wanted <= durable) return done();
    if (loss !== undefined) return done(loss.error);
    waiters.push({ upTo: wanted, done });
    requestSync();
  }

  /** @throws the loss, when the mark could not be written */
  async function markMoved(lost: DurabilityLoss): Promise<void> {
    const before = Atomics.load(words, SYNCED);
    Atomics.store(words, MARKED, MARK_ALONE);
    Atomics.store(words, COMMITS, commits);
    Atomics.add(words, REQUESTED, 1);
    Atomics.notify(words, REQUESTED);
    await Atomics.waitAsync(words, SYNCED, before, MARK_PATIENCE_MS).value;
    if (Atomics.load(words, MARKED) !== MARK_WRITTEN) throw lost.error;
  }

  function mark(): Promise<void> {
    if (loss?.kind === "moved") return markMoved(loss);
    wanted += 1;
    isMarkWanted = true;
    return new Promise((resolve, reject) => {
      whenDurable((error) => (error === undefined ? resolve() : reject(error)));
    });
  }

  return {
    beginCommit() {
      commits += 1;
      wanted += 1;
      onlookers.begin();
    },
    committed(isMarked = false) {
      isMarkWanted ||= isMarked;
      requestSync();
    },
    beginMark(given) {
      settings.postMessage(given);
      return mark();
    },
    mark,
    isSyncing: () => syncing !== 0,
    whenDurable,
    loss: () => loss,
    noteMoved,
    commits: () => commits,
    syncs: () => syncs,
    close() {
      closing = true;
      settings.close();
      return stopWorker(worker, () => {
        Atomics.store(words, CLOSING, 1);
        Atomics.add(words, REQUESTED, 1);
        Atomics.notify(words, REQUESTED);
      });
    },
  };
}
