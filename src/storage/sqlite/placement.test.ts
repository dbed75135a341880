import { closeSync, renameSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/support/engines.ts";
import { hasLock, LISTS_LOCKS } from "../../../test/support/file-locks.ts";
import { createMoveWatch, createShrinkWatch, findShortage, holdFile, placedNow } from "./placement.ts";

/** A file in a folder whose names have not changed for long. */
function settledFile(): { folder: string; path: string; settle: () => void } {
  const folder = temporaryDirectory();
  const path = join(folder, "tessera.db");
  writeFileSync(path, "");
  const settle = () => utimesSync(folder, 1_000_000_000, 1_000_000_000);
  settle();
  return { folder, path, settle };
}

test("a file that moves after it was found in its place is found to have moved", () => {
  const { path, settle } = settledFile();
  const find = createMoveWatch(placedNow([path]));
  for (let i = 0; i < 3; i++) expect(find()).toBe(undefined);
  renameSync(path, `${path}.old`);
  expect(find()).toBe(`${path} was moved or deleted`);
  expect(find()).toBe(`${path} was moved or deleted`);
  settle();
  expect(find()).toBe(`${path} was moved or deleted`);
  renameSync(`${path}.old`, path);
  settle();
  for (let i = 0; i < 3; i++) expect(find()).toBe(undefined);
});

test("a file in whose place another one was put is found to have moved, also when the folder's time was set back", () => {
  const { path, settle } = settledFile();
  const find = createMoveWatch(placedNow([path]));
  expect(find()).toBe(undefined);
  writeFileSync(`${path}.new`, "");
  renameSync(`${path}.new`, path);
  settle();
  expect(find()).toBe(`${path} was replaced by another file while the server was running`);
});

test("a file whose folder moves, or is replaced by one like it, is found to have moved", () => {
  const { folder, path, settle } = settledFile();
  const find = createMoveWatch(placedNow([path]));
  expect(find()).toBe(undefined);
  const away = `${folder}-away`;
  renameSync(folder, away);
  expect(find()).toBe(`${path} was moved or deleted`);
  renameSync(away, folder);
  settle();
  expect(find()).toBe(undefined);
  rmSync(path);
  expect(find()).toBe(`${path} was moved or deleted`);
});

test("a folder that has just changed is not believed: a change of the same moment may have left the same time", () => {
  const { folder, path } = settledFile();
  const files = placedNow([path]);
  const find = createMoveWatch(files);
  const now = new Date();
  utimesSync(folder, now, now);
  expect(find()).toBe(undefined);
  // As if another file lay there, and the folder's times were those of before.
  for (const file of files) file.inode += 1n;
  expect(find()).toBe(`${path} was replaced by another file while the server was running`);
});

test("incident 66: a database file that loses its end is found to be too short, and one that was vacuumed is not", () => {
  const path = join(temporaryDirectory(), "tessera.db");
  const db = new DatabaseSync(path);
  db.exec("create table t (a blob); insert into t values (zeroblob(100000)); insert into t values (zeroblob(100000))");
  const file = holdFile(path);
  const find = () => findShortage(file);
  expect(find()).toBe(undefined);
  db.exec("delete from t where rowid = 1; vacuum");
  expect(find()).toBe(undefined);
  const { size } = statSync(path);
  truncateSync(path, size - 4096);
  expect(find()).toBe(`the file is ${size - 4096} bytes long, and should be ${size}`);
  truncateSync(path, 0);
  expect(find()).toBe("the file is 0 bytes long, and should be 100");
  db.close();
});

test.skipIf(!LISTS_LOCKS)("incident 61: a look at the database file leaves SQLite's locks on it", () => {
  const path = join(temporaryDirectory(), "tessera.db");
  const db = new DatabaseSync(path);
  db.exec("pragma journal_mode = wal; create table t (a)");
  const file = holdFile(path);
  const find = createShrinkWatch(file);
  expect([find(), findShortage(file)]).toEqual([undefined, undefined]);
  expect(hasLock(process.pid, path)).toBe(true);
  db.close();
  closeSync(file.descriptor);
  expect(hasLock(process.pid, path)).toBe(false);
});
