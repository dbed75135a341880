import { closeSync, openSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { StorageAway } from "../../errors.ts";
import type { EngineDatabase, StorageStats } from "../database.ts";
import { counterName } from "../counters.ts";
import { createKysely } from "../driver.ts";
import { createFeedHub, eventsOf, type Commit } from "../feed.ts";
import { createWriteQueue } from "../write-queue.ts";
import { startCheckpoints } from "./checkpoints.ts";
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
  const durability = startDurability(`${path}-wal`, files, (loss) => {
    // A log whose files have moved is still right: what of it is copied is not lost.
    if (loss.kind === "sync") checkpoints.stop();
    health.noteLoss(loss);
  });
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
  const noteCommit = (commit: Commit | undefined) => {
    durability.committed();
    health.noteWrite();
    snapshot.leave();
    // Last: what is read because of it must see it.
    if (commit !== undefined) hub.publish(eventsOf(commit));
  };
  const clock = createTurnClock();
  const transactionReader = createReader(writerConnection, count, () => undefined, clock, health.translate);
  const onFull = () => checkpoints.noteFull();
  const writer = createWriter(writerConnection, transactionReader, clock, noteCommit, onFull, health.translate);
  const queue = createWriteQueue([writer], 1, options.queueLimit);
  const checkpoints = startCheckpoints(
    path,
    options.walLimitBytes,
    durability.commits,
    (work) => queue.run("checkpoint", work, { beyondLimit: true }),
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
    inTransaction: (counter, work) => {
      const refused = refusal();
      if (refused !== undefined) return Promise.reject(refused);
      count("transaction");
      return queue.run(counterName(counter), (slot) => {
        // Asked when its turn has come: the log may have failed while it waited.
        const failed = health.refusal();
        return failed === undefined ? slot.transact(counter, work) : Promise.reject(failed);
      });
    },
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
      await queue.run("close", () => Promise.resolve(), { beyondLimit: true });
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
