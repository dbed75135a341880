import { createApart } from "./reads/apart.ts";
import { unwatched } from "./clock/trusted.ts";
import type { Database, EngineDatabase, OpenedEngine } from "./database.ts";
import { watchDamage } from "./proofs/damaged-rows.ts";
import { untilDurable } from "./writes/durable.ts";
import { createIndexReader } from "./feed/touches.ts";
import { refuseHalfRestored } from "./operator/half-restored.ts";
import { deriveKey, openKeyring } from "./keys/keyring.ts";
import { checkMasterKey, readMasterKey, usedKey } from "./keys/master-key.ts";
import { refuseMoved } from "./operator/moved.ts";
import { createReadiness } from "./readiness.ts";
import { byTheServer, recording } from "./writes/recorded.ts";
import { openPostgres } from "./postgres/open.ts";
import { dependantsOfDeleted } from "./purge/purge.ts";
import { startRemoval } from "./operator/removal.ts";
import { recordLostWrites } from "./sqlite/mark/record.ts";
import { openSqlite } from "./sqlite/open.ts";
import { checkWritable, createPrivateDirectory, findLaxMode } from "./files.ts";
import { POOLS } from "../pools.ts";

export interface OpenOptions {
  /** `sqlite:PATH` or `postgres://…`. */
  url: string;
  /** Folder of what the server keeps beside the database; made when absent. */
  dataDir: string;
  /** File that holds the master key; in the data directory when undefined. */
  keyFile?: string | undefined;
  /** The master key itself, where a command gave it. */
  masterKey?: Uint8Array | undefined;
  /** Whether an empty database may be begun beside a master key that has sealed another. */
  allowEmpty?: boolean;
  /** Whether to go on without acknowledged writes that SQLite's log has lost. */
  acceptLostWrites?: boolean;
  /** Told of damage that is found while the database is in use; `onWarning` when left out. */
  onDamage?: (message: string) => void;
  /** Told once when what was written can no longer be made durable: the process has to stop. */
  onFatal: (error: Error) => void;
  onWarning: (message: string) => void;
  /** How many writes may wait before more are refused. */
  queueLimit?: number;
  /** How many long reads may wait before more are refused. */
  longLimit?: number;
  /** URL of a streaming replica of a PostgreSQL database. */
  replica?: string | undefined;
  /** How a node of a PostgreSQL database learns of the others' writes: by messages and polling, or by polling alone. */
  feed?: "notify" | "poll" | undefined;
  /** Size of SQLite's write-ahead log past which the writer pauses for a checkpoint, in bytes. */
  walLimitBytes?: number;
  /** Size of a SQLite file up to which a start waits until it has been checked for damage, in bytes. */
  checkedAtStartBytes?: number;
  /** See `openKeyring`. */
  recordsPerKey?: number;
}

const WAL_LIMIT_BYTES = 64 * 1024 * 1024;

/**
 * Opens storage: brings the schema up to date, opens the secrets' keys and starts the background work.
 *
 * @throws StartError with one line that says what is wrong
 */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  const { url, dataDir, onWarning } = options;
  createPrivateDirectory(dataDir);
  const lax = findLaxMode(dataDir, 0o022);
  if (lax !== undefined) onWarning(lax);
  const queueLimit = options.queueLimit ?? POOLS.writes.size;
  const longLimit = options.longLimit ?? POOLS.longReads.size;
  const { key, masterKey, beforeMaking } = findKey(options);
  const {
    db: engine,
    replica,
    useKeys,
    lostWrites,
  } = url.startsWith("sqlite:")
    ? await openEmbedded(options, { beforeMaking, read: () => masterKey(false) }, queueLimit, longLimit)
    : await openPostgres({
        url,
        queueLimit,
        longLimit,
        feed: options.feed ?? "notify",
        replica: options.replica,
        beforeMaking,
        onWarning,
      });
  const damage = watchDamage(onWarning);
  const { counts: damagedRows } = damage;
  try {
    await refuseHalfRestored(engine);
    await refuseMoved(engine);
    const keyring = await openKeyring(engine, key, masterKey, options.recordsPerKey);
    await useKeys(keyring);
    await untilDurable(engine);
    key.note();
    const ready = createReadiness(engine, onWarning);
    const db = withKeys(engine, replica, { keyring, ready, damagedRows });
    const server = byTheServer(db);
    if (lostWrites !== undefined) await recordLostWrites(server, lostWrites);
    const removal = startRemoval(server, dependantsOfDeleted(server), (error) =>
      onWarning(`background deletion: ${String(error)}`),
    );
    return {
      ...db,
      close: () => {
        damage.stop();
        return seeThrough(removal.stop().then(engine.close));
      },
    };
  } catch (error) {
    damage.stop();
    // The reason for the close is what counts.
    await seeThrough(engine.close()).catch((failure: unknown) => onWarning(String(failure)));
    throw error;
  }
}

/** Makes the database of what an engine has opened. */
function withKeys(
  engine: EngineDatabase,
  replica: OpenedEngine["replica"],
  shared: Pick<Database, "keyring" | "ready" | "damagedRows">,
): Database {
  return {
    ...recording(engine),
    ...shared,
    forGood: unwatched(engine.now),
    apart: createApart(engine, shared.keyring),
    isReplica: false,
    replica: replica && {
      db: {
        ...recording(replica.db),
        ...shared,
        forGood: unwatched(replica.db.now),
        apart: createApart(replica.db, shared.keyring),
        isReplica: true,
        replica: undefined,
        tableIndex: createIndexReader(replica.db),
      },
      ageMilliseconds: replica.ageMilliseconds,
    },
    tableIndex: createIndexReader(engine),
  };
}

/** Finds how the master key is given, and what reads it when the database wants it, once. */
function findKey({ dataDir, keyFile, masterKey: given, allowEmpty = false, onWarning }: OpenOptions) {
  const key = usedKey({ isGiven: given !== undefined, keyFile, dataDir, allowEmpty, onWarning });
  const source = { masterKey: given, keyFile, dataDir, onWarning };
  let read: Buffer | undefined;
  return {
    key,
    masterKey(isEmpty: boolean): Buffer {
      // The first token goes into a file there: one that cannot be made is to be known before anything is in the database.
      if (isEmpty) checkWritable(dataDir, "--data-dir");
      return (read ??= readMasterKey(source, isEmpty));
    },
    beforeMaking() {
      key.refuseEmpty();
      checkWritable(dataDir, "--data-dir");
      checkMasterKey(source);
    },
  };
}

async function openEmbedded(
  options: OpenOptions,
  key: { beforeMaking: () => void; read: () => Buffer },
  queueLimit: number,
  longLimit: number,
): Promise<OpenedEngine> {
  const { url, walLimitBytes = WAL_LIMIT_BYTES, checkedAtStartBytes, onFatal, onWarning } = options;
  const { db, beginMark, lostWrites } = await openSqlite({
    path: url.slice("sqlite:".length),
    queueLimit,
    longLimit,
    walLimitBytes,
    checkedAtStartBytes,
    beforeMaking: key.beforeMaking,
    allowEmpty: options.allowEmpty ?? false,
    acceptLostWrites: options.acceptLostWrites ?? false,
    markKey: (reader) => deriveKey(reader, key.read, LOG_MARK_KEY),
    onFatal,
    onWarning,
    onDamage: options.onDamage ?? onWarning,
  });
  return { db, replica: undefined, useKeys: (keyring) => beginMark(keyring.derive(LOG_MARK_KEY)), lostWrites };
}

/** For what the key of SQLite's mark is derived. */
const LOG_MARK_KEY = "mark of the log";

/** A close that takes longer has lost something it waits for; the process must be able to end, and to say why. */
const LONGEST_CLOSE_MS = 15_000;

/** Something did not let the storage be closed: a thread, say, that is within a statement, for which a normal exit would wait. */
export class LateClose extends Error {}

/**
 * Sees a close through to its end. Threads and timers of the store do not keep the process alive by themselves: without
 * this it could end in the middle, the log uncopied and the reason for the close unsaid.
 *
 * @throws LateClose when it does not come to an end in time
 */
export async function seeThrough(close: Promise<void>, longestMs = LONGEST_CLOSE_MS): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new LateClose(`storage was not closed within ${longestMs} ms`)),
    longestMs,
  );
  try {
    await Promise.race([close, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
