import { expect, test } from "vitest";
import { writeChanges } from "../../../test/support/changes.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { makeOrganization, openForTest } from "../../../test/support/storage.ts";
import { startRemoval } from "../../storage/operator/removal.ts";
import { oldChanges, RETENTION_MS } from "./retention.ts";

const DAY_MS = RETENTION_MS / 7;

forEachEngine((_engine, makeUrl) => {
  test("what is older than seven days goes, of every organization, and how far that went is known", async () => {
    const db = await openForTest(await makeUrl());
    const now = Date.UTC(2026, 5, 20);
    const many = (count: number, name: string) => Array.from({ length: count }, (_, at) => ({ name: `${name}${at}` }));
    for (const id of ["one", "two", "young"]) await makeOrganization(db, id);
    await writeChanges(db, "one", many(700, "old"), now - 8 * DAY_MS);
    await writeChanges(db, "one", many(3, "kept"), now - 6 * DAY_MS);
    await writeChanges(db, "two", many(5, "old"), now - 9 * DAY_MS);
    // Records of a server whose clock is behind, and of one whose clock is ahead.
    await writeChanges(db, "two", many(1, "ahead"), now - RETENTION_MS + 10);
    await writeChanges(db, "two", many(1, "behind"), now - RETENTION_MS - 10);
    await writeChanges(db, "young", many(2, "kept"), now - DAY_MS);
    const left = async () => {
      const rows = await db.sql.selectFrom("changes").select(["organization_id", "name"]).orderBy("position").execute();
      return rows.map((row) => `${row.organization_id} ${row.name}`).toSorted();
    };
    const floors = () => db.sql.selectFrom("change_floors").selectAll().orderBy("organization_id").execute();
    const last = async (id: string) => {
      const rows = await db.sql.selectFrom("changes").select("position").where("organization_id", "=", id).execute();
      return Math.max(...rows.map(({ position }) => position));
    };
    const upTo = { one: (await last("one")) - 65_536 - 2 + 699, two: await last("two") };
    const errors: unknown[] = [];
    const removal = startRemoval(
      db,
      oldChanges(db, () => now),
      (error) => errors.push(error),
    );
    await expect.poll(left).toEqual(["one kept0", "one kept1", "one kept2", "young kept0", "young kept1"]);
    await removal.stop();
    expect(errors).toEqual([]);
    expect(await floors()).toEqual([
      { organization_id: "one", position: upTo.one },
      { organization_id: "two", position: upTo.two },
    ]);
  });
});
