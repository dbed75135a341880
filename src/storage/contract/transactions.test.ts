import { expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { AppError } from "../../errors.ts";
import {
  findFact,
  insertFact,
  listFacts,
  makeCounter,
  makeOrganization,
  openForTest,
  organization,
  readCounter,
  root,
  writeTag,
  writeWorkspace,
} from "../../../test/support/storage.ts";

forEachEngine((_engine, makeUrl) => {
  test("64 concurrent read-modify-write transactions under one counter lose nothing", async () => {
    const db = await openForTest(await makeUrl());
    const counter = await makeCounter(db, "organization", "one");
    await db.inTransaction(counter, async (tx) => tx.write(insertFact, { name: "sum", value: "0" }));
    const add = () =>
      db.inTransaction(counter, async (tx) => {
        const [row] = await tx.run(findFact, { name: "sum" });
        const value = String(Number(row?.value) + 1);
        tx.write(tx.sql.updateTable("meta").set({ value }).where("name", "=", "sum"));
      });
    await Promise.all(Array.from({ length: 64 }, add));
    expect((await listFacts(db))["sum"]).toBe("64");
    expect(await readCounter(db, "organization/one")).toBe(65);
  });

  test("the index of a transaction grows by one with each commit", async () => {
    const db = await openForTest(await makeUrl());
    const counter = await makeCounter(db, "partition", "other");
    const indexes = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        db.inTransaction(counter, async (tx) => {
          tx.write(insertFact, { name: `n${i}`, value: "" });
          return tx.index();
        }),
      ),
    );
    expect(indexes.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
  });

  test("a callback that throws leaves nothing behind, its counter unraised", async () => {
    const db = await openForTest(await makeUrl());
    const counters = [root, await makeOrganization(db, "org"), await makeCounter(db, "partition", "other")];
    const names = ["root", "organization/org", "partition/other"];
    const before = await Promise.all(names.map((name) => readCounter(db, name)));
    for (const counter of counters) {
      const refused = db.inTransaction(counter, async (tx) => {
        tx.write(insertFact, { name: "never", value: "" });
        await tx.run(findFact, { name: "never" });
        throw new AppError("conflict", "refused");
      });
      await expect(refused).rejects.toMatchObject({ code: "conflict", message: "refused" });
    }
    expect(await Promise.all(names.map((name) => readCounter(db, name)))).toEqual(before);
    expect(await listFacts(db)).toEqual({});
  });

  test("a callback that throws before it has awaited anything is refused the same way", async () => {
    const db = await openForTest(await makeUrl());
    const thrown = db.inTransaction(root, () => {
      throw new AppError("invalid", "at once");
    });
    await expect(thrown).rejects.toMatchObject({ code: "invalid" });
    await db.inTransaction(root, async (tx) => tx.write(insertFact, { name: "next", value: "works" }));
    expect(await listFacts(db)).toEqual({ next: "works" });
  });

  test("a callback that writes nothing does not raise the counter of an organization or of root", async () => {
    const db = await openForTest(await makeUrl());
    const owner = await makeOrganization(db, "org");
    const before = await readCounter(db, "root");
    expect(await db.inTransaction(root, async (tx) => (await tx.run(findFact, { name: "x" })).length)).toBe(0);
    expect(await db.inTransaction(owner, async () => "unchanged")).toBe("unchanged");
    expect(await readCounter(db, "root")).toBe(before);
    expect(await readCounter(db, "organization/org")).toBe(0);
  });

  test("a callback that writes nothing raises the counter of a partition", async () => {
    const db = await openForTest(await makeUrl());
    const partition = await makeCounter(db, "partition", "other");
    expect(await db.inTransaction(partition, (tx) => tx.index())).toBe(1);
    expect(await db.inTransaction(partition, (tx) => tx.index())).toBe(2);
    expect(await readCounter(db, "partition/other")).toBe(2);
  });

  test("a counter whose owner is gone is not found, whatever the callback meets or does", async () => {
    const db = await openForTest(await makeUrl());
    const gone = organization("gone");
    const writes = db.inTransaction(gone, async (tx) => tx.write(insertFact, { name: "never", value: "" }));
    await expect(writes).rejects.toMatchObject({ code: "not_found" });
    await expect(db.inTransaction(gone, (tx) => tx.run(findFact, { name: "x" }))).rejects.toMatchObject({
      code: "not_found",
    });
    await expect(db.inTransaction(gone, (tx) => tx.index())).rejects.toMatchObject({ code: "not_found" });
    expect(await listFacts(db)).toEqual({});
  });

  test("a unique key answers already_exists and nothing of the transaction stays", async () => {
    const db = await openForTest(await makeUrl());
    const owner = await makeOrganization(db, "org");
    const before = await readCounter(db, "organization/org");
    const twice = db.inTransaction(owner, async (tx) => {
      writeTag(tx, "org", "one");
      writeTag(tx, "org", "two");
      writeTag(tx, "org", "one", "tag-other");
      writeTag(tx, "org", "three");
    });
    await expect(twice).rejects.toMatchObject({ code: "already_exists" });
    expect(await db.sql.selectFrom("tags").select("id").execute()).toEqual([]);
    expect(await readCounter(db, "organization/org")).toBe(before);
  });

  test("a primary key and a unique column answer already_exists too", async () => {
    const db = await openForTest(await makeUrl());
    await makeOrganization(db, "org");
    await expect(makeOrganization(db, "org")).rejects.toMatchObject({ code: "already_exists" });
    await expect(makeOrganization(db, "org-2", "ORG")).rejects.toMatchObject({ code: "already_exists" });
  });

  test("a foreign key answers not_found and nothing of the transaction stays", async () => {
    const db = await openForTest(await makeUrl());
    const owner = await makeOrganization(db, "org");
    const orphan = db.inTransaction(owner, async (tx) => {
      writeTag(tx, "org", "before");
      writeWorkspace(tx, "org", "ws", "prj-missing");
      writeTag(tx, "org", "after");
    });
    await expect(orphan).rejects.toMatchObject({ code: "not_found" });
    expect(await db.sql.selectFrom("tags").select("id").execute()).toEqual([]);
    expect(await db.sql.selectFrom("workspaces").select("id").execute()).toEqual([]);
  });

  test("a row that others refer to is not deleted under them", async () => {
    const db = await openForTest(await makeUrl());
    const owner = await makeOrganization(db, "org");
    await db.inTransaction(owner, async (tx) => writeWorkspace(tx, "org", "ws"));
    const removal = db.inTransaction(owner, async (tx) => tx.write(tx.sql.deleteFrom("projects")));
    await expect(removal).rejects.toMatchObject({ code: "not_found" });
    expect(await db.sql.selectFrom("projects").select("id").execute()).toEqual([{ id: "prj-org" }]);
  });

  test("a failed transaction leaves its connection good for the next ones", async () => {
    const db = await openForTest(await makeUrl());
    const owner = await makeOrganization(db, "org");
    for (let round = 0; round < 20; round++) {
      const failing = db.inTransaction(owner, async (tx) => {
        writeTag(tx, "org", "same");
        writeTag(tx, "org", "same", `tag-${round}`);
      });
      await expect(failing).rejects.toMatchObject({ code: "already_exists" });
      await db.inTransaction(owner, async (tx) => writeTag(tx, "org", `tag${round}`));
    }
    expect(await readCounter(db, "organization/org")).toBe(20);
  });

  test("after a read failed in the callback nothing is committed, even when the callback swallows it", async () => {
    const db = await openForTest(await makeUrl());
    const owner = await makeOrganization(db, "org");
    const swallowed = db.inTransaction(owner, async (tx) => {
      await tx.sql
        .selectFrom("no_such_table" as "meta")
        .selectAll()
        .execute()
        .catch(() => undefined);
      writeTag(tx, "org", "one");
      writeTag(tx, "org", "one", "tag-twin");
    });
    await expect(swallowed).rejects.toThrow();
    expect(await db.sql.selectFrom("tags").select("id").execute()).toEqual([]);
  });
});
