import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { StorageAway } from "../../errors.ts";
import { StorageDamaged } from "../proofs/damaged-rows.ts";
import { translateSqliteError } from "./faults.ts";

const sqliteError = (errcode: number) =>
  Object.assign(new Error(`code ${errcode}`), { code: "ERR_SQLITE_ERROR", errcode });

test.each([
  ["PERM", 3],
  ["ABORT", 4],
  ["BUSY", 5],
  ["LOCKED", 6],
  ["NOMEM", 7],
  ["READONLY", 8],
  ["READONLY_DBMOVED", 1032],
  ["INTERRUPT", 9],
  ["IOERR", 10],
  ["IOERR_WRITE", 778],
  ["IOERR_SHMOPEN", 4618],
  ["FULL", 13],
  ["CANTOPEN", 14],
  ["CANTOPEN_ISDIR", 526],
  ["PROTOCOL", 15],
  ["NOLFS", 22],
])("incident 55: %s is a fault of the storage: unavailable, to be tried again", (_name, errcode) => {
  const told = translateSqliteError(sqliteError(errcode));
  expect(told).toBeInstanceOf(StorageAway);
  expect(told).not.toBeInstanceOf(StorageDamaged);
  expect(told).toMatchObject({ code: "unavailable" });
});

test.each([
  ["CORRUPT", 11],
  ["CORRUPT_INDEX", 779],
  ["NOTADB", 26],
])("%s is damage, and said to be", (_name, errcode) => {
  const told = translateSqliteError(sqliteError(errcode));
  expect(told).toBeInstanceOf(StorageDamaged);
  expect(told).toMatchObject({ code: "unavailable", message: "storage is corrupted" });
});

test.each([
  ["wrong SQL", 1],
  ["MISUSE", 21],
  ["a check that failed", 275],
])("%s stays a fault of the program", (_name, errcode) => {
  const error = sqliteError(errcode);
  expect(translateSqliteError(error)).toBe(error);
});

test("a query after the close is no fault of the program", () => {
  const db = new DatabaseSync(":memory:");
  const statement = db.prepare("select 1");
  db.close();
  let thrown: unknown;
  try {
    statement.all();
  } catch (error) {
    thrown = error;
  }
  expect(translateSqliteError(thrown)).toMatchObject({ code: "unavailable" });
});
