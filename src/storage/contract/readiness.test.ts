import { expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { StorageAway } from "../../errors.ts";
import { NO_PARTITION } from "../feed/feed.ts";
import { createReadiness } from "../readiness.ts";
import {
  insertFact,
  listFacts,
  openForTest,
  readCounter,
  root,
  ensurePartition,
} from "../../../test/support/storage.ts";

forEachEngine((_engine, makeUrl) => {
  test("where nobody has written for ten seconds one row is written; no index of a partition moves and nothing is told of one", async () => {
    const db = await openForTest(await makeUrl());
    const partition = await ensurePartition(db, "default");
    const told: unknown[] = [];
    db.feed.subscribe({ onCommitted: (event) => void (event.partition === NO_PARTITION || told.push(event)) });
    const before = await readCounter(db, "partition/default");
    const transactions = () => db.stats().operations.transaction;
    // Somebody has just written.
    await db.inTransaction(root, async (tx) => tx.write(insertFact, { name: "a", value: "" }));
    const written = transactions();
    await db.ready();
    expect(transactions()).toBe(written);
    let past = 0;
    const ready = createReadiness(
      db,
      () => undefined,
      () => performance.now() + past,
    );
    past = 11_000;
    await Promise.all([ready(), ready(), ready()]);
    expect(transactions()).toBe(written + 1);
    expect(Object.keys(await listFacts(db))).toEqual(["a", "write-probe"]);
    expect(await readCounter(db, "partition/default")).toBe(before);
    expect(told).toEqual([]);
    expect(partition.kind).toBe("partition");
  });

  test("a write that fails is told, again only after a second, and so is that writes are taken again", async () => {
    const db = await openForTest(await makeUrl());
    let fails = true;
    let tries = 0;
    let now = 0;
    const told: string[] = [];
    const inTransaction: typeof db.inTransaction = (counter, work) => {
      tries += 1;
      return fails ? Promise.reject(new StorageAway("read only")) : db.inTransaction(counter, work);
    };
    const ready = createReadiness(
      { ...db, inTransaction, lastWrite: () => -Infinity },
      (message) => told.push(message),
      () => now,
    );
    await expect(ready()).rejects.toMatchObject({ code: "unavailable", message: "read only" });
    await expect(ready()).rejects.toMatchObject({ message: "read only" });
    expect(tries).toBe(1);
    fails = false;
    now = 1001;
    await ready();
    expect(tries).toBe(2);
    expect(told).toEqual(["storage is not writable: read only", "storage accepts writes again"]);
  });
});
