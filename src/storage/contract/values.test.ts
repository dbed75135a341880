import { expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import type { Database } from "../database.ts";
import { definePoint, defineQuery, oneOf } from "../reads/query.ts";
import { sql } from "kysely";
import { findFact, insertFact, listFacts, makeOrganization, openForTest, root } from "../../../test/support/storage.ts";

const factByName = definePoint("meta.name", (db) => db.selectFrom("meta").select(["name", "value"]));
const factsIn = defineQuery((db, p: { names: string[] }, engine) =>
  db
    .selectFrom("meta")
    .select("name")
    .where(oneOf(engine, sql.ref("name"), p.names)),
);

async function store(db: Database, names: readonly string[]): Promise<void> {
  await db.inTransaction(root, async (tx) => {
    for (const name of names) tx.write(insertFact, { name, value: `value of ${name}` });
  });
}

/** Values that neither engine stores as they are. `as never` lets them past the types, as a fault would. */
const REFUSED: [what: string, value: never][] = [
  ["a Date", new Date(0) as never],
  ["an object", { name: "x" } as never],
  ["an object with no members", {} as never],
  ["true", true as never],
  ["undefined", undefined as never],
  ["a BigInt", 1n as never],
  ["bytes", Buffer.from("x") as never],
  ["NaN", Number.NaN as never],
  ["infinity", Number.POSITIVE_INFINITY as never],
  ["a fraction", 1.5 as never],
  ["an integer that a number cannot hold", (2 ** 53) as never],
];

const MISSHAPEN: [what: string, text: string][] = [
  ["NUL", "a\0b"],
  ["NUL alone", "\0"],
  ["the first half of a pair", "a\ud800"],
  ["the second half of a pair", "\udc00b"],
  ["halves in the wrong order", "\udc00\ud800"],
];

forEachEngine((_engine, makeUrl) => {
  test("incident 15: identifiers that differ in case are different identifiers", async () => {
    const db = await openForTest(await makeUrl());
    const names = ["org", "Org", "ORG", "\u00e9", "\u00c9", "e\u0301", "straße", "strasse", "i", "ı", "K", "\u212a"];
    await store(db, names);
    for (const name of names) {
      expect(await db.point(factByName, name)).toMatchObject({ name, value: `value of ${name}` });
      expect(await db.run(findFact, { name })).toEqual([{ name, value: `value of ${name}` }]);
    }
    expect(await db.point(factByName, "oRG")).toBeUndefined();
    expect((await db.run(factsIn, { names: ["ORG", "oRG"] })).map((row) => row.name)).toEqual(["ORG"]);
  });

  test("identifiers with white space around them are different identifiers", async () => {
    const db = await openForTest(await makeUrl());
    const names = ["a", " a", "a ", "a\t", "a\n", "a\u00a0", ""];
    await store(db, names);
    for (const name of names) expect(await db.point(factByName, name)).toMatchObject({ name });
  });

  test("text sorts by its bytes, whatever the locale of the database", async () => {
    const db = await openForTest(await makeUrl());
    const names = ["ab", "a-b", "_x", "Zed", "Beta", "alpha", "é", "z", "\u{1f600}", "\uffee", "", "A"];
    await store(db, names);
    const rows = await db.sql.selectFrom("meta").select("name").orderBy("name").execute();
    const byBytes = names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(rows.map((row) => row.name)).toEqual(byBytes);
    expect(byBytes.filter((name) => /^[\x21-\x7f]+$/.test(name))).toEqual([
      "A",
      "Beta",
      "Zed",
      "_x",
      "a-b",
      "ab",
      "alpha",
      "z",
    ]);
    const range = db.sql.selectFrom("meta").select("name").where("name", ">=", "Beta").where("name", "<", "a");
    expect((await range.orderBy("name").execute()).map((row) => row.name)).toEqual(["Beta", "Zed", "_x"]);
  });

  test("integers come back as numbers, from columns, counts and sums alike", async () => {
    const db = await openForTest(await makeUrl());
    await makeOrganization(db, "org");
    const largest = Number.MAX_SAFE_INTEGER;
    await db.inTransaction(root, async (tx) => {
      tx.write(tx.sql.updateTable("organizations").set({ tag_count: largest, workspace_count: 0 }));
    });
    for (const reader of [db, db.long]) {
      const row = await reader.sql
        .selectFrom("organizations")
        .select((eb) => ["tag_count", "workspace_count", eb.fn.countAll<number>().as("count")])
        .groupBy(["tag_count", "workspace_count"])
        .executeTakeFirst();
      expect(row).toEqual({ tag_count: largest, workspace_count: 0, count: 1 });
      const last = await reader.sql
        .selectFrom("organizations")
        .select((eb) => eb.fn.max("tag_count").as("last"))
        .executeTakeFirst();
      expect(last).toEqual({ last: largest });
    }
  });

  test.each(REFUSED)("%s is refused wherever it is bound, and changes nothing", async (_what, value) => {
    const db = await openForTest(await makeUrl());
    await store(db, ["x"]);
    await expect(db.run(findFact, { name: value })).rejects.toThrow(TypeError);
    await expect(db.long.run(findFact, { name: value })).rejects.toThrow(TypeError);
    await expect(db.point(factByName, value)).rejects.toThrow(TypeError);
    await expect(db.run(factsIn, { names: ["x", value] })).rejects.toThrow(TypeError);
    await expect(db.sql.selectFrom("meta").select("name").where("name", "=", value).execute()).rejects.toThrow(
      TypeError,
    );
    const written = db.inTransaction(root, async (tx) => {
      tx.write(insertFact, { name: "before", value: "" });
      tx.write(insertFact, { name: "bad", value });
      tx.write(insertFact, { name: "after", value: "" });
    });
    await expect(written).rejects.toThrow(TypeError);
    const built = db.inTransaction(root, async (tx) => {
      tx.write(insertFact, { name: "before", value: "" });
      tx.write(tx.sql.insertInto("meta").values({ name: "bad", value, proof: "" }));
    });
    // The builder leaves out a member that is undefined, and the column refuses to be empty.
    await expect(built).rejects.toThrow(value === undefined ? Error : TypeError);
    expect(Object.keys(await listFacts(db))).toEqual(["x"]);
  });

  test.each(MISSHAPEN)("text with %s is invalid wherever it is bound, and changes nothing", async (_what, text) => {
    const db = await openForTest(await makeUrl());
    await store(db, ["x", "a", "a\ufffd", "\ufffdb"]);
    const before = await listFacts(db);
    const invalid = { code: "invalid" };
    await expect(db.run(findFact, { name: text })).rejects.toMatchObject(invalid);
    await expect(db.long.run(findFact, { name: text })).rejects.toMatchObject(invalid);
    await expect(db.point(factByName, text)).rejects.toMatchObject(invalid);
    await expect(db.long.point(factByName, text)).rejects.toMatchObject(invalid);
    await expect(db.run(factsIn, { names: ["x", text] })).rejects.toMatchObject(invalid);
    const written = db.inTransaction(root, async (tx) => {
      tx.write(insertFact, { name: "before", value: "" });
      tx.write(insertFact, { name: text, value: text });
    });
    await expect(written).rejects.toMatchObject(invalid);
    expect(await listFacts(db)).toEqual(before);
  });

  test("a point read of misshapen text does not spoil those of others in the same turn", async () => {
    const db = await openForTest(await makeUrl());
    await store(db, ["x"]);
    const [good, bad, missing] = await Promise.allSettled([
      db.point(factByName, "x"),
      db.point(factByName, "a\0"),
      db.point(factByName, "y"),
    ]);
    expect(good).toMatchObject({ status: "fulfilled", value: { name: "x" } });
    expect(bad.status).toBe("rejected");
    expect(missing).toEqual({ status: "fulfilled", value: undefined });
  });

  test("any other text comes back as it was stored", async () => {
    const db = await openForTest(await makeUrl());
    const names = [
      "'",
      '"',
      "\\",
      "\\'",
      "$1",
      "?",
      "{}",
      "{a,b}",
      "NULL",
      "null",
      "%",
      "_",
      "a,b",
      "\u0001",
      "\u{1f468}\u200d\u{1f469}",
    ];
    await store(db, [...names, "\u{10ffff}", "\ufeff", "\u2028", "x".repeat(100_000)]);
    for (const name of names) expect(await db.point(factByName, name)).toMatchObject({ value: `value of ${name}` });
    const found = await db.run(factsIn, { names: [...names, "missing"] });
    expect(found.map((row) => row.name).sort()).toEqual(names.toSorted());
    expect((await db.run(findFact, { name: "x".repeat(100_000) })).length).toBe(1);
  });
});
