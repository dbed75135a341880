import { closeSync, openSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { StorageAway } from "../../errors.ts";
import type { EngineDatabase, StorageStats, EngineTransaction } from "../database.ts";
import { type Counter, counterName } from "../counters.ts";
import { createKysely } from "../driver.ts";
import { createFeedHub, eventsOf, type Commit } from "../feed.ts";
import { refuseRestoringFile } from "../half-restored.ts";
import { createWriteQueue } from "../write-queue.ts";
import { startCheckpoints } from "./checkpoints.ts";
import { createCommitBoard } from "./commit-board.ts";
import { openConnection, stopWaiting, type SqliteConnection } from "./connection.ts";
import { startDurability } from "./durability.ts";
import { watchFiles } from "./file-health.ts";
import {
  lockInstance,
  makeFolder,
  refuseOldSqlite,
  syncAll,
  damagedAtStart,
  findDatabaseFile,
  openFailure,
} from "./instance.ts";
import { createLongReader } from "./long-reader.ts";
import { migrateSqlite } from "./migrate.ts";
import { placedNow } from "./placement.ts";
import { bytesToCheck, CHECKED_AT_START_BYTES, findDamage } from "./quick-check.ts";
import { createLongQueries, createReader, createTurnSnapshot } from "./reader.ts";
import { createTurnClock } from "../../turns.ts";
import { createWriter } from "./writer.ts";

export interface SqliteOptions {
  path: string;
  /** How many writes may wait. */
  queueLimit: number;
  /** How many long reads may wait. */
  longLimit: number;
  /** Size of the WAL past which the writer pauses, in bytes. */
  walLimitBytes: number;
  /** A start waits for the check of a file up to this size, in bytes. */
  checkedAtStartBytes?: number | undefined;
  /** Called before a database is made where there is none; throws when there should be one. */
  beforeMaking: () => void;
  onFatal: (error: Error) => void;
  onWarning: (message: string) => void;
  /** Told of damage that was found while the database is in use. */
  onDamage: (message: string) => void;
}

/**
 * Opens the embedded database; makes it when there is none.
 *
 * @throws StartError when another process has it open, it cannot be opened, or is damaged
 */
export async function openSqlite(options: SqliteOptions): Promise<EngineDatabase> {
  refuseOldSqlite();
  const { path } = options;
  makeFolder(path);
  const lock = lockInstance(path);
  let writerConnection: SqliteConnection;
  try {
    // Looked for under the lock: before, another server may be just making it.
    if (!findDatabaseFile(path)) {
      refuseRestoringFile(path);
      options.beforeMaking();
      closeSync(openSync(path, "a", 0o600));
    }
    writerConnection = openConnection(path, "write");
    checkAtStart(path, writerConnection.db, options);
    migrateSqlite(writerConnection.db, options.onWarning);
    syncAll(path);
  } catch (error) {
    lock.close();
    throw openFailure(path, error);
  }
  return assemble(options, lock, writerConnection);
}

/** What is found now keeps the server from starting; a file that takes too long is checked when it serves. */
function checkAtStart(path: string, db: DatabaseSync, { checkedAtStartBytes = CHECKED_AT_START_BYTES }: SqliteOptions) {
  if (bytesToCheck(path) > checkedAtStartBytes) return;
  const finding = findDamage(db);
  if (finding !== undefined) throw damagedAtStart(path, finding);
}

function assemble(options: SqliteOptions, lock: DatabaseSync, writerConnection: SqliteConnection): EngineDatabase {
  const { path } = options;
  const operations: StorageStats["operations"] = { point: 0, query: 0, long: 0, transaction: 0, sync: 0 };
  const count = (kind: keyof typeof operations) => {
    operations[kind] += 1;
  };
  const readConnection = openConnection(path, "read");
  const snapshot = createTurnSnapshot(readConnection);
  const files = placedNow([path, `${path}-wal`, `${path}-shm`, `${path}.lock`]);
  const health = watchFiles({ ...options, files });
  const reader = createReader(readConnection, count, snapshot.enter, undefined, health.translate);
  for (const connection of [writerConnection, readConnection]) stopWaiting(connection);
  const board = createCommitBoard((message) => {
    if ("damaged" in message) health.noteDamage(message.damaged);
    else durability.noteMoved(message.moved);
  }, files);
  const durability = startDurability(
    `${path}-wal`,
    files,
    (loss) => {
      // A log whose files have moved is still right: what of it is copied is not lost.
      if (loss.kind === "sync") checkpoints.stop();
      health.noteLoss(loss);
    },
    board,
  );
  const look = () => {
    const moved = health.findMoved();
    if (moved !== undefined) durability.noteMoved(moved);
  };
  // A thread opens the file by its name: what lies there now may be another one.
  const beforeOpen = () => {
    look();
    const refusal = health.refusal();
    if (durability.loss() !== undefined && refusal !== undefined) throw refusal;
  };
  const longReader = createLongReader(path, options.longLimit, beforeOpen, health.translate);
  // Every write to the file is this process's own, so the hub hears of all of them at once.
  const hub = createFeedHub({
    whenDurable: durability.whenDurable,
    pollAgeSeconds: () => undefined,
    publishedUpTo: undefined,
    onWarning: options.onWarning,
  });
  const noteCommit = (commits: readonly (Commit | undefined)[]) => {
    durability.committed();
    health.noteWrite();
    snapshot.leave();
    // Last: what is read because of it must see it.
    const events = commits.flatMap((commit) => (commit === undefined ? [] : eventsOf(commit)));
    board.note(events);
    hub.publish(events);
  };
  const clock = createTurnClock();
  const transactionReader = createReader(writerConnection, count, () => undefined, clock, health.translate);
  const writer = createWriter(writerConnection, transactionReader, clock, {
    beforeCommit: durability.beginCommit,
    onFailedCommit: durability.committed,
    onCommit: noteCommit,
    onFull: () => checkpoints.noteFull(),
    translate: health.translate,
    waiting: () => queue.waiting(),
    isSyncing: durability.isSyncing,
    refusal: health.refusal,
  });
  const queue = createWriteQueue([writer], 1, options.queueLimit);
  /** Runs `work` while no transaction is under way and none waits for its commit. */
  const pauseWriter = (name: string, work: () => Promise<void>) =>
    queue.run(
      name,
      (slot) => {
        slot.end();
        return work();
      },
      { beyondLimit: true },
    );
  const checkpoints = startCheckpoints(
    { path, files },
    options.walLimitBytes,
    durability.commits,
    (work) => pauseWriter("checkpoint", work),
    options.onWarning,
    look,
  );
  const refusal = () => {
    const isFull = checkpoints.isFull();
    return health.refusal() ?? (isFull ? new StorageAway("The disk is full, try again later") : undefined);
  };
  const long = createLongQueries(
    (sql, parameters) => {
      count("long");
      return longReader.all(sql, parameters);
    },
    createKysely("sqlite", () => Promise.resolve([])),
  );

  return {
    ...reader,
    long,
    runInThread(name, input, dataKey) {
      count("long");
      return longReader.work(name, input, dataKey);
    },
    feed: hub.feed,
    now: () => Date.now(),
    inTransaction: <T>(counter: Counter, work: (tx: EngineTransaction) => Promise<T>): Promise<T> => {
      const refused = refusal();
      if (refused !== undefined) return Promise.reject(refused);
      count("transaction");
      return new Promise<T>((resolve, reject) => {
        queue.run(counterName(counter), (slot) => slot.transact(counter, work, { resolve, reject })).catch(reject);
      });
    },
    follow: board.follow,
    catchUp: () => undefined,
    whenDurable: durability.whenDurable,
    lastWrite: health.lastWrite,
    async ping() {
      const refused = refusal();
      if (refused !== undefined) throw refused;
      await reader.sql.selectFrom("counters").select("name").limit(1).execute();
    },
    stats: () => ({
      operations: { ...operations, sync: durability.syncs() },
      writeQueue: queue.waiting(),
      pools: {
        write: { busy: queue.busy(), size: 1 },
        long: { busy: longReader.busy(), size: longReader.size() },
      },
      feed: hub.stats(),
      isDamaged: health.isDamaged(),
      isChecking: health.isChecking(),
    }),
    async close() {
      await pauseWriter("close", () => Promise.resolve());
      await checkpoints.close();
      await Promise.all([longReader.close(), durability.close(), health.close()]);
      // The last connection to close copies the log into the file. Of a log that the disk has
      // not kept nobody knows what it holds: it is left to the next start, which checks it.
      // Where files have moved, closing would remove the log of whatever lies at their paths now.
      if (durability.loss() !== undefined) return;
      snapshot.leave();
      readConnection.close();
      writerConnection.close();
      lock.close();
    },
  };
}
