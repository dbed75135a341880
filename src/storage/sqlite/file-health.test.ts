import { copyFileSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/support/engines.ts";
import { insertFact, listFacts, openForTest, root } from "../../../test/support/storage.ts";
import { StartError } from "../start-error.ts";
import { watchFiles } from "./file-health.ts";
import { findMoved, placedNow } from "./placement.ts";

const PAGE = 4096;

/** A closed database with some facts; `harm` is done to the page that begins the table's index of names. */
async function makeFile(): Promise<{ url: string; dataDir: string; path: string }> {
  const dataDir = temporaryDirectory();
  const path = join(dataDir, "tessera.db");
  const url = `sqlite:${path}`;
  const db = await openForTest(url, { dataDir });
  await db.inTransaction(root, async (tx) => tx.write(insertFact, { name: "kept", value: "1" }));
  await db.close();
  return { url, dataDir, path };
}

/** Zeroes the page of a table that these tests do not read. */
function damage(path: string): void {
  const db = new DatabaseSync(path);
  const row = db.prepare("select rootpage from sqlite_master where name = 'idempotency_keys'").get();
  db.close();
  const bytes = readFileSync(path);
  const start = (Number(row?.["rootpage"]) - 1) * PAGE;
  writeFileSync(path, bytes.fill(0, start, start + PAGE));
}

test("a damaged file does not start where it is small enough to be checked first", async () => {
  const { url, dataDir, path } = await makeFile();
  damage(path);
  const start = openForTest(url, { dataDir });
  await expect(start).rejects.toThrow(StartError);
  await expect(start).rejects.toThrow(/tessera\.db is corrupted \(.+\)\. Restore a backup/);
});

test("a large file is checked in the background; damage is told, stops writes and readiness, and reads go on", async () => {
  const { url, dataDir, path } = await makeFile();
  damage(path);
  const told: string[] = [];
  const db = await openForTest(url, { dataDir, checkedAtStartBytes: 0, onDamage: (message) => told.push(message) });
  await expect.poll(() => db.stats().isDamaged).toBe(true);
  expect(told).toEqual([expect.stringMatching(/tessera\.db is corrupted \(.+\); writes are rejected/)]);
  expect(db.stats().isChecking).toBe(false);
  const write = db.inTransaction(root, async (tx) => tx.write(insertFact, { name: "refused", value: "" }));
  await expect(write).rejects.toMatchObject({ code: "unavailable", message: "storage is corrupted" });
  await expect(db.ready()).rejects.toMatchObject({ code: "unavailable", message: "storage is corrupted" });
  expect(await listFacts(db)).toMatchObject({ kept: "1" });
});

test("a sound large file serves meanwhile and is told to be sound", async () => {
  const { url, dataDir } = await makeFile();
  const told: string[] = [];
  const options = { dataDir, checkedAtStartBytes: 0, onWarning: (message: string) => told.push(message) };
  const db = await openForTest(url, options);
  await db.ready();
  await expect.poll(() => db.stats().isChecking).toBe(false);
  expect(told).toEqual([expect.stringMatching(/passed the background check/)]);
  expect(db.stats().isDamaged).toBe(false);
});

test("a close does not wait for the check", async () => {
  const { path } = await makeFile();
  const told: string[] = [];
  const note = (text: unknown) => told.push(String(text));
  const health = watchFiles({
    path,
    files: placedNow([path]),
    checkedAtStartBytes: 0,
    onWarning: note,
    onDamage: note,
    onFatal: note,
  });
  // In the same turn of the loop: nothing of the check can have been heard by now, however slow the machine is.
  expect(health.isChecking()).toBe(true);
  await health.close();
  expect(health.isChecking()).toBe(false);
  expect(told).toEqual([]);
});

test("a file counts as moved when it is gone or another one lies there, and not when it was written to", () => {
  const folder = temporaryDirectory();
  const path = join(folder, "file");
  expect(placedNow([path])).toEqual([]);
  writeFileSync(path, "first");
  const files = placedNow([path]);
  writeFileSync(path, "longer than the first");
  expect(findMoved(files)).toBeUndefined();
  const other = join(folder, "other");
  writeFileSync(other, "first");
  expect(findMoved(placedNow([other]).map((file) => ({ ...file, path })))).toMatch(/was replaced by another file/);
  expect(findMoved(files.map((file) => ({ ...file, path: join(folder, "none") })))).toMatch(
    /none was moved or deleted/,
  );
});

test("a thread for long reads opens no other file than the one that is written", async () => {
  const { url, dataDir, path } = await makeFile();
  const db = await openForTest(url, { dataDir, onFatal: () => undefined, onWarning: () => undefined });
  renameSync(path, `${path}.aside`);
  copyFileSync(`${path}.aside`, path);
  await expect(listFacts(db.long)).rejects.toThrow("The database file was moved or deleted");
  await expect(db.ping()).rejects.toThrow("The database file was moved or deleted");
});
