/** A copy of the embedded database as it was at one moment, whether or not a server has it. */
import { closeSync, openSync, rmSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { checkSchema, ROWS_AT_A_TIME, selectRows, type Snapshot, type SnapshotRow } from "../operator/snapshot.ts";
import { StartError } from "../start-error.ts";
import { isDamage, sqliteReason } from "./faults.ts";
import { findDatabaseFile, openFailure, refuseOldSqlite } from "./instance.ts";
import { refuseLostLog } from "./mark/keeping.ts";

/** Pages that are copied at a time, and the pause behind them, in milliseconds: the disk is the server's too. */
const SLICE_PAGES = 1024;
const PAUSE_MS = 2;
/** Beyond the size of what is copied: what is written meanwhile. */
const SPARE_BYTES = 64 * 1024 * 1024;

/**
 * Copies the database file by SQLite's own online backup, and reads the copy: the server's log is held for as long as the file
 * takes to be copied, and not for as long as its rows take to be written. The lock of the instance is the server's and is
 * not asked for.
 *
 * @param path of the database @param copy where the copy may lie; nothing is left of it
 * @throws StartError when there is no database that this version knows, or no room for the copy
 */
export async function openSqliteSnapshot(path: string, copy: string): Promise<Snapshot> {
  refuseOldSqlite();
  if (!findDatabaseFile(path)) throw new StartError(`database ${path} not found. Check --database and --data-dir`);
  refuseLostLog(path);
  let source: DatabaseSync | undefined;
  let db: DatabaseSync;
  let takenAt: string;
  let migrations: string[];
  try {
    source = new DatabaseSync(path, { readOnly: true });
    source.exec("pragma busy_timeout = 5000");
    checkRoom(path, copy);
    takenAt = new Date().toISOString();
    // One transaction around all slices: without it each write of the server would make the copy begin anew.
    source.exec("begin");
    migrations = readMigrations(source);
    checkSchema(migrations);
    await makeCopy(source, copy);
    source.exec("rollback");
    // Nobody else has it, and it has no log: it is neither locked nor is anything made beside it.
    const url = pathToFileURL(copy);
    url.searchParams.set("immutable", "1");
    db = new DatabaseSync(url, { readOnly: true });
  } catch (error) {
    throw openFailure(path, error);
  } finally {
    source?.close();
    // It is open, and goes with this process.
    rmSync(copy, { force: true });
  }
  return {
    engine: "sqlite",
    takenAt,
    migrations,
    rows: (table, columns, key) => rowsOf(db, selectRows(table, columns, key)),
    close: async () => db.close(),
  };
}

async function makeCopy(source: DatabaseSync, copy: string): Promise<void> {
  try {
    closeSync(openSync(copy, "wx", 0o600));
    await backup(source, copy, { rate: SLICE_PAGES, progress: pause });
  } catch (error) {
    if (isDamage(error)) throw error;
    throw new StartError(
      `cannot copy the database to ${copy} (${sqliteReason(error)}). Free space there, or check its permissions`,
      { cause: error },
    );
  }
}

const neverWoken = new Int32Array(new SharedArrayBuffer(4));

/** Between two slices nothing else is to be done in this process. */
function pause(): void {
  Atomics.wait(neverWoken, 0, 0, PAUSE_MS);
}

function checkRoom(path: string, copy: string): void {
  const { bavail, bsize } = statfsSync(dirname(copy));
  const bytes = statSync(path).size + (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0);
  if (bavail * bsize >= bytes + SPARE_BYTES) return;
  const needed = Math.ceil((bytes + SPARE_BYTES) / 1024 / 1024);
  throw new StartError(
    `not enough space in ${dirname(copy)} for a copy of the database: ${needed} MiB required. Free space, or set TMPDIR to another directory`,
  );
}

/** Returns the names of the migrations that the database has. */
export function readMigrations(db: DatabaseSync): string[] {
  const isThere = db.prepare("select 1 from sqlite_master where name = 'schema_migrations'").get() !== undefined;
  const rows = isThere ? db.prepare("select name from schema_migrations order by name").all() : [];
  return rows.map((row) => String(row["name"]));
}

/** The rows of a statement, a bounded number at a time. */
export async function* rowsOf(db: DatabaseSync, sql: string): AsyncGenerator<SnapshotRow[]> {
  const statement = db.prepare(sql);
  statement.setReturnArrays(true);
  let rows: SnapshotRow[] = [];
  for (const row of statement.iterate() as unknown as Iterable<SnapshotRow>) {
    rows.push(row);
    if (rows.length < ROWS_AT_A_TIME) continue;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
}
