/**
 * The row of the database that says that there has to be a mark of its log. It lies in a table of its own, which a backup, a
 * restore and a move leave out: it is of this very file.
 */
import { statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";

/** Which mark the database has, and the file that it was written in: a copy lies in another one. */
export interface MarkRow {
  instance: string;
  /** Number of the file's inode. */
  inode: string;
}

/** The row as it is to be. */
export function markRow(path: string, instance: string): MarkRow {
  return { instance, inode: String(statSync(path, { bigint: true }).ino) };
}

/** @returns undefined where there is none, as in a database of before */
export function readMarkRow(db: DatabaseSync): MarkRow | undefined {
  if (db.prepare("select 1 from sqlite_master where name = 'log_mark'").get() === undefined) return undefined;
  const row = db.prepare("select instance, inode from log_mark").get();
  return row && { instance: String(row["instance"]), inode: String(row["inode"]) };
}

/** Writes the row, unless it says so already. */
export function putMarkRow(db: DatabaseSync, path: string, instance: string): void {
  const row = markRow(path, instance);
  const before = readMarkRow(db);
  if (before?.instance === row.instance && before.inode === row.inode) return;
  db.exec("begin immediate");
  try {
    db.exec("create table if not exists log_mark (instance text not null, inode text not null)");
    db.exec("delete from log_mark");
    db.prepare("insert into log_mark (instance, inode) values (?, ?)").all(row.instance, row.inode);
    db.exec("commit");
  } catch (error) {
    if (db.isTransaction) db.exec("rollback");
    throw error;
  }
}

/** Writes the row as it is, so that the log has a frame. */
export function touchMarkRow(db: DatabaseSync): void {
  db.exec("update log_mark set instance = instance");
}
