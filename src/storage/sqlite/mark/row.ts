/**
 * The row of the database that says that there has to be a mark of its log, and counts the commits, so that a start can tell whether
 * the database has come as far as the mark says. It lies in a table of its own, which a backup, a restore and a move leave out: it is
 * of this very file.
 */
import { statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";

/** Which mark the database has, and the file that it was written in: a copy lies in another one. */
export interface MarkRow {
  instance: string;
  /** Number of the file's inode. */
  inode: string;
  /** Commits of servers so far, from 1 on; 0 where a version of before did not count them. */
  commits: number;
}

/** Number of the inode of the file that lies at a path. */
export function inodeOf(path: string): string {
  return String(statSync(path, { bigint: true }).ino);
}

/** @returns undefined where there is none, as in a database of before */
export function readMarkRow(db: DatabaseSync): MarkRow | undefined {
  if (db.prepare("select 1 from sqlite_master where name = 'log_mark'").get() === undefined) return undefined;
  const row = db.prepare("select * from log_mark").get();
  return (
    row && { instance: String(row["instance"]), inode: String(row["inode"]), commits: Number(row["commits"] ?? 0) }
  );
}

/** Writes the row, unless it says so already. */
export function putMarkRow(db: DatabaseSync, path: string, instance: string): void {
  const inode = inodeOf(path);
  const before = readMarkRow(db);
  const commits = before?.commits ?? 0;
  if (commits > 0 && before?.instance === instance && before.inode === inode) return;
  db.exec("begin immediate");
  try {
    // With a default: a version of before, which knows nothing of the count, can still write its row.
    db.exec("drop table if exists log_mark");
    db.exec("create table log_mark (instance text not null, inode text not null, commits integer not null default 0)");
    db.prepare("insert into log_mark (instance, inode, commits) values (?, ?, ?)").all(instance, inode, commits + 1);
    db.exec("commit");
  } catch (error) {
    if (db.isTransaction) db.exec("rollback");
    throw error;
  }
}

/** Counts a commit. To be run in each transaction of a server, as its last statement. */
export const COUNT_COMMIT = "update log_mark set commits = commits + 1";
/** Tells how many there have been. */
export const COUNTED = "select commits from log_mark";

/** Writes the row as it is, so that the log has a frame. */
export function touchMarkRow(db: DatabaseSync): void {
  db.exec("update log_mark set instance = instance");
}
