import { sql, type SqlBool } from "kysely";
import { expect, test } from "vitest";
import { randomOfRun } from "../../../test/support/seeded.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { compileRights, type Rule, type RuleKind } from "../../../test/support/rights.ts";
import { fold } from "../../fold.ts";
import { NO_FACTS } from "../../rights/rules/question.ts";
import { contains, fits, likePattern, visible } from "../reads/conditions.ts";
import type { Database } from "../database.ts";
import { definePoint, defineQuery, oneOf } from "../reads/query.ts";
import { insertFact, makeOrganization, openForTest, root, writeTag } from "../../../test/support/storage.ts";

const factByName = definePoint("meta.name", (db) => db.selectFrom("meta").select(["name", "value"]));
const factsIn = defineQuery((db, p: { names: string[] }, engine) =>
  db
    .selectFrom("meta")
    .select("name")
    .where(oneOf(engine, sql.ref("name"), p.names))
    .orderBy("name"),
);
const factsAfter = defineQuery((db, p: { after: string; limit: number; not: string }) =>
  db
    .selectFrom("meta")
    .select("name")
    .where("name", ">", p.after)
    .where("name", "!=", p.not)
    .orderBy("name")
    .limit(p.limit),
);

async function store(db: Database, names: readonly string[]): Promise<void> {
  await db.inTransaction(root, async (tx) => {
    for (const name of names) tx.write(insertFact, { name, value: `value of ${name}` });
  });
}

const number = (i: number) => `n${String(i).padStart(5, "0")}`;

forEachEngine((_engine, makeUrl) => {
  test("a defined query takes its parameters anew each time, whatever order it names them in", async () => {
    const db = await openForTest(await makeUrl());
    await store(db, ["a", "b", "c", "d"]);
    const names = async (p: { after: string; limit: number; not: string }) =>
      (await db.run(factsAfter, p)).map((row) => row.name);
    expect(await names({ not: "b", limit: 10, after: "" })).toEqual(["a", "c", "d"]);
    expect(await names({ after: "a", limit: 1, not: "b" })).toEqual(["c"]);
    expect(await names({ after: "a", limit: 0, not: "" })).toEqual([]);
    expect(await db.long.run(factsAfter, { after: "b", limit: 9, not: "" })).toEqual([{ name: "c" }, { name: "d" }]);
    const inside = await db.inTransaction(root, (tx) => tx.run(factsAfter, { after: "c", limit: 9, not: "" }));
    expect(inside).toEqual([{ name: "d" }]);
  });

  test.each([0, 1, 2, 1000, 5000])("a list of %d values fits one defined query", async (count) => {
    const db = await openForTest(await makeUrl());
    const stored = Array.from({ length: 1200 }, (_, i) => number(i));
    await store(db, stored);
    const asked = Array.from({ length: count }, (_, i) => number(i));
    const expected = asked.slice(0, 1200);
    expect((await db.run(factsIn, { names: asked })).map((row) => row.name)).toEqual(expected);
    expect((await db.long.run(factsIn, { names: asked })).map((row) => row.name)).toEqual(expected);
  });

  test("a value named twice in a list gives its row once", async () => {
    const db = await openForTest(await makeUrl());
    await store(db, ["a"]);
    expect(await db.run(factsIn, { names: ["a", "a", "b", "b"] })).toEqual([{ name: "a" }]);
  });

  test("incident 16: point reads of one turn give each caller its own row, duplicates and missing ones included", async () => {
    const db = await openForTest(await makeUrl());
    await store(
      db,
      Array.from({ length: 500 }, (_, i) => number(i)),
    );
    // More than one statement's worth of keys, some asked twice, half of them missing, in no order.
    const keys = Array.from({ length: 2500 }, (_, i) => number((i * 7919) % 1000));
    const rows = await Promise.all(keys.map((key) => db.point(factByName, key)));
    rows.forEach((row, i) => {
      const key = keys[i] ?? "";
      if (key < number(500)) expect(row).toMatchObject({ name: key, value: `value of ${key}` });
      else expect(row).toBeUndefined();
    });
  });

  test("point reads inside a transaction read in that transaction", async () => {
    const db = await openForTest(await makeUrl());
    await store(db, ["a", "b"]);
    const found = await db.inTransaction(root, (tx) =>
      Promise.all(["a", "missing", "b", "a"].map((name) => tx.point(factByName, name))),
    );
    expect(found.map((row) => row?.name)).toEqual(["a", undefined, "b", "a"]);
  });

  test("a point read sees what was committed before it was asked", async () => {
    const db = await openForTest(await makeUrl());
    for (let i = 0; i < 50; i++) {
      await store(db, [number(i)]);
      expect(await db.point(factByName, number(i))).toMatchObject({ name: number(i) });
    }
  });

  test("text is found anywhere in a name, no character of it special", async () => {
    const db = await openForTest(await makeUrl());
    const names = ["50%", "500", "a_b", "axb", "back\\slash", "quo'te", "plain"];
    await store(db, names);
    const find = async (part: string) => {
      const query = db.sql
        .selectFrom("meta")
        .select("name")
        .where(contains(db.engine, sql.ref("name"), part));
      return (await query.orderBy("name").execute()).map((row) => row.name);
    };
    expect(await find("0%")).toEqual(["50%"]);
    expect(await find("_")).toEqual(["a_b"]);
    expect(await find("\\")).toEqual(["back\\slash"]);
    expect(await find("o't")).toEqual(["quo'te"]);
    expect(await find("")).toEqual(names.toSorted());
    expect(await find("missing")).toEqual([]);
  });

  test("a star in a pattern stands for any text and nothing else does", async () => {
    const db = await openForTest(await makeUrl());
    await store(db, ["prod-db", "prod_db", "prod%db", "prod", "db-prod", "prod\\x"]);
    const find = async (pattern: string) => {
      const query = db.sql
        .selectFrom("meta")
        .select("name")
        .where(fits(sql.ref("name"), likePattern(pattern)));
      return (await query.orderBy("name").execute()).map((row) => row.name);
    };
    expect(await find("prod*")).toEqual(["prod", "prod%db", "prod-db", "prod\\x", "prod_db"]);
    expect(await find("*prod")).toEqual(["db-prod", "prod"]);
    expect(await find("prod_db")).toEqual(["prod_db"]);
    expect(await find("prod%*")).toEqual(["prod%db"]);
    expect(await find("*\\*")).toEqual(["prod\\x"]);
    expect(await find("prod")).toEqual(["prod"]);
    expect((await find("*")).length).toBe(6);
  });

  test("a query sees exactly the names that the rights of the actor allow", async () => {
    const db = await openForTest(await makeUrl());
    await makeOrganization(db, "org");
    const random = randomOfRun();
    const names = [...new Set(Array.from({ length: 300 }, () => randomText(random, 5)))].map(fold).sort();
    const folded = [...new Set(names)];
    await db.inTransaction({ kind: "organization", id: "org" }, async (tx) => {
      for (const name of folded) writeTag(tx, "org", name);
    });
    for (let round = 0; round < 60; round++) {
      const rights = compileRights(randomRules(random, round === 0 ? 400 : 12));
      const { ranges, names: exact, except } = rights.visibleOrganizations();
      const query = db.sql.selectFrom("tags").select("name");
      const condition = visible(db.engine, sql.ref("name"), { ranges, names: exact, except });
      const seen = (await query.where(condition).orderBy("name").execute()).map((row) => row.name);
      expect(seen).toEqual(folded.filter((name) => rights.decide("organization", name, "read", NO_FACTS).allow));
    }
  });

  test("a condition on many ranges takes the rows that lie in one, and its opposite the others", async () => {
    const db = await openForTest(await makeUrl());
    const names = Array.from({ length: 1200 }, (_, i) => number(i));
    await store(db, names);
    // One name of each three, a hundred at once, and a range without an end.
    const ranges = [
      ...Array.from({ length: 300 }, (_, i) => ({ from: number(i * 3), to: number(i * 3 + 1) })),
      { from: number(1000), to: number(1100) },
      { from: number(1150), to: undefined },
    ];
    const lies = (name: string, from: number) =>
      ranges.slice(from).some((range) => name >= range.from && (range.to === undefined || name < range.to));
    const condition = visible(db.engine, sql.ref("name"), { ranges, names: [number(1)], except: [number(0)] });
    const late = visible(db.engine, sql.ref("name"), { ranges: ranges.slice(150), names: [], except: [] });
    const all = (reader: Pick<Database, "sql">) =>
      reader.sql.selectFrom("meta").select("name").where("name", "like", "n_____").orderBy("name");
    const seen = names.filter((name) => name === number(1) || (lies(name, 0) && name !== number(0)));
    const namesOf = (rows: { name: string }[]) => rows.map(({ name }) => name);
    expect(namesOf(await all(db).where(condition).execute())).toEqual(seen);
    const others = sql<SqlBool>`not ${condition}`;
    expect(namesOf(await all(db).where(others).execute())).toEqual(names.filter((name) => !seen.includes(name)));
    // Two lists of ranges in one statement, on a reading thread.
    const both = all(db.long).where(condition).where(late);
    expect(namesOf(await both.execute())).toEqual(seen.filter((name) => lies(name, 150)));
  });
});

function randomText(random: () => number, longest: number): string {
  const length = 1 + Math.floor(random() * longest);
  return Array.from({ length }, () => "aAbB-_z9"[Math.floor(random() * 8)]).join("");
}

function randomRules(random: () => number, count: number): Rule[] {
  const kinds: RuleKind[] = ["organization", "organization_prefix", "organization_prefix"];
  const policies = ["read", "write", "deny"] as const;
  return Array.from({ length: count }, () => ({
    kind: kinds[Math.floor(random() * kinds.length)] ?? "organization",
    segment: random() < 0.1 ? "" : randomText(random, 4),
    policy: policies[Math.floor(random() * policies.length)] ?? "deny",
  }));
}
