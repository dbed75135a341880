import { expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { useV1 } from "../../../test/support/v1.ts";
import { recountObjects } from "./recount.ts";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  test("numbers that differ from the rows are named and corrected, and all others stay", async () => {
    const namespace = v1.unique("team");
    expect((await v1.put("/namespace", { Name: namespace })).status).toBe(200);
    expect((await v1.put(`/acl/policy?ns=${namespace}`, { Name: "kept" })).status).toBe(200);
    const numbers = async () => v1.db.sql.selectFrom("object_counts").selectAll().orderBy("name").execute();
    const before = await numbers();
    // By hand, as no program does: rows without a number, and numbers without rows.
    const [lost, made] = [`default/${namespace}/policies`, `default/${namespace}/roles`];
    await v1.write((sql) => sql.deleteFrom("object_counts").where("name", "=", lost));
    await v1.write((sql) => sql.insertInto("object_counts").values({ name: made, value: 7 }));
    const wrong: unknown[] = [];
    const { jobs, lease } = recountObjects(v1.db, (each) => wrong.push(each));
    expect(lease).toBe("object-counts");
    for (const job of await jobs()) await job.remove({ kind: "lease", name: lease, holder: "", fence: 0 }, 1);
    expect(wrong).toEqual([
      { name: lost, kept: 0, counted: 2 },
      { name: made, kept: 7, counted: 0 },
    ]);
    expect(await numbers()).toEqual(before);
    expect(await jobs()).toEqual([]);
  });
});
