import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { insertFact, listFacts, openForTest, root } from "../../../test/support/storage.ts";
import { somebody } from "../../../test/support/callers.ts";
import { workFor } from "../../callers.ts";
import { pause } from "../../turns.ts";
import { workInPlaces } from "../../work-places.ts";
import { newHolder, takeLease } from "../feed/lease.ts";
import { byTheServer } from "./recorded.ts";

forEachEngine((_engine, makeUrl) => {
  test("what a server does by itself is on record, or says why not: else it fails, and nothing of it is there, under a lease too", async () => {
    const db = byTheServer(await openForTest(await makeUrl()));
    const lease = await takeLease(db, "work", newHolder());
    if (lease === undefined) throw new Error("nobody else has it");
    for (const counter of [root, lease]) {
      const name = `by-${counter.kind}`;
      const silent = db.inTransaction(counter, async (tx) => tx.write(insertFact, { name, value: "1" }));
      await expect(silent).rejects.toThrow(/the server, by [^ ]*, writes without an audit record/);
      expect(await listFacts(db)).not.toHaveProperty(name);
      await db.inTransaction(counter, async (tx) => {
        tx.unrecorded("a note of the test");
        tx.write(insertFact, { name, value: "1" });
      });
      expect(await listFacts(db)).toHaveProperty(name);
    }
    await db.inTransaction(root, async (tx) => {
      tx.write(insertFact, { name: "recorded", value: "1" });
      tx.record({ partition: "default", kind: "fact", objectId: "1", name: "recorded", action: "create" });
    });
    const [record] = await db.sql.selectFrom("audit_records").selectAll().where("kind", "=", "fact").execute();
    expect(record).toMatchObject({ accessor_id: "", request_id: "", detail: "{}" });
  });

  test("incident 68: work in a transaction needs no place in turns, and has none while it waits for its turn", async () => {
    const db = await openForTest(await makeUrl());
    const caller = somebody("writer");
    const places = () => [workInPlaces.running(), workInPlaces.waiting()];
    const goOn = async () => {
      for (let turn = 0; turn < 20; turn++) {
        for (const ends = performance.now() + 2; performance.now() < ends;);
        await pause();
      }
    };
    const seen = await workFor(caller, async () => {
      await goOn();
      const before = places();
      return db.inTransaction(root, async (tx) => {
        tx.unrecorded("a test of places");
        await setImmediate();
        const begun = places();
        await goOn();
        return [before, begun, places()];
      });
    });
    expect(seen).toEqual([
      [1, 0],
      [0, 0],
      [0, 0],
    ]);
    await workFor(caller, goOn);
    expect(places()).toEqual([1, 0]);
    await expect.poll(places).toEqual([0, 0]);
  });
});
