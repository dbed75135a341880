import { expect, test } from "vitest";
import { freshDatabaseUrl, withClient } from "../../../test/support/postgres-schema.ts";
import { expireSoon, sessionOf, standStillUntilEnded } from "../../../test/support/stalls.ts";
import {
  ensurePartition,
  insertFact,
  listFacts,
  makeCounter,
  openForTest,
  readCounter,
  root,
} from "../../../test/support/storage.ts";
import type { Transaction } from "../database.ts";

/** Lets the process stand still between the first flight and COMMIT for so long that the database has ended the transaction. */
async function standStill(url: string, tx: Transaction): Promise<void> {
  await tx.index();
  const pid = await sessionOf(tx);
  await expireSoon(tx);
  standStillUntilEnded(url, pid);
}

test("a write whose transaction the database ended while the process stood still is made once, by a second run", async () => {
  const url = await freshDatabaseUrl();
  const db = await openForTest(url);
  const before = await readCounter(db, "root");
  let runs = 0;
  const index = await db.inTransaction(root, async (tx) => {
    runs += 1;
    if (runs === 1) await standStill(url, tx);
    tx.write(insertFact, { name: "a", value: String(runs) });
    return tx.index();
  });
  expect(runs).toBe(2);
  expect(await listFacts(db)).toEqual({ a: "2" });
  expect(await readCounter(db, "root")).toBe(index);
  expect(index).toBe(Number(before) + 1);
});

test("COMMIT that goes out alone, after the database ended the transaction, is known to have done nothing", async () => {
  const url = await freshDatabaseUrl();
  const db = await openForTest(url);
  const counter = await ensurePartition(db, "still");
  let runs = 0;
  await db.inTransaction(counter, async (tx) => {
    runs += 1;
    if (runs === 1) await standStill(url, tx);
  });
  expect(runs).toBe(2);
  expect(await readCounter(db, "partition/still")).toBe(1);
});

test("a transaction that the database ended while its work waited for something else is run again", async () => {
  const url = await freshDatabaseUrl();
  const db = await openForTest(url);
  let runs = 0;
  await db.inTransaction(root, async (tx) => {
    runs += 1;
    if (runs === 1) {
      const pid = await sessionOf(tx);
      await expireSoon(tx);
      await withClient(url, async (client) => {
        const isThere = async () =>
          (await client.query("select from pg_stat_activity where pid = $1", [pid])).rowCount === 1;
        await expect.poll(isThere, { timeout: 30_000 }).toBe(false);
      });
    }
    tx.write(insertFact, { name: "a", value: String(runs) });
  });
  expect(await listFacts(db)).toEqual({ a: "2" });
});

test("writes that share a transaction which the database ended are each run again", async () => {
  const url = await freshDatabaseUrl();
  const db = await openForTest(url);
  const counter = await makeCounter(db, "organization", "shared");
  let [second, runs] = [Promise.resolve(), 0];
  await db.inTransaction(counter, async (tx) => {
    await tx.index();
    runs += 1;
    // It comes while the first has the counter, so it goes on in the same transaction.
    if (runs === 1) {
      second = db.inTransaction(counter, async (other) => {
        runs += 1;
        if (runs === 2) await standStill(url, other);
        other.write(insertFact, { name: "second", value: "" });
      });
    }
    tx.write(insertFact, { name: "first", value: "" });
  });
  await second;
  expect(runs).toBe(4);
  expect(await listFacts(db)).toEqual({ first: "", second: "" });
  expect(await readCounter(db, "organization/shared")).toBe(2);
});

test("a process that stands still in the second run too is told that nothing was written", async () => {
  const url = await freshDatabaseUrl();
  const db = await openForTest(url);
  const before = await readCounter(db, "root");
  let runs = 0;
  const hopeless = db.inTransaction(root, async (tx) => {
    runs += 1;
    await standStill(url, tx);
    tx.write(insertFact, { name: "never", value: "" });
  });
  await expect(hopeless).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringContaining("nothing was written"),
  });
  expect(runs).toBe(2);
  expect(await listFacts(db)).toEqual({});
  expect(await readCounter(db, "root")).toBe(before);
});
