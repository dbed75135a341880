import type { StatementSync } from "node:sqlite";
import type { KeyObject } from "node:crypto";
import { StorageAway, type AppError } from "../../errors.ts";
import { createTurnClock } from "../../turns.ts";
import type { EngineTransaction, StorageStats } from "../database.ts";
import { createFeedHub, eventsOf, type Commit, type FeedHub } from "../feed/feed.ts";
import { type Counter, counterName } from "../writes/counters.ts";
import { createWriteQueue, type WriteQueue } from "../writes/write-queue.ts";
import { startCheckpoints, type Checkpoints } from "./checkpoints.ts";
import { stopWaiting, type SqliteConnection } from "./connection.ts";
import { startDurability, type Durability } from "./durability.ts";
import type { FileHealth } from "./file-health.ts";
import { closeAsFound } from "./mark/keeping.ts";
import { COUNT_COMMIT, putMarkRow } from "./mark/row.ts";
import { type Slot, markPath } from "./mark/slots.ts";
import { bootId, makeMark } from "./mark/start.ts";
import { type HeldFile, placedNow, type PlacedFile } from "./placement.ts";
import { createReader, type TurnSnapshot } from "./reader.ts";
import { createWriter, type SqliteWriter } from "./writer.ts";

export interface WritingOptions {
  path: string;
  /** How many writes may wait. */
  queueLimit: number;
  /** Size of the WAL past which the writer pauses, in bytes. */
  walLimitBytes: number;
  onWarning: (message: string) => void;
  database: HeldFile;
  /** The files of the database, itself among them; that of the mark is added when it has begun. */
  files: PlacedFile[];
  health: FileHealth;
  /** Snapshot of the reading connection, which ends with each commit. */
  snapshot: TurnSnapshot;
  count: (kind: keyof StorageStats["operations"]) => void;
}

/** The parts that write to the file: the writer and its queue, what makes commits durable and known, what copies the log. */
export class WritingSide {
  readonly #connection: SqliteConnection;
  readonly #options: WritingOptions;
  readonly durability: Durability;
  readonly hub: FeedHub;
  readonly queue: WriteQueue<SqliteWriter>;
  readonly checkpoints: Checkpoints;
  /** Set when the mark has begun, and with it the row that counts. */
  #countCommit: StatementSync | undefined;
  #isMarked = false;

  constructor(connection: SqliteConnection, options: WritingOptions) {
    this.#connection = connection;
    this.#options = options;
    const { path, files, health, onWarning } = options;
    const noteDamage = (finding: string) => health.noteDamage(finding);
    this.durability = startDurability(
      `${path}-wal`,
      files,
      (loss) => {
        // A log whose files have moved is still right: what of it is copied is not lost.
        if (loss.kind === "sync") this.checkpoints.stop();
        health.noteLoss(loss);
      },
      noteDamage,
    );
    // Every write to the file is this process's own, so the hub hears of all of them at once.
    this.hub = createFeedHub({
      whenDurable: (done) => this.durability.whenDurable(done),
      pollAgeSeconds: () => undefined,
      publishedUpTo: undefined,
      onWarning,
    });
    this.queue = createWriteQueue([this.#openWriter()], 1, options.queueLimit);
    this.checkpoints = startCheckpoints(
      { database: options.database, files },
      options.walLimitBytes,
      () => this.durability.commits(),
      (work) => this.pause("checkpoint", work),
      onWarning,
      () => this.#look(),
      noteDamage,
      { isReady: () => this.#isMarked, mark: () => this.durability.mark() },
    );
  }

  #openWriter(): SqliteWriter {
    const { health, count } = this.#options;
    const clock = createTurnClock();
    const reader = createReader(this.#connection, count, () => undefined, clock, health.translate);
    return createWriter(this.#connection, reader, clock, {
      beforeCommit: () => this.#beforeCommit(),
      onFailedCommit: () => this.durability.committed(),
      onCommit: (commits, takesRights) => this.#noteCommit(commits, takesRights),
      onFull: () => this.checkpoints.noteFull(),
      translate: health.translate,
      waiting: () => this.queue.waiting(),
      isSyncing: () => this.durability.isSyncing(),
      refusal: health.refusal,
    });
  }

  #beforeCommit(): void {
    this.#countCommit?.all();
    this.durability.beginCommit();
  }

  #noteCommit(commits: readonly (Commit | undefined)[], takesRights: boolean): void {
    this.durability.committed(takesRights);
    this.#options.health.noteWrite();
    this.#options.snapshot.leave();
    // Last: what is read because of it must see it.
    const events = commits.flatMap((commit) => (commit === undefined ? [] : eventsOf(commit)));
    this.hub.publish(events);
  }

  #look(): void {
    const moved = this.#options.health.findMoved();
    if (moved !== undefined) this.durability.noteMoved(moved);
  }

  /** Runs a transaction when its turn comes. */
  transact<T>(counter: Counter, work: (tx: EngineTransaction) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.queue.run(counterName(counter), (slot) => slot.transact(counter, work, { resolve, reject })).catch(reject);
    });
  }

  /** Sees to it that a thread may open the file by its name: what lies there now may be another one. @throws AppError */
  checkCanOpen(): void {
    this.#look();
    const refusal = this.#options.health.refusal();
    if (this.durability.loss() !== undefined && refusal !== undefined) throw refusal;
  }

  /** Runs `work` while no transaction is under way and none waits for its commit. */
  pause(name: string, work: () => Promise<void>): Promise<void> {
    return this.queue.run(
      name,
      (slot) => {
        slot.end();
        return work();
      },
      { beyondLimit: true },
    );
  }

  /** Closes the connection. @param isWhole whether all of the log is in the file, so that it may be removed */
  closeConnection(isWhole: boolean): void {
    // The log that the mark refers to must stay.
    if (this.#isMarked && isWhole) this.#connection.close();
    else closeAsFound(this.#connection, this.#options.path);
  }

  /** Begins the mark, or goes on with `found`. Nobody else writes yet, but for commands beside the server. */
  async beginMark(key: KeyObject, found: Slot | undefined): Promise<void> {
    const { path, files } = this.#options;
    const { db } = this.#connection;
    const slot = { ...(found ?? makeMark(path, key)), boot: bootId() };
    db.exec("pragma busy_timeout = 5000");
    putMarkRow(db, path, slot.instance);
    this.#countCommit = db.prepare(COUNT_COMMIT);
    stopWaiting(this.#connection);
    const { durability } = this;
    await durability.beginMark({ path, key, slot: { ...slot, commit: slot.commit + durability.commits() } });
    files.push(...placedNow([markPath(path)]));
    this.#isMarked = true;
  }

  /** Returns why no write may begin. */
  refusal(): AppError | undefined {
    const isFull = this.checkpoints.isFull();
    const refusal = this.#options.health.refusal();
    return refusal ?? (isFull ? new StorageAway("The disk is full; retry later") : undefined);
  }

  /** Completes earlier requests: a commit behind the last mark would leave a log that the mark does not know. */
  async drain(): Promise<void> {
    do await this.pause("close", () => Promise.resolve());
    while (this.queue.waiting() > 0 || this.queue.busy() > 0);
  }
}
