import { closeSync, openSync } from "node:fs";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { KeyObject } from "node:crypto";
import { StorageAway } from "../../errors.ts";
import type { EngineDatabase, Reader, StorageStats, EngineTransaction } from "../database.ts";
import { type Counter, counterName } from "../writes/counters.ts";
import { createKysely } from "../driver.ts";
import { createFeedHub, eventsOf, type Commit } from "../feed/feed.ts";
import { refuseRestoringFile } from "../operator/half-restored.ts";
import { createWriteQueue } from "../writes/write-queue.ts";
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
import { closeAsFound } from "./mark/keeping.ts";
import { checkMark } from "./mark/match.ts";
import type { LostWrites } from "./mark/refusals.ts";
import { COUNT_COMMIT, putMarkRow } from "./mark/row.ts";
import { type Slot, markPath } from "./mark/slots.ts";
import { bootId, checkLog, makeMark, prepareLog, refuseMarkAlone } from "./mark/start.ts";
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
    health.noteDamage,
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
  const noteCommit = (commits: readonly (Commit | undefined)[], takesRights: boolean) => {
    durability.committed(takesRights);
    health.noteWrite();
    snapshot.leave();
    // Last: what is read because of it must see it.
    const events = commits.flatMap((commit) => (commit === undefined ? [] : eventsOf(commit)));
    board.note(events);
    hub.publish(events);
  };
  const clock = createTurnClock();
  const transactionReader = createReader(writerConnection, count, () => undefined, clock, health.translate);
  /** Set when the mark has begun, and with it the row that counts. */
  let countCommit: StatementSync | undefined;
  const writer = createWriter(writerConnection, transactionReader, clock, {
    beforeCommit() {
      countCommit?.all();
      durability.beginCommit();
    },
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
  let isMarked = false;
  const checkpoints = startCheckpoints(
    { path, files },
    options.walLimitBytes,
    durability.commits,
    (work) => pauseWriter("checkpoint", work),
    options.onWarning,
    look,
    health.noteDamage,
    { isReady: () => isMarked, mark: durability.mark },
  );
  /** Nobody else writes yet, but for commands beside the server. */
  async function beginMark(key: KeyObject): Promise<void> {
    const slot = { ...(found ?? makeMark(path, key)), boot: bootId() };
    writerConnection.db.exec("pragma busy_timeout = 5000");
    putMarkRow(writerConnection.db, path, slot.instance);
    countCommit = writerConnection.db.prepare(COUNT_COMMIT);
    stopWaiting(writerConnection);
    await durability.beginMark({ path, key, slot: { ...slot, commit: slot.commit + durability.commits() } });
    files.push(...placedNow([markPath(path)]));
    isMarked = true;
  }
  let isClosing = false;
  const refusal = () => {
    if (isClosing) return new StorageAway("The server is stopping, try again later");
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

  const db: EngineDatabase = {
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
      isClosing = true;
      // Completes earlier requests: a commit behind the last mark would leave a log that the mark does not know.
      do await pauseWriter("close", () => Promise.resolve());
      while (queue.waiting() > 0 || queue.busy() > 0);
      snapshot.leave();
      await longReader.close();
      const isWhole = await checkpoints.close();
      await Promise.all([durability.close(), health.close()]);
      // The last connection to close copies the log into the file. A log that the disk has not kept has unknown
      // contents: the next start checks it. A close of moved files would remove the log of others at their paths.
      if (durability.loss() !== undefined) return;
      snapshot.leave();
      readConnection.close();
      // The log that the mark refers to must stay.
      if (isMarked && isWhole) writerConnection.close();
      else closeAsFound(writerConnection, path);
      lock.close();
    },
  };
  return { db, beginMark };
}
