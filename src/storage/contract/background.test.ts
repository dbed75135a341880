import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { forEachEngine, temporaryDirectory } from "../../../test/support/engines.ts";
import type { Database, Transaction } from "../database.ts";
import { checkLease, newHolder, takeLease } from "../feed/lease.ts";
import { insertPurges } from "../purge/purge.ts";
import {
  countRows,
  insertFact,
  listFacts,
  makeOrganization,
  openForTest,
  organization,
  readCounter,
  root,
  writeLink,
  writeTag,
  writeWorkspace,
} from "../../../test/support/storage.ts";

const NOW = "2026-01-02T03:04:05.678Z";

/** An organization in which every workspace carries every tag. */
async function fill(db: Database, id: string, workspaces: number, tags: number): Promise<void> {
  await makeOrganization(db, id);
  const writes: ((tx: Transaction) => void)[] = [];
  for (let w = 0; w < workspaces; w++) writes.push((tx) => writeWorkspace(tx, id, `w${w}`));
  for (let t = 0; t < tags; t++) writes.push((tx) => writeTag(tx, id, `t${t}`));
  for (let w = 0; w < workspaces; w++)
    for (let t = 0; t < tags; t++) writes.push((tx) => writeLink(tx, id, `w${w}`, `t${t}`));
  // Thousands at once take a busy machine so long that the database ends the transaction as idle.
  for (let at = 0; at < writes.length; at += 500)
    await db.inTransaction(organization(id), async (tx) => writes.slice(at, at + 500).forEach((write) => write(tx)));
}

async function purged(db: Database): Promise<void> {
  await expect.poll(() => countRows(db, "purges"), { interval: 20 }).toBe(0);
}

forEachEngine((engine, makeUrl) => {
  test("the links of a deleted tag go away in the background, and nothing else does", async () => {
    const db = await openForTest(await makeUrl());
    await fill(db, "org", 700, 2);
    await fill(db, "other", 3, 2);
    await db.inTransaction(organization("org"), async (tx) => {
      tx.write(tx.sql.deleteFrom("tags").where("id", "=", "tag-org-t0"));
      insertPurges(tx, "tag", ["tag-org-t0"], NOW);
    });
    await purged(db);
    const links = db.sql.selectFrom("workspace_tags").select("tag_id").distinct().orderBy("tag_id");
    expect((await links.execute()).map((row) => row.tag_id)).toEqual(["tag-org-t1", "tag-other-t0", "tag-other-t1"]);
    expect(await countRows(db, "workspace_tags")).toBe(700 + 6);
    expect(await countRows(db, "workspaces")).toBe(703);
    expect(await countRows(db, "tags")).toBe(3);
  });

  test("everything of a deleted organization goes away in the background, and nothing of another", async () => {
    const db = await openForTest(await makeUrl());
    await fill(db, "org", 20, 350);
    await fill(db, "other", 3, 4);
    await db.inTransaction(root, async (tx) => {
      tx.write(tx.sql.deleteFrom("organizations").where("id", "=", "org"));
      tx.write(tx.sql.deleteFrom("counters").where("name", "=", "organization/org"));
      insertPurges(tx, "organization", ["org"], NOW);
    });
    await purged(db);
    for (const table of ["tags", "workspaces", "projects"] as const) {
      const owners = await db.sql.selectFrom(table).select("organization_id").distinct().execute();
      expect(owners).toEqual([{ organization_id: "other" }]);
    }
    const counts = await Promise.all(
      (["tags", "workspaces", "projects", "workspace_tags"] as const).map((table) => countRows(db, table)),
    );
    expect(counts).toEqual([4, 3, 1, 12]);
    expect(await readCounter(db, "organization/other")).toBe(1);
  });

  test("work that was left when the server stopped is taken up by the next start", async () => {
    const url = await makeUrl();
    const dataDir = temporaryDirectory();
    const first = await openForTest(url, { dataDir });
    await fill(first, "org", 1000, 1);
    await first.inTransaction(organization("org"), async (tx) => {
      tx.write(tx.sql.deleteFrom("tags"));
      insertPurges(tx, "tag", ["tag-org-t0"], NOW);
    });
    await first.close();
    const second = await openForTest(url, { dataDir });
    await purged(second);
    expect(await countRows(second, "workspace_tags")).toBe(0);
  });

  test("other writers and readers get their turn while a deletion is worked off", async () => {
    const db = await openForTest(await makeUrl());
    await fill(db, "org", 3000, 1);
    await makeOrganization(db, "other");
    await db.inTransaction(organization("org"), async (tx) => {
      tx.write(tx.sql.deleteFrom("tags"));
      insertPurges(tx, "tag", ["tag-org-t0"], NOW);
    });
    await expect.poll(() => countRows(db, "workspace_tags"), { interval: 1 }).toBeLessThan(3000);
    let between = 0;
    for (let i = 0; (await countRows(db, "workspace_tags")) > 0; i++) {
      await db.inTransaction(organization("other"), async (tx) => tx.write(insertFact, { name: `n${i}`, value: "" }));
      between += 1;
      // As every request does: SQLite answers without a turn of the event loop.
      await setImmediate();
    }
    expect(between).toBeGreaterThan(0);
    await purged(db);
  });

  test("a lease has one holder, who may renew it", async () => {
    const db = await openForTest(await makeUrl());
    const [one, two] = [newHolder(), newHolder()];
    const taken = await takeLease(db, "work", one);
    expect(taken).toMatchObject({ kind: "lease", name: "work", holder: one, fence: 1 });
    // On SQLite the instance lock is the lease: who asks is the only one there is.
    if (engine === "postgres") expect(await takeLease(db, "work", two)).toBeUndefined();
    expect(await takeLease(db, "work", one)).toEqual(taken);
    expect(await takeLease(db, "other-work", two)).toMatchObject({ holder: two, fence: 1 });
  });

  test("of many that ask at once for a free lease one gets it", async () => {
    const db = await openForTest(await makeUrl());
    const taken = await Promise.all(Array.from({ length: 16 }, () => takeLease(db, "work", newHolder())));
    const holders = taken.filter((lease) => lease !== undefined);
    if (engine === "postgres") expect(holders.length).toBe(1);
    const [row] = await db.sql.selectFrom("leases").selectAll().execute();
    expect(holders).toContainEqual({ kind: "lease", name: "work", holder: row?.holder, fence: row?.fence });
  });

  test("a lease that a clock since set back would keep for ever is taken over", async () => {
    const db = await openForTest(await makeUrl());
    await takeLease(db, "work", newHolder());
    const inAnHour = Math.round(Date.now() / 1000) + 3600;
    await db.inTransaction(root, async (tx) => tx.write(tx.sql.updateTable("leases").set({ expires_at: inAnHour })));
    const next = newHolder();
    expect(await takeLease(db, "work", next)).toMatchObject({ holder: next, fence: 2 });
  });

  test("a holder that slept while its lease moved on has its batches refused", async () => {
    const db = await openForTest(await makeUrl());
    const paused = await takeLease(db, "work", newHolder());
    if (paused === undefined) throw new Error("a free lease was refused");
    await db.inTransaction(paused, async (tx) => tx.write(insertFact, { name: "while held", value: "" }));
    // Its time runs out, as it would for a process that was stopped for long.
    await db.inTransaction(root, async (tx) => tx.write(tx.sql.updateTable("leases").set({ expires_at: 0 })));
    const next = await takeLease(db, "work", newHolder());
    expect(next).toMatchObject({ fence: 2 });
    const late = db.inTransaction(paused, async (tx) => tx.write(insertFact, { name: "too late", value: "" }));
    await expect(late).rejects.toMatchObject({ code: "conflict" });
    const back = await takeLease(db, "work", paused.holder);
    if (engine === "postgres") expect(back).toBeUndefined();
    // Even the same holder's old number stays worthless once it has the lease again.
    await expect(db.inTransaction(paused, (tx) => tx.index())).rejects.toMatchObject({ code: "conflict" });
    expect(await listFacts(db)).toEqual({ "while held": "" });
  });

  test("a holder that lost its lease and has it again cannot go on with what it began before", async () => {
    const db = await openForTest(await makeUrl());
    await makeOrganization(db, "org");
    const holder = newHolder();
    const take = async (by: string) => {
      await db.inTransaction(root, async (tx) => tx.write(tx.sql.updateTable("leases").set({ expires_at: 0 })));
      const lease = await takeLease(db, "work", by);
      if (lease === undefined) throw new Error("a free lease was refused");
      return lease;
    };
    const [before, between, now] = [await take(holder), await take(newHolder()), await take(holder)];
    for (const lease of [before, between]) {
      const late = db.inTransaction(organization("org"), (tx) => checkLease(tx, lease));
      await expect(late).rejects.toMatchObject({ code: "conflict" });
      await expect(db.inTransaction(lease, (tx) => tx.index())).rejects.toMatchObject({ code: "conflict" });
    }
    await db.inTransaction(organization("org"), (tx) => checkLease(tx, now));
  });

  test("a lease says nothing to a transaction of its holder that writes nothing", async () => {
    const db = await openForTest(await makeUrl());
    const lease = await takeLease(db, "work", newHolder());
    if (lease === undefined) throw new Error("a free lease was refused");
    expect(await db.inTransaction(lease, (tx) => tx.index())).toBe(1);
    expect(await db.inTransaction(lease, (tx) => tx.index())).toBe(1);
  });
});
