import { closeSync, openSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import type { KeyObject } from "node:crypto";
import { StorageAway } from "../../errors.ts";
import type { EngineDatabase, Reader, StorageStats } from "../database.ts";
import { refuseRestoringFile } from "../operator/half-restored.ts";
import { countOperations } from "../operation-counts.ts";
import { openConnection, stopWaiting, type SqliteConnection } from "./connection.ts";
import { type FileHealth, watchFiles } from "./file-health.ts";
import {
  lockInstance,
  makeFolder,
  refuseOldSqlite,
  syncAll,
  damagedAtStart,
  findDatabaseFile,
  openFailure,
} from "./instance.ts";
import { createLongReader, longReads, type LongReader } from "./long-reader.ts";
import { closeAsFound } from "./mark/keeping.ts";
import { checkMark } from "./mark/match.ts";
import type { LostWrites } from "./mark/refusals.ts";
import type { Slot } from "./mark/slots.ts";
import { checkLog, prepareLog, refuseMarkAlone } from "./mark/start.ts";
import { migrateSqlite } from "./migrate.ts";
import { holdFile, placedNow } from "./placement.ts";
import { bytesToCheck, CHECKED_AT_START_BYTES, findDamage } from "./quick-check.ts";
import { createReader, createTurnSnapshot } from "./reader.ts";
import { WritingSide } from "./writing-side.ts";

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
  /** Whether an empty database may be begun where there was one. */
  allowEmpty: boolean;
  /** Whether to go on without writes that the log has lost. */
  acceptLostWrites: boolean;
  /** The key of the mark, as far as the database has keys. @throws StartError when the master key is another one's */
  markKey: (db: Reader) => Promise<KeyObject | undefined>;
  onFatal: (error: Error) => void;
  onWarning: (message: string) => void;
  /** Told of damage that was found while the database is in use. */
  onDamage: (message: string) => void;
}

/** An embedded database that is open. */
export interface OpenedSqlite {
  db: EngineDatabase;
  /** Begins or goes on with the mark of the log: before it, nobody may be answered. */
  beginMark: (key: KeyObject) => Promise<void>;
  /** Writes that are lost, which has to be put on record. */
  lostWrites: LostWrites | undefined;
}

/**
 * Opens the embedded database; makes it when there is none.
 *
 * @throws StartError when another process has it open, it cannot be opened, or is damaged
 */
export async function openSqlite(options: SqliteOptions): Promise<OpenedSqlite> {
  refuseOldSqlite();
  const { path } = options;
  makeFolder(path);
  const lock = lockInstance(path);
  let writerConnection: SqliteConnection | undefined;
  try {
    // Looked for under the lock: before, another server may be just making it.
    if (!findDatabaseFile(path)) {
      refuseRestoringFile(path);
      options.beforeMaking();
      refuseMarkAlone(path, options.allowEmpty);
      closeSync(openSync(path, "a", 0o600));
    }
    const choice = { accept: options.acceptLostWrites, onWarning: options.onWarning };
    const log = checkLog(path, choice);
    writerConnection = openConnection(path, "write");
    const { db } = writerConnection;
    checkAtStart(path, db, log.accepted === undefined ? options : { ...options, checkedAtStartBytes: Infinity });
    const key = await options.markKey(createReader(writerConnection, nothing, nothing));
    const found = checkMark(path, db, log, { key, ...choice });
    const slot = prepareLog(path, db, found, key);
    migrateSqlite(db, options.onWarning);
    syncAll(path);
    return { ...assemble(options, lock, writerConnection, slot), lostWrites: found.accepted ?? found.unsure };
  } catch (error) {
    if (writerConnection !== undefined) closeAsFound(writerConnection, path);
    lock.close();
    throw openFailure(path, error);
  }
}

const nothing = (): void => undefined;

/** Checks the file at startup, and throws a finding. A file that takes too long is checked while the server runs. */
function checkAtStart(path: string, db: DatabaseSync, { checkedAtStartBytes = CHECKED_AT_START_BYTES }: SqliteOptions) {
  if (bytesToCheck(path) > checkedAtStartBytes) return;
  const finding = findDamage(db);
  if (finding !== undefined) throw damagedAtStart(path, finding);
}

function assemble(
  options: SqliteOptions,
  lock: DatabaseSync,
  writerConnection: SqliteConnection,
  found: Slot | undefined,
): Omit<OpenedSqlite, "lostWrites"> {
  const { path } = options;
  const { operations, count } = countOperations();
  const readConnection = openConnection(path, "read");
  const snapshot = createTurnSnapshot(readConnection);
  const database = holdFile(path);
  const files = [database, ...placedNow([`${path}-wal`, `${path}-shm`, `${path}.lock`])];
  const health = watchFiles({ ...options, files });
  const reader = createReader(readConnection, count, snapshot.enter, undefined, health.translate);
  for (const connection of [writerConnection, readConnection]) stopWaiting(connection);
  const side = new WritingSide(writerConnection, { ...options, database, files, health, snapshot, count });
  const { durability, hub } = side;
  const longReader = createLongReader(path, options.longLimit, () => side.checkCanOpen(), health.translate);
  let isClosing = false;
  const refusal = () => (isClosing ? new StorageAway("The server is stopping; retry later") : side.refusal());

  const db: EngineDatabase = {
    ...reader,
    ...longReads(longReader, () => count("long")),
    feed: hub.feed,
    now: () => Date.now(),
    inTransaction(counter, work) {
      const refused = refusal();
      if (refused !== undefined) return Promise.reject(refused);
      count("transaction");
      return side.transact(counter, work);
    },
    whenDurable: (done) => durability.whenDurable(done),
    lastWrite: health.lastWrite,
    async ping() {
      const refused = refusal();
      if (refused !== undefined) throw refused;
      await reader.sql.selectFrom("counters").select("name").limit(1).execute();
    },
    stats: () => ({ ...statsOf(side, longReader, health), operations: { ...operations, sync: durability.syncs() } }),
    async close() {
      isClosing = true;
      await side.drain();
      snapshot.leave();
      await longReader.close();
      const isWhole = await side.checkpoints.close();
      await Promise.all([durability.close(), health.close()]);
      // The last connection to close copies the log into the file. A log that the disk has not kept has unknown
      // contents: the next start checks it. A close of moved files would remove the log of others at their paths.
      if (durability.loss() !== undefined) return;
      snapshot.leave();
      readConnection.close();
      side.closeConnection(isWhole);
      closeSync(database.descriptor);
      lock.close();
    },
  };
  return { db, beginMark: (key) => side.beginMark(key, found) };
}

function statsOf(
  { queue, hub }: WritingSide,
  longReader: LongReader,
  health: FileHealth,
): Omit<StorageStats, "operations"> {
  return {
    writeQueue: queue.waiting(),
    pools: {
      write: { busy: queue.busy(), size: 1 },
      long: { busy: longReader.busy(), size: longReader.size() },
    },
    feed: hub.stats(),
    isDamaged: health.isDamaged(),
    isChecking: health.isChecking(),
  };
}
