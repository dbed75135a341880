import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { forEachEngine, temporaryDirectory } from "../../../test/support/engines.ts";
import { AppError } from "../../errors.ts";
import type { Database } from "../database.ts";
import { MIGRATIONS } from "../migrations/migrate.ts";
import { StartError } from "../start-error.ts";
import {
  insertFact,
  listFacts,
  makeOrganization,
  openForTest,
  organization,
  root,
  writeTag,
} from "../../../test/support/storage.ts";

/** Rows of a table that the program itself does not query. */
async function migrationsOf(db: Database): Promise<string[]> {
  const query = db.sql.selectFrom("schema_migrations" as "meta").select("name");
  return (await query.orderBy("name").execute()).map((row) => row.name);
}

forEachEngine((_engine, makeUrl) => {
  test("a start brings an empty database up to date and a later one changes nothing", async () => {
    const url = await makeUrl();
    const dataDir = temporaryDirectory();
    const names = MIGRATIONS.map((migration) => migration.name).toSorted();
    const first = await openForTest(url, { dataDir });
    expect(await migrationsOf(first)).toEqual(names);
    await first.inTransaction(root, async (tx) => tx.write(insertFact, { name: "kept", value: "1" }));
    await first.close();
    const second = await openForTest(url, { dataDir });
    expect(await migrationsOf(second)).toEqual(names);
    expect(await listFacts(second)).toEqual({ kept: "1" });
  });

  test("long reads past the limit of those that wait are refused, the others answered, and later ones again", async () => {
    const db = await openForTest(await makeUrl(), { longLimit: 2 });
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => listFacts(db.long)));
    const refused = outcomes.filter((outcome) => outcome.status === "rejected");
    expect(refused.length).toBeGreaterThan(30);
    expect(refused.length).toBeLessThan(50);
    for (const { reason } of refused) expect(reason).toMatchObject({ code: "unavailable" });
    expect(await listFacts(db.long)).toEqual({});
  });

  test("a database from which a newer version took something is refused and left as it is", async () => {
    const url = await makeUrl();
    const dataDir = temporaryDirectory();
    const first = await openForTest(url, { dataDir });
    await first.inTransaction(root, async (tx) => {
      const row = { name: "9999-from-the-future", applied_at: "2030-01-01", phase: "contract" };
      tx.write(tx.sql.insertInto("schema_migrations" as "meta").values(row as never));
    });
    await first.close();
    const second = openForTest(url, { dataDir });
    await expect(second).rejects.toThrow(StartError);
    await expect(second).rejects.toThrow(/9999-from-the-future, which this version does not know/);
  });

  test("everything committed is there after a restart", async () => {
    const url = await makeUrl();
    const dataDir = temporaryDirectory();
    const first = await openForTest(url, { dataDir });
    const owner = await makeOrganization(first, "org");
    for (let i = 0; i < 50; i++) await first.inTransaction(owner, async (tx) => writeTag(tx, "org", `t${i}`));
    await first.close();
    const second = await openForTest(url, { dataDir });
    expect((await second.sql.selectFrom("tags").select("id").execute()).length).toBe(50);
  });

  test("closing lets transactions that were asked for before finish", async () => {
    const url = await makeUrl();
    const dataDir = temporaryDirectory();
    const db = await openForTest(url, { dataDir });
    const asked = Array.from({ length: 30 }, (_, i) =>
      db.inTransaction(root, async (tx) => tx.write(insertFact, { name: `n${i}`, value: "" })),
    );
    const closing = db.close();
    const outcomes = await Promise.allSettled(asked);
    await closing;
    const again = await openForTest(url, { dataDir });
    const kept = Object.keys(await listFacts(again)).length;
    expect(kept).toBe(outcomes.filter((outcome) => outcome.status === "fulfilled").length);
  });

  test("writes past what the queue holds are refused as unavailable, and those in it go on", async () => {
    const db = await openForTest(await makeUrl(), { queueLimit: 20 });
    await makeOrganization(db, "org");
    const write = (i: number) =>
      db.inTransaction(organization("org"), async (tx) => tx.write(insertFact, { name: `n${i}`, value: "" }));
    const outcomes = await Promise.allSettled(Array.from({ length: 100 }, (_, i) => write(i)));
    const refused = outcomes.filter((outcome) => outcome.status === "rejected").map((outcome) => outcome.reason);
    expect(refused.length).toBeGreaterThanOrEqual(78);
    for (const reason of refused) {
      expect(reason).toBeInstanceOf(AppError);
      expect(reason).toMatchObject({ code: "unavailable" });
    }
    expect(Object.keys(await listFacts(db)).length).toBe(100 - refused.length);
    await write(1000);
    expect(db.stats().writeQueue).toBe(0);
  });

  test("1,024 writes may wait unless told otherwise, and half as many of one organization", async () => {
    const db = await openForTest(await makeUrl());
    const owners = ["one", "two", "three"];
    for (const owner of owners) await makeOrganization(db, owner);
    const countDone = async (asked: string[]) => {
      const idle = (owner: string) => db.inTransaction(organization(owner), () => Promise.resolve());
      const outcomes = await Promise.allSettled(asked.map(idle));
      return outcomes.filter((outcome) => outcome.status === "fulfilled").length;
    };
    // Transactions that run already do not wait: one on SQLite, two of one counter on PostgreSQL.
    const one = await countDone(Array.from({ length: 1200 }, () => "one"));
    expect(one).toBeGreaterThan(512);
    expect(one).toBeLessThanOrEqual(514);
    const all = await countDone(owners.flatMap((owner) => Array.from({ length: 500 }, () => owner)));
    expect(all).toBeGreaterThan(1024);
    expect(all).toBeLessThanOrEqual(1030);
  });

  test("storage answers a ping", async () => {
    const db = await openForTest(await makeUrl());
    expect(await db.ping()).toBeUndefined();
  });

  test("a database that cannot be reached is a StartError of one line that names it", async () => {
    const folder = temporaryDirectory();
    writeFileSync(
      join(folder, "file"),
      "no database, just text that is long enough to have been read as a header".repeat(20),
    );
    const places = [
      `sqlite:${join(folder, "file")}`,
      `sqlite:${join(folder, "file", "below")}`,
      "postgres://nobody:x@127.0.0.1:1/none",
    ];
    for (const url of places) {
      const start = openForTest(url);
      await expect(start).rejects.toThrow(StartError);
      await start.catch((error: Error) => expect(error.message.split("\n").length).toBe(1));
    }
  });
});
