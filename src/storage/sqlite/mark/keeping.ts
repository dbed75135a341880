/** Connections of whoever is no server, to a database whose log may have to stay what the mark says. */
import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { InstanceInUse, lockInstance, openFailure } from "../instance.ts";
import { checkMark } from "./match.ts";
import { checkLog } from "./start.ts";

/** Whether a log holds anything, and so may be one that the mark speaks of. */
export function hasLog(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/**
 * Closes a connection that writes without SQLite's copying the log and removing it, which it does with the last one: a mark that
 * says that there is a log would not be true any more, and whoever closes may not have the key that marks are made with.
 */
export function closeKeepingLog(db: { close(): void }, path: string): void {
  const reader = new DatabaseSync(path, { readOnly: true });
  try {
    reader.prepare("select 1 from sqlite_master limit 1").get();
    db.close();
  } finally {
    // It may not write, so it leaves everything as it is.
    reader.close();
  }
}

/** Closes a connection: without a trace where the log is empty, and else with the log as it is. */
export function closeAsFound(db: { close(): void }, path: string): void {
  if (hasLog(path)) closeKeepingLog(db, path);
  else db.close();
}

/**
 * Has a command write, and leaves the log empty where it was: the mark knows nothing of one that a command has begun.
 *
 * @param write commits
 */
export async function leavingNoLog<T>(db: DatabaseSync, path: string, write: () => Promise<T>): Promise<T> {
  const wasEmpty = !hasLog(path);
  const result = await write();
  if (wasEmpty) db.exec("pragma wal_checkpoint(truncate)");
  return result;
}

/**
 * Compares a database with the mark of its log, for a command that reads it or writes to it beside a server or without one.
 *
 * @throws StartError when no server has it, and writes are lost
 */
export function refuseLostLog(path: string): void {
  try {
    refuseLost(path);
  } catch (error) {
    if (isServed(path)) return;
    throw error;
  }
}

/**
 * The same for whoever holds the lock that a server would have. Nothing is changed, and nobody is told of what is no loss.
 *
 * @throws StartError when writes are lost, or nobody can say whether they are
 */
export function refuseLost(path: string): void {
  const choice = { accept: false, isLookOnly: true, onWarning: () => undefined };
  const checked = checkLog(path, choice);
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(path, { readOnly: true });
    db.exec("pragma busy_timeout = 5000");
    // The key is the server's.
    checkMark(path, db, checked, { key: undefined, ...choice });
  } catch (error) {
    throw openFailure(path, error);
  } finally {
    db?.close();
  }
}

/** A server changes both while they are compared; where the lock cannot be had for another reason there is none. */
function isServed(path: string): boolean {
  try {
    lockInstance(path).close();
    return false;
  } catch (error) {
    return error instanceof InstanceInUse;
  }
}
