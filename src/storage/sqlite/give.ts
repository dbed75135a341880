/** The end of a move to an embedded database: its file gets its name, and servers may start on it. */
import { closeSync, existsSync, fsyncSync, openSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { syncDirectory } from "../files.ts";
import { RESTORING, restoringFile, wholeMarker, type WholeOf } from "../operator/half-restored.ts";
import type { KeyOrigin } from "../operator/loading.ts";
import { isDamage, sqliteReason } from "./faults.ts";
import { findDatabaseFile, lockInstance, makeFolder, openFailure, refuseOldSqlite } from "./instance.ts";

/** Makes what was written to a file durable. */
export function syncFile(file: string): void {
  const made = openSync(file, "r+");
  fsyncSync(made);
  closeSync(made);
}

/** @returns the value of the row that keeps servers away; nothing when there is none, or the file is half of a database */
export function readMarker(file: string): string | undefined {
  return ask(file, "select value from meta where name = ?", RESTORING);
}

function ask(file: string, sql: string, name: string): string | undefined {
  if (!existsSync(file)) return undefined;
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(file);
    const [found] = Object.values(db.prepare(sql).get(name) ?? {});
    return found === undefined ? undefined : String(found);
  } catch (error) {
    // Such a file was only begun. A file that cannot be read for another reason may be whole.
    if (isDamage(error) || sqliteReason(error).includes("no such table")) return undefined;
    throw error;
  } finally {
    db?.close();
  }
}

/**
 * Lets servers start on what was moved to `path`. The row that keeps them away goes last: without it nobody could tell
 * the file from what a restore has begun.
 */
export function giveFile(path: string): void {
  if (!findDatabaseFile(path)) renameSync(restoringFile(path), path);
  syncDirectory(dirname(path));
  const db = new DatabaseSync(path);
  try {
    db.exec("pragma synchronous = full");
    db.prepare("delete from meta where name = ?").all(RESTORING);
  } finally {
    db.close();
  }
  syncFile(path);
  syncDirectory(dirname(path));
}

/** Gives what was moved to `path`, by a command that was ended before it did. @throws StartError when a server uses it */
export function giveMovedSqlite(path: string, whole: WholeOf): KeyOrigin {
  refuseOldSqlite();
  makeFolder(path);
  const lock = lockInstance(path);
  try {
    const isNamed = findDatabaseFile(path);
    const marker = readMarker(isNamed ? path : restoringFile(path));
    if (marker === undefined) {
      const lookup = isNamed ? ask(path, "select id from data_keys where purpose = ?", "lookup") : undefined;
      return lookup === whole.database ? "free" : "other";
    }
    if (marker !== wholeMarker(whole)) return "other";
    giveFile(path);
    return "given";
  } catch (error) {
    throw openFailure(path, error);
  } finally {
    lock.close();
  }
}
