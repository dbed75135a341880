import { copyFileSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { temporaryDirectory } from "../../../test/support/engines.ts";
import { insertFact, openForTest, root } from "../../../test/support/storage.ts";
import type { Database } from "../database.ts";
import { startDurability } from "./durability.ts";

const durable = (db: Pick<Database, "whenDurable">) =>
  new Promise<void>((resolve, reject) => {
    db.whenDurable((error) => (error === undefined ? resolve() : reject(error)));
  });

const addFact = (db: Database, name: string) =>
  db.inTransaction(root, async (tx) => tx.write(insertFact, { name, value: "" }));

function logFile(): string {
  const path = join(temporaryDirectory(), "log");
  writeFileSync(path, "");
  return path;
}

test("an answer waits for a sync that began after its commit", async () => {
  const durability = startDurability(logFile(), [], () => undefined);
  onTestFinished(() => durability.close());
  const order: string[] = [];
  durability.beginCommit();
  durability.committed();
  durability.whenDurable(() => order.push(`first after ${durability.syncs()} syncs`));
  // The first sync is under way: it may have begun before this commit, so it proves nothing for it.
  durability.beginCommit();
  durability.committed();
  const second = new Promise<void>((resolve) => {
    durability.whenDurable(() => {
      order.push(`second after ${durability.syncs()} syncs`);
      resolve();
    });
  });
  expect(order).toEqual([]);
  await second;
  expect(order).toEqual(["first after 1 syncs", "second after 2 syncs"]);
});

test("all commits that wait at a moment share one sync", async () => {
  const durability = startDurability(logFile(), [], () => undefined);
  onTestFinished(() => durability.close());
  const waits = Array.from({ length: 50 }, () => {
    durability.beginCommit();
    durability.committed();
    return durable(durability);
  });
  await Promise.all(waits);
  expect(durability.syncs()).toBeLessThanOrEqual(2);
});

test("with everything durable an answer leaves in the same turn, and nothing is synced", async () => {
  const db = await openForTest(`sqlite:${join(temporaryDirectory(), "tessera.db")}`);
  await addFact(db, "a");
  await durable(db);
  const before = db.stats().operations.sync;
  let left = false;
  db.whenDurable(() => (left = true));
  expect(left).toBe(true);
  expect(db.stats().operations.sync).toBe(before);
});

test("a read that comes after a commit waits for that commit to be durable", async () => {
  const db = await openForTest(`sqlite:${join(temporaryDirectory(), "tessera.db")}`);
  await durable(db);
  const before = db.stats().operations.sync;
  await addFact(db, "a");
  await db.sql.selectFrom("meta").selectAll().execute();
  let left = false;
  db.whenDurable(() => (left = true));
  expect(left).toBe(false);
  await durable(db);
  expect(left).toBe(true);
  expect(db.stats().operations.sync).toBe(before + 1);
});

test("a sync that fails is fatal, once, and every waiter is told, later ones too", async () => {
  const failures: Error[] = [];
  // This device opens like a file, and refuses to be synced.
  const durability = startDurability("/dev/null", [], ({ error }) => failures.push(error));
  onTestFinished(() => durability.close());
  durability.beginCommit();
  durability.committed();
  const waits = await Promise.allSettled([durable(durability), durable(durability)]);
  for (const wait of waits) expect(wait).toMatchObject({ status: "rejected", reason: { code: "outcome_unknown" } });
  durability.beginCommit();
  durability.committed();
  await expect(durable(durability)).rejects.toMatchObject({ code: "outcome_unknown" });
  await durability.close();
  expect(failures.length).toBe(1);
});

test("a sync thread that breaks is fatal too, and closing does not wait for it", async () => {
  const failures: Error[] = [];
  const durability = startDurability(join(temporaryDirectory(), "none"), [], ({ error }) => failures.push(error));
  durability.beginCommit();
  durability.committed();
  await expect(durable(durability)).rejects.toMatchObject({ code: "outcome_unknown" });
  expect(failures.length).toBe(1);
  await sleep(50);
  await durability.close();
});

test("a commit is in the log when its transaction returns, and in the database file after a checkpoint", async () => {
  const path = join(temporaryDirectory(), "tessera.db");
  const db = await openForTest(`sqlite:${path}`);
  await addFact(db, "marker-of-this-commit");
  expect(readFileSync(`${path}-wal`).includes("marker-of-this-commit")).toBe(true);
  await expect.poll(() => readFileSync(path).includes("marker-of-this-commit")).toBe(true);
});

test("past its limit the log starts again from its beginning", async () => {
  const path = join(temporaryDirectory(), "tessera.db");
  const limit = 256 * 1024;
  const db = await openForTest(`sqlite:${path}`, { walLimitBytes: limit });
  const value = "x".repeat(20_000);
  for (let i = 0; i < 200; i++) {
    await db.inTransaction(root, async (tx) => tx.write(insertFact, { name: `n${i}`, value }));
    await sleep(10);
  }
  // 4 MB were written; what one interval of checkpoints lets through is far less.
  expect(statSync(`${path}-wal`).size).toBeLessThan(2 * 1024 * 1024);
  // A copy of the two files is a database that holds everything.
  const copy = join(temporaryDirectory(), "copy.db");
  await db.close();
  copyFileSync(path, copy);
  const check = new DatabaseSync(copy);
  expect(check.prepare("pragma integrity_check").get()).toEqual({ integrity_check: "ok" });
  expect(check.prepare("select count(*) as count from meta").get()).toEqual({ count: 200 });
  check.close();
});
