import type { Database, OpenedEngine } from "./database.ts";
import { createIndexReader } from "./feed-touches.ts";
import { openKeyring } from "./keyring.ts";
import { readMasterKey } from "./master-key.ts";
import { openPostgres } from "./postgres/open.ts";
import { startPurger } from "./purge.ts";
import { openSqlite } from "./sqlite/open.ts";
import { createPrivateDirectory, findLaxMode } from "./files.ts";

export interface OpenOptions {
  /** `sqlite:PATH` or `postgres://…`. */
  url: string;
  /** Folder of what the server keeps beside the database; made when absent. */
  dataDir: string;
  /** File that holds the master key; in the data directory when undefined. */
  keyFile?: string | undefined;
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
}

const QUEUE_LIMIT = 1024;
const LONG_LIMIT = 256;
const WAL_LIMIT_BYTES = 64 * 1024 * 1024;

/**
 * Opens storage: brings the schema up to date, opens the secrets' keys and
 * starts the background work.
 *
 * @throws StartError with one line that says what is wrong
 */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  const { url, dataDir, onFatal, onWarning } = options;
  createPrivateDirectory(dataDir);
  const lax = findLaxMode(dataDir, 0o022);
  if (lax !== undefined) onWarning(lax);
  const queueLimit = options.queueLimit ?? QUEUE_LIMIT;
  const longLimit = options.longLimit ?? LONG_LIMIT;
  const { db: engine, replica } = url.startsWith("sqlite:")
    ? await openEmbedded({ ...options, onFatal, onWarning }, queueLimit, longLimit)
    : await openPostgres({
        url,
        queueLimit,
        longLimit,
        feed: options.feed ?? "notify",
        replica: options.replica,
        onWarning,
      });
  try {
    const keyring = await openKeyring(engine, (isEmpty) =>
      readMasterKey({ keyFile: options.keyFile, dataDir, onWarning }, isEmpty),
    );
    const db: Database = {
      ...engine,
      keyring,
      isReplica: false,
      replica: replica && {
        db: { ...replica.db, keyring, isReplica: true, replica: undefined, tableIndex: createIndexReader(replica.db) },
        ageMilliseconds: replica.ageMilliseconds,
      },
      tableIndex: createIndexReader(engine),
    };
    const purger = startPurger(db, (error) => onWarning(`background deletion: ${String(error)}`));
    return {
      ...db,
      async close() {
        await purger.stop();
        await engine.close();
      },
    };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

async function openEmbedded(
  { url, walLimitBytes = WAL_LIMIT_BYTES, onFatal, onWarning }: OpenOptions,
  queueLimit: number,
  longLimit: number,
): Promise<OpenedEngine> {
  const path = url.slice("sqlite:".length);
  const db = await openSqlite({ path, queueLimit, longLimit, walLimitBytes, onFatal, onWarning });
  return { db, replica: undefined };
}
