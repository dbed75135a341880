import { expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { insertFact, listFacts, openForTest, root } from "../../../test/support/storage.ts";
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
});
