import { expect, onTestFinished, test } from "vitest";
import { forEachEngine, temporaryDirectory } from "../../test/support/engines.ts";
import { insertFact, makeOrganization, openForTest, root } from "../../test/support/storage.ts";
import { counterName, type Counter } from "../storage/writes/counters.ts";
import type { Database } from "../storage/database.ts";
import { readGuarded } from "../storage/feed/content-states.ts";
import { counterChange } from "../storage/feed/feed.ts";
import { createWatches } from "./watches.ts";

/** Watches of a server, and a waiter for the next write under a counter. */
async function watch(db: Database, counter: Counter) {
  const watches = createWatches(db, readGuarded);
  onTestFinished(() => watches.close());
  const waiter = watches.add();
  const name = counterName(counter);
  const { at: state } = (await readGuarded(db, name)) ?? { at: "" };
  const watched = { ...counterChange(name), state };
  waiter.watch(watched);
  return { waiter, outcome: waiter.wait(), watches, watched };
}

const write = (db: Database, counter: Counter, name: string) =>
  db.inTransaction(counter, async (tx) => tx.write(insertFact, { name, value: "" }));

forEachEngine((engine, makeUrl) => {
  test("who waits for an organization is woken by a write in it, and by none in another", async () => {
    const db = await openForTest(await makeUrl());
    const [mine, other] = [await makeOrganization(db, "mine"), await makeOrganization(db, "other")];
    const { outcome, watches } = await watch(db, mine);
    await write(db, other, "one");
    const others = await watch(db, other);
    await write(db, other, "two");
    expect(await others.outcome).toBe("changed");
    expect(watches.count()).toBe(1);
    await write(db, mine, "three");
    expect(await outcome).toBe("changed");
  });

  test("a write under root wakes who waits for the organization that it changes, and for no other", async () => {
    const db = await openForTest(await makeUrl());
    const [mine, other] = [await makeOrganization(db, "mine"), await makeOrganization(db, "other")];
    const [ofMine, ofOther] = [await watch(db, mine), await watch(db, other)];
    const change = (name: string) =>
      db.inTransaction(root, async (tx) =>
        tx.write(tx.sql.updateTable("organizations").set({ email: "new@example.com" }).where("name", "=", name)),
      );
    await write(db, root, "nothing of either");
    const third = await watch(db, await makeOrganization(db, "third"));
    await change("third");
    expect(await third.outcome).toBe("changed");
    expect([ofMine, ofOther].map(({ watches }) => watches.count())).toEqual([1, 1]);
    await change("mine");
    expect(await ofMine.outcome).toBe("changed");
    expect(ofOther.watches.count()).toBe(1);
    await change("other");
    expect(await ofOther.outcome).toBe("changed");
  });

  test("a change that comes between a look and the wait for news is not missed", async () => {
    const db = await openForTest(await makeUrl());
    const mine = await makeOrganization(db, "mine");
    const { waiter: behind, outcome, watches, watched } = await watch(db, mine);
    const waiter = watches.add();
    waiter.watch(watched);
    behind.watch(watched);
    await write(db, mine, "one");
    // The one behind it has been told.
    expect(await outcome).toBe("changed");
    const late = waiter.wait();
    waiter.end("over");
    expect(await late).toBe("changed");
  });

  // On SQLite there is one server.
  if (engine === "sqlite") return;

  async function openTwo(): Promise<[here: Database, there: Database]> {
    const url = await makeUrl();
    const dataDir = temporaryDirectory();
    return [await openForTest(url, { dataDir }), await openForTest(url, { dataDir })];
  }

  test("a write that another server makes wakes who waits for it, of an organization and of root", async () => {
    const [here, there] = await openTwo();
    const organization = await makeOrganization(here, "mine");
    for (const counter of [organization, root]) {
      const { outcome } = await watch(here, counter);
      await write(there, counter, counterName(counter));
      expect(await outcome).toBe("changed");
    }
  });

  test("an organization that another server deletes wakes who waits for it", async () => {
    const [here, there] = await openTwo();
    const organization = await makeOrganization(here, "mine");
    const { outcome } = await watch(here, organization);
    const name = counterName(organization);
    await there.inTransaction(root, async (tx) => tx.write(tx.sql.deleteFrom("counters").where("name", "=", name)));
    expect(await outcome).toBe("changed");
  });
});
