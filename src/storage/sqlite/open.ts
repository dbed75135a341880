import { closeSync, existsSync, fsyncSync, lstatSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StorageAway } from "../../errors.ts";
import type { EngineDatabase, StorageStats } from "../database.ts";
import { counterName } from "../counters.ts";
import { createKysely } from "../driver.ts";
import { createFeedHub, eventsOf, type Commit } from "../feed.ts";
import { createPrivateDirectory, hasCode } from "../files.ts";
import { StartError } from "../start-error.ts";
import { createWriteQueue } from "../write-queue.ts";
import { startCheckpoints } from "./checkpoints.ts";
import { openConnection, stopWaiting, type SqliteConnection } from "./connection.ts";
import { startDurability } from "./durability.ts";
import { createLongReader } from "./long-reader.ts";
import { migrateSqlite } from "./migrate.ts";
import { createLongQueries, createReader } from "./reader.ts";
import { createTurnSnapshot } from "./snapshot.ts";
import { createTurnClock } from "./turn-clock.ts";
import { createWriter } from "./writer.ts";

export interface SqliteOptions {
  path: string;
  /** How many writes may wait. */
  queueLimit: number;
  /** How many long reads may wait. */
  longLimit: number;
  /** Size of the WAL past which the writer pauses, in bytes. */
  walLimitBytes: number;
  onFatal: (error: Error) => void;
  onWarning: (message: string) => void;
}

/** Older versions can corrupt a database when the WAL is reset. */
const OLDEST_SQLITE = [3, 51, 3];

/**
 * Opens the embedded database; makes it when there is none.
 *
 * @throws StartError when another process has it open, or it cannot be opened
 */
export async function openSqlite(options: SqliteOptions): Promise<EngineDatabase> {
  refuseOldSqlite();
  const { path } = options;
  makeFolder(path);
  const lock = lockInstance(path);
  let writerConnection: SqliteConnection;
  try {
    // Looked for under the lock: before, another server may be just making it.
    if (!existsSync(path)) closeSync(openSync(path, "wx", 0o600));
    writerConnection = openConnection(path, "write");
    migrateSqlite(writerConnection.db, options.onWarning);
    syncAll(path);
  } catch (error) {
    lock.close();
    if (error instanceof StartError) throw error;
    throw new StartError(`the database ${path} cannot be opened: ${String(error)}`, { cause: error });
  }
  return assemble(options, lock, writerConnection);
}

function assemble(options: SqliteOptions, lock: DatabaseSync, writerConnection: SqliteConnection): EngineDatabase {
  const { path } = options;
  const operations: StorageStats["operations"] = { point: 0, query: 0, long: 0, transaction: 0, sync: 0 };
  const count = (kind: keyof typeof operations) => {
    operations[kind] += 1;
  };
  const readConnection = openConnection(path, "read");
  const snapshot = createTurnSnapshot(readConnection);
  const reader = createReader(readConnection, count, snapshot.enter);
  for (const connection of [writerConnection, readConnection]) stopWaiting(connection);
  const durability = startDurability(`${path}-wal`, (error) => {
    checkpoints.stop();
    options.onFatal(error);
  });
  const longReader = createLongReader(path, options.longLimit);
  // Every write to the file is this process's own, so the hub hears of all of them at once.
  const hub = createFeedHub({
    whenDurable: durability.whenDurable,
    pollAgeSeconds: () => undefined,
    publishedUpTo: undefined,
    onWarning: options.onWarning,
  });
  const noteCommit = (commit: Commit | undefined) => {
    durability.committed();
    snapshot.leave();
    // Last: what is read because of it must see it.
    if (commit !== undefined) hub.publish(eventsOf(commit));
  };
  const clock = createTurnClock();
  const transactionReader = createReader(writerConnection, count, () => undefined, clock);
  const writer = createWriter(writerConnection, transactionReader, clock, noteCommit, () => checkpoints.noteFull());
  const queue = createWriteQueue([writer], 1, options.queueLimit);
  const checkpoints = startCheckpoints(
    path,
    options.walLimitBytes,
    durability.commits,
    (work) => queue.run("checkpoint", work, { beyondLimit: true }),
    options.onWarning,
  );
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
    feed: hub.feed,
    now: () => Date.now(),
    inTransaction: (counter, work) => {
      if (checkpoints.isFull()) {
        return Promise.reject(new StorageAway("The disk is full, try again later"));
      }
      count("transaction");
      return queue.run(counterName(counter), (slot) => {
        // Asked when its turn has come: the log may have failed while it waited.
        if (!durability.failed()) return slot.transact(counter, work);
        return Promise.reject(new StorageAway("The disk has failed, the server is stopping"));
      });
    },
    whenDurable: durability.whenDurable,
    async ping() {
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
    }),
    async close() {
      await queue.run("close", () => Promise.resolve(), { beyondLimit: true });
      await checkpoints.close();
      await Promise.all([longReader.close(), durability.close()]);
      // The last connection to close copies the log into the file. Of a log that the disk has
      // not kept nobody knows what it holds: it is left to the next start, which checks it.
      if (durability.failed()) return;
      snapshot.leave();
      readConnection.close();
      writerConnection.close();
      lock.close();
    },
  };
}

function refuseOldSqlite(): void {
  const memory = new DatabaseSync(":memory:");
  const version = String(memory.prepare("select sqlite_version() as version").get()?.["version"]);
  memory.close();
  const parts = version.split(".").map(Number);
  for (let i = 0; i < OLDEST_SQLITE.length; i++) {
    const difference = (parts[i] ?? 0) - (OLDEST_SQLITE[i] ?? 0);
    if (difference > 0) return;
    if (difference < 0) {
      throw new StartError(
        `this Node.js carries SQLite ${version}, which can corrupt a database; use the runtime that npm ci installs`,
      );
    }
  }
}

function makeFolder(path: string): void {
  try {
    createPrivateDirectory(dirname(path));
  } catch (error) {
    throw new StartError(`the folder of ${path} cannot be made: ${String(error)}`, { cause: error });
  }
}

/**
 * Takes the lock that keeps a second server off the file. It is a lock inside
 * SQLite on a file of its own, so the system drops it with the process.
 */
function lockInstance(path: string): DatabaseSync {
  const lockPath = `${path}.lock`;
  makeLockFile(lockPath);
  try {
    const lock = new DatabaseSync(lockPath);
    lock.exec("begin exclusive");
    return lock;
  } catch (error) {
    throw new StartError(
      `another server has ${path} open (${lockPath} is locked); stop it, or give this one another --data-dir`,
      { cause: error },
    );
  }
}

/** Not opened when it is there: closing it would drop the lock of a database open in this very process. */
function makeLockFile(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw new StartError(`${path} cannot be made: ${String(error)}`, { cause: error });
    // SQLite follows a link, and makes the file where it leads.
    if (!lstatSync(path).isFile()) throw new StartError(`${path} is a link or no plain file; remove it`);
  }
}

/** Before the first answer: what an earlier process wrote may be in the WAL without having been synced. */
function syncAll(path: string): void {
  for (const file of [`${path}-wal`, dirname(path)]) {
    const descriptor = openSync(file, "r");
    fsyncSync(descriptor);
    closeSync(descriptor);
  }
}
