import { MessageChannel, type MessagePort, type Worker } from "node:worker_threads";
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

/** How long the mark of a log that has moved is waited for, in milliseconds. */
const MARK_PATIENCE_MS = 5000;

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
 * @param onLoss called once when a sync fails or a file has moved: what was committed since may be lost, so the process
 * has to stop
 * @param onDamage told when the database file was found to be damaged
 */
export function startDurability(
  walPath: string,
  files: readonly PlacedFile[],
  onLoss: (loss: DurabilityLoss) => void,
  onDamage: (finding: string) => void = () => undefined,
): Durability {
  return new WalDurability(walPath, files, onLoss, onDamage);
}

class WalDurability implements Durability {
  readonly #onLoss: (loss: DurabilityLoss) => void;
  readonly #words = createSyncWords();
  readonly #settings: MessagePort;
  readonly #worker: Worker;
  #commits = 0;
  /** Commits, and what else is waited for; the numbers below are of these. */
  #wanted = 0;
  #isMarkWanted = false;
  #durable = 0;
  #syncing = 0;
  #syncs = 0;
  #closing = false;
  #loss: DurabilityLoss | undefined;
  #waiters: { upTo: number; done: (error?: Error) => void }[] = [];

  readonly #noteSynced = (): void => {
    if (this.#loss !== undefined) return;
    this.#durable = this.#syncing;
    this.#syncing = 0;
    this.#syncs += 1;
    const pending = this.#waiters;
    this.#waiters = [];
    for (const waiter of pending) {
      if (waiter.upTo <= this.#durable) waiter.done();
      else this.#waiters.push(waiter);
    }
    if (this.#wanted > this.#durable) this.#requestSync();
    else this.#worker.unref();
  };

  constructor(
    walPath: string,
    files: readonly PlacedFile[],
    onLoss: (loss: DurabilityLoss) => void,
    onDamage: (finding: string) => void,
  ) {
    this.#onLoss = onLoss;
    const { port1, port2 } = new MessageChannel();
    this.#settings = port1;
    const work: SyncWork = { walPath, files, words: this.#words, settings: port2 };
    this.#worker = startWorker("wal-sync-worker", work, {}, [port2]);
    this.#worker.unref();
    this.#settings.unref();
    this.#worker.on("message", ({ failure, moved, damaged }: SyncTrouble) => {
      if (damaged !== undefined) onDamage(damaged);
      if (failure !== undefined) return this.#lose("sync", new Error(failure));
      if (moved !== undefined) this.noteMoved(moved);
    });
    this.#worker.on("error", (error) => this.#lose("sync", error));
    this.#worker.on("exit", () => {
      if (!this.#closing) this.#lose("sync", new Error("the sync thread ended"));
    });
  }

  beginCommit(): void {
    this.#commits += 1;
    this.#wanted += 1;
  }

  committed(isMarked = false): void {
    this.#isMarkWanted ||= isMarked;
    this.#requestSync();
  }

  beginMark(given: MarkSettings): Promise<void> {
    this.#settings.postMessage(given);
    return this.mark();
  }

  isSyncing(): boolean {
    return this.#syncing !== 0;
  }

  loss(): DurabilityLoss | undefined {
    return this.#loss;
  }

  commits(): number {
    return this.#commits;
  }

  syncs(): number {
    return this.#syncs;
  }

  close(): Promise<void> {
    this.#closing = true;
    this.#settings.close();
    return stopWorker(this.#worker, () => {
      Atomics.store(this.#words, CLOSING, 1);
      Atomics.add(this.#words, REQUESTED, 1);
      Atomics.notify(this.#words, REQUESTED);
    });
  }

  #requestSync(): void {
    if (this.#syncing !== 0 || this.#loss !== undefined) return;
    this.#syncing = this.#wanted;
    this.#worker.ref();
    Atomics.store(this.#words, MARKED, this.#isMarkWanted ? WITH_MARK : 0);
    Atomics.store(this.#words, COMMITS, this.#commits);
    this.#isMarkWanted = false;
    const before = Atomics.load(this.#words, SYNCED);
    Atomics.add(this.#words, REQUESTED, 1);
    Atomics.notify(this.#words, REQUESTED);
    const wait = Atomics.waitAsync(this.#words, SYNCED, before);
    if (wait.async) void wait.value.then(this.#noteSynced);
    // It is over already. Told like any other, in a turn of its own, when whoever committed has gone on.
    else setImmediate(this.#noteSynced);
  }

  #lose(kind: DurabilityLoss["kind"], cause: unknown): void {
    if (this.#loss !== undefined) return;
    const error = new AppError("outcome_unknown", "The write could not be synced to disk; its outcome is unknown", {
      cause,
    });
    this.#loss = { kind, error };
    const pending = this.#waiters;
    this.#waiters = [];
    for (const waiter of pending) waiter.done(error);
    this.#onLoss(this.#loss);
  }

  noteMoved(what: string): void {
    return this.#lose("moved", new Error(what));
  }

  whenDurable(done: (error?: Error) => void): void {
    if (this.#wanted <= this.#durable) return done();
    if (this.#loss !== undefined) return done(this.#loss.error);
    this.#waiters.push({ upTo: this.#wanted, done });
    this.#requestSync();
  }

  /** @throws the loss, when the mark could not be written */
  async #markMoved(lost: DurabilityLoss): Promise<void> {
    const before = Atomics.load(this.#words, SYNCED);
    Atomics.store(this.#words, MARKED, MARK_ALONE);
    Atomics.store(this.#words, COMMITS, this.#commits);
    Atomics.add(this.#words, REQUESTED, 1);
    Atomics.notify(this.#words, REQUESTED);
    await Atomics.waitAsync(this.#words, SYNCED, before, MARK_PATIENCE_MS).value;
    if (Atomics.load(this.#words, MARKED) !== MARK_WRITTEN) throw lost.error;
  }

  mark(): Promise<void> {
    if (this.#loss?.kind === "moved") return this.#markMoved(this.#loss);
    this.#wanted += 1;
    this.#isMarkWanted = true;
    return new Promise((resolve, reject) => {
      this.whenDurable((error) => (error === undefined ? resolve() : reject(error)));
    });
  }
}
