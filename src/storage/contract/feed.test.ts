import { expect, onTestFinished, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { AppError } from "../../errors.ts";
import type { Counter } from "../writes/counters.ts";
import type { Database } from "../database.ts";
import { counterChange, NO_PARTITION, type TouchedObject, type FeedEvent } from "../feed/feed.ts";
import { readTableIndex } from "../feed/touches.ts";
import {
  ensurePartition,
  insertFact,
  listFacts,
  makeOrganization,
  openForTest,
  root,
} from "../../../test/support/storage.ts";

const scope = { partition: "default", namespace: "default" };
const token = (key: string): TouchedObject => ({ table: "tokens", ...scope, key });

/** Collects the events of partitions from now on. */
function hear(db: Database, when: "onCommitted" | "onDurable"): FeedEvent[] {
  const events: FeedEvent[] = [];
  const note = (event: FeedEvent) => void (event.partition === NO_PARTITION || events.push(event));
  onTestFinished(db.feed.subscribe({ [when]: note }));
  return events;
}

async function open(url: string): Promise<{ db: Database; partition: Counter; events: FeedEvent[] }> {
  const db = await openForTest(url);
  const partition = await ensurePartition(db, "default");
  await expect.poll(() => db.feed.isTrusted()).toBe(true);
  return { db, partition, events: hear(db, "onCommitted") };
}

forEachEngine((_engine, makeUrl) => {
  test("a touched table has the index of the transaction in that namespace, and no other table or namespace has", async () => {
    const { db, partition } = await open(await makeUrl());
    const index = await db.inTransaction(partition, (tx) => {
      tx.touch(token("one"));
      tx.touch(token("two"));
      tx.touch({ ...token("three"), namespace: "__proto__" });
      tx.touch({ ...token("four"), table: "roles" });
      return tx.index();
    });
    expect(index).toBeGreaterThan(0);
    expect(await db.tableIndex("tokens", scope)).toBe(index);
    expect(await db.tableIndex("tokens", { ...scope, namespace: "__proto__" })).toBe(index);
    expect(await db.tableIndex("roles", scope)).toBe(index);
    expect(await db.tableIndex("policies", scope)).toBe(1);
    expect(await db.tableIndex("tokens", { ...scope, namespace: "*" })).toBe(index);
    expect(await db.tableIndex("policies", { ...scope, namespace: "*" })).toBe(1);
    const rows = await db.sql.selectFrom("table_indexes").select("name").orderBy("name").execute();
    expect(rows.map((row) => row.name)).toEqual([
      "default/*/roles",
      "default/*/tokens",
      "default/__proto__/tokens",
      "default/default/roles",
      "default/default/tokens",
    ]);
  });

  test("the index of a table grows with each write that touches it and stays through those that do not", async () => {
    const { db, partition } = await open(await makeUrl());
    const write = (change?: TouchedObject) =>
      db.inTransaction(partition, (tx) => {
        if (change !== undefined) tx.touch(change);
        return tx.index();
      });
    const first = await write(token("one"));
    await write({ ...token("one"), table: "roles" });
    await write();
    expect(await db.tableIndex("tokens", scope)).toBe(first);
    const last = await write(token("one"));
    expect(last).toBe(first + 3);
    expect(await db.inTransaction(partition, (tx) => readTableIndex(tx, "tokens", scope))).toBe(last);
    expect(await readTableIndex(db.long, "tokens", scope)).toBe(last);
  });

  test("a change is told once the commit is confirmed, before the writer goes on, with its index", async () => {
    const { db, partition, events } = await open(await makeUrl());
    let before = -1;
    const write = db.inTransaction(partition, async (tx) => {
      tx.touch(token("one"));
      tx.write(insertFact, { name: "fact", value: "" });
      const index = await tx.index();
      before = events.length;
      return index;
    });
    const told = write.then((index) => ({ index, events: [...events] }));
    const { index, events: after } = await told;
    expect(before).toBe(0);
    expect(after).toEqual([{ ...token("one"), index }]);
  });

  test("who reads because of a change sees it", async () => {
    const { db, partition } = await open(await makeUrl());
    const seen: Promise<Record<string, string>>[] = [];
    // A snapshot of this turn is open before the commit.
    onTestFinished(db.feed.subscribe({ onCommitted: () => seen.push(listFacts(db), listFacts(db.long)) }));
    await listFacts(db);
    await db.inTransaction(partition, async (tx) => {
      await listFacts(db);
      tx.touch(token("one"));
      tx.write(insertFact, { name: "fact", value: "1" });
    });
    expect(await Promise.all(seen)).toEqual([{ fact: "1" }, { fact: "1" }]);
  });

  test("watchers are told of every change too, when it is durable", async () => {
    const { db, partition, events } = await open(await makeUrl());
    const durable = hear(db, "onDurable");
    for (const key of ["one", "two"]) await db.inTransaction(partition, async (tx) => tx.touch(token(key)));
    await expect.poll(() => durable.length).toBe(2);
    expect(durable).toEqual(events);
    expect(durable).toMatchObject([token("one"), token("two")]);
  });

  test("nothing is told of a transaction that throws, fails or changes nothing", async () => {
    const { db, partition, events } = await open(await makeUrl());
    await db.inTransaction(root, async (tx) => tx.write(insertFact, { name: "taken", value: "" }));
    const refused = db.inTransaction(partition, async (tx) => {
      tx.touch(token("one"));
      throw new AppError("conflict", "refused");
    });
    await expect(refused).rejects.toMatchObject({ code: "conflict" });
    const failed = db.inTransaction(partition, async (tx) => {
      tx.touch(token("one"));
      tx.write(insertFact, { name: "taken", value: "" });
    });
    await expect(failed).rejects.toMatchObject({ code: "already_exists" });
    await db.inTransaction(partition, () => Promise.resolve());
    expect(events).toEqual([]);
    expect(await db.tableIndex("tokens", scope)).toBe(1);
  });

  test("a write of an organization, and one of root, is told as the raising of its counter; one that changes nothing is not", async () => {
    const { db } = await open(await makeUrl());
    const owner = await makeOrganization(db, "org");
    const told: FeedEvent[] = [];
    onTestFinished(db.feed.subscribe({ onCommitted: (event) => told.push(event) }));
    const index = await db.inTransaction(owner, (tx) => {
      tx.write(insertFact, { name: "one", value: "" });
      return tx.index();
    });
    expect(told).toEqual([{ ...counterChange("organization/org"), index }]);
    await db.inTransaction(owner, () => Promise.resolve());
    const failed = db.inTransaction(owner, async (tx) => tx.write(insertFact, { name: "one", value: "" }));
    await expect(failed).rejects.toMatchObject({ code: "already_exists" });
    await db.inTransaction(root, async (tx) => tx.write(insertFact, { name: "two", value: "" }));
    expect(told.slice(1)).toMatchObject([counterChange("root")]);
  });

  test("only a transaction of its own partition may touch an object", async () => {
    const { db, partition, events } = await open(await makeUrl());
    const owner = await makeOrganization(db, "org");
    const other = { ...token("one"), partition: "other" };
    const wrong: [Counter, TouchedObject][] = [
      [root, token("one")],
      [owner, token("one")],
      [partition, other],
    ];
    for (const [counter, change] of wrong) {
      const write = db.inTransaction(counter, async (tx) => tx.touch(change));
      await expect(write).rejects.toThrow(TypeError);
    }
    expect(events).toEqual([]);
  });

  test("a listener that throws neither fails the write nor keeps the change from the others", async () => {
    const warnings: string[] = [];
    const db = await openForTest(await makeUrl(), { onWarning: (message) => warnings.push(message) });
    const partition = await ensurePartition(db, "default");
    const told = hear(db, "onDurable");
    const broken = ({ partition: changed }: FeedEvent) => {
      if (changed !== NO_PARTITION) throw new Error("broken");
    };
    onTestFinished(db.feed.subscribe({ onCommitted: broken, onDurable: broken }));
    await db.inTransaction(partition, async (tx) => tx.touch(token("one")));
    await expect.poll(() => told).toMatchObject([token("one")]);
    expect(warnings.filter((warning) => warning.includes("broken")).length).toBe(2);
  });

  test("a listener that was taken away hears nothing more", async () => {
    const { db, partition } = await open(await makeUrl());
    const told: FeedEvent[] = [];
    const unsubscribe = db.feed.subscribe({ onCommitted: (event) => told.push(event) });
    await db.inTransaction(partition, async (tx) => tx.touch(token("one")));
    unsubscribe();
    await db.inTransaction(partition, async (tx) => tx.touch(token("two")));
    expect(told).toMatchObject([token("one")]);
  });

  test("a bulk of 1,000 objects is one row of the index, one of that of all namespaces, and 1,000 changes", async () => {
    const { db, partition, events } = await open(await makeUrl());
    await db.inTransaction(partition, async (tx) => {
      for (let i = 0; i < 1000; i++) tx.touch(token(`t${i}`));
    });
    expect(events.length).toBe(1000);
    expect(db.stats().feed.published).toBeGreaterThanOrEqual(1000);
    expect((await db.sql.selectFrom("table_indexes").selectAll().execute()).length).toBe(2);
  });
});
