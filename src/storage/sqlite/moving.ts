/** The embedded database while it is moved, whether or not a server has it. */
import type { DatabaseSync } from "node:sqlite";
import { fence, markerOf } from "../operator/moved.ts";
import { isServed, startTime, type MovingOptions, type MovingSource } from "../operator/moving.ts";
import { checkSchema, selectRows } from "../operator/snapshot.ts";
import { StartError } from "../start-error.ts";
import { openConnection, stopWaiting, type SqliteConnection } from "./connection.ts";
import { findDatabaseFile, InstanceInUse, lockInstance, openFailure, refuseOldSqlite, syncAll } from "./instance.ts";
import { closeAsFound, hasLog, refuseLost } from "./mark/keeping.ts";
import { beginWriting } from "./operator.ts";
import { readMigrations, rowsOf } from "./snapshot.ts";

/**
 * Takes SQLite's own lock on writing, and keeps it: a server's writes are refused meanwhile as while any other program writes.
 * Nothing says so in the database, so that it is given back when this process ends.
 *
 * @throws StartError when there is no database that this version knows, or a server has it and `cutover` is not given
 */
export async function openSqliteMoving(path: string, options: MovingOptions): Promise<MovingSource> {
  refuseOldSqlite();
  if (!findDatabaseFile(path)) throw new StartError(`database ${path} not found. Check --database and --data-dir`);
  const lock = lockUnlessServed(path, options);
  if (lock !== undefined) refuseLostUnder(lock, path);
  let connection: SqliteConnection | undefined;
  try {
    connection = openConnection(path, "write");
    stopWaiting(connection);
    await beginWriting(connection, path);
    const { db } = connection;
    const checkTime = startTime(options);
    const migrations = readMigrations(db);
    checkSchema(migrations);
    return assemble(connection, { path, lock, checkTime, migrations });
  } catch (error) {
    if (connection !== undefined) closeAsFound(connection, path);
    lock?.close();
    throw openFailure(path, error);
  }
}

/** While it is held no server starts; one that runs has it. */
function lockUnlessServed(path: string, { cutover }: MovingOptions): DatabaseSync | undefined {
  try {
    return lockInstance(path);
  } catch (error) {
    if (!(error instanceof InstanceInUse)) throw error;
    if (cutover) return undefined;
    throw isServed("a server");
  }
}

/** @throws StartError when writes are lost; the lock is given back then */
function refuseLostUnder(lock: DatabaseSync, path: string): void {
  try {
    refuseLost(path);
  } catch (error) {
    lock.close();
    throw error;
  }
}

interface Opened {
  path: string;
  lock: DatabaseSync | undefined;
  checkTime: () => void;
  migrations: readonly string[];
}

function assemble(connection: SqliteConnection, { path, lock, checkTime, migrations }: Opened): MovingSource {
  const { db } = connection;
  const wasEmpty = !hasLog(path);
  return {
    engine: "sqlite",
    takenAt: new Date().toISOString(),
    migrations,
    rows: (table, columns, key) => rowsOf(db, selectRows(table, columns, key)),
    count: async (table) => Number(db.prepare(`select count(*) as count from ${table}`).get()?.["count"]),
    checkTime,
    async leave(to) {
      try {
        const { columns, values } = markerOf(to);
        const marks = columns.map(() => "?").join(", ");
        db.prepare(`insert into meta (${columns.join(", ")}) values (${marks})`).run(...values);
        for (const statement of fence("sqlite")) db.exec(statement);
        db.exec("commit");
      } catch (error) {
        throw openFailure(path, error);
      }
      syncAll(path);
      // The mark knows nothing of a log that is begun here.
      if (wasEmpty) db.exec("pragma wal_checkpoint(truncate)");
    },
    async close() {
      if (db.isTransaction) db.exec("rollback");
      closeAsFound(connection, path);
      lock?.close();
    },
  };
}
