import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import type { Database, Reader } from "../database.ts";
import {
  countRows,
  makeCounter,
  makeOrganization,
  openForTest,
  readCounter,
  writeTag,
} from "../../../test/support/storage.ts";

/** Enough rows that a transaction's statements take several turns of the event loop. */
const ROWS = 1500;

async function addTags(db: Database, owner: string, count: number): Promise<void> {
  await db.inTransaction({ kind: "organization", id: owner }, async (tx) => {
    for (let i = 0; i < count; i++) writeTag(tx, owner, `t${i}`);
  });
}

forEachEngine((_engine, makeUrl) => {
  test("readers outside see all of a transaction or nothing, from the moment it commits", async () => {
    const db = await openForTest(await makeUrl());
    await makeOrganization(db, "org");
    const seen = { direct: new Set<number>(), long: new Set<number>() };
    let running = true;
    const watch = async (reader: Reader, into: Set<number>) => {
      while (running) {
        into.add(await countRows(reader, "tags"));
        await setImmediate();
      }
    };
    const watchers = [watch(db, seen.direct), watch(db.long, seen.long)];
    for (let round = 1; round <= 4; round++) {
      await db.inTransaction({ kind: "organization", id: "org" }, async (tx) => {
        for (let i = 0; i < ROWS; i++) writeTag(tx, "org", `t${round}-${i}`);
      });
      expect(await countRows(db, "tags")).toBe(round * ROWS);
      expect(await countRows(db.long, "tags")).toBe(round * ROWS);
    }
    running = false;
    await Promise.all(watchers);
    for (const counts of Object.values(seen)) {
      for (const count of counts) expect(count % ROWS).toBe(0);
    }
  });

  test("a transaction under another counter does not see rows that are not committed", async () => {
    const db = await openForTest(await makeUrl());
    await Promise.all([makeOrganization(db, "writer"), makeOrganization(db, "other")]);
    const seen = new Set<number>();
    const writing = addTags(db, "writer", ROWS);
    for (let round = 0; round < 30; round++) {
      await db.inTransaction({ kind: "organization", id: "other" }, async (tx) => {
        seen.add(await countRows(tx, "tags"));
      });
    }
    await writing;
    for (const count of seen) expect([0, ROWS]).toContain(count);
  });

  test("what a transaction read under its counter still holds when it commits", async () => {
    const db = await openForTest(await makeUrl());
    const counter = await makeCounter(db, "organization", "limit");
    // Each admits a row only while there are fewer than five: a race would let in more.
    const admit = (name: string) =>
      db.inTransaction(counter, async (tx) => {
        const row = await tx.sql
          .selectFrom("meta")
          .select((eb) => eb.fn.countAll<number>().as("count"))
          .executeTakeFirst();
        await setImmediate();
        if ((row?.count ?? 0) < 5) tx.write(tx.sql.insertInto("meta").values({ name, value: "", proof: "" }));
      });
    await Promise.all(Array.from({ length: 40 }, (_, i) => admit(`n${i}`)));
    expect((await db.sql.selectFrom("meta").select("name").execute()).length).toBe(5);
    expect(await readCounter(db, "organization/limit")).toBe(5);
  });

  test("a transaction of many statements does not hold up point reads", async () => {
    const db = await openForTest(await makeUrl());
    await makeOrganization(db, "org");
    let finished = false;
    const writing = addTags(db, "org", 4 * ROWS).then(() => (finished = true));
    let reads = 0;
    while (!finished) {
      await readCounter(db, "root");
      await setImmediate();
      reads += 1;
    }
    await writing;
    // One read would mean that the whole transaction ran in one turn.
    expect(reads).toBeGreaterThan(3);
  });
});
