/** How the names of a file that is received are looked up: what is there already must not make what comes slower. */
import { sql } from "kysely";
import { expect, it } from "vitest";
import { useApi } from "../../../../test/support/api.ts";
import { forEachEngine } from "../../../../test/support/engines.ts";
import { findOrganization } from "../../../organizations/store.ts";
import { byNames, findNamed, insertRecords } from "./store.ts";

const RECORDS = 5000;

forEachEngine((engine, makeUrl) => {
  const api = useApi(makeUrl);

  it("by the index of names, not through the whole file", async () => {
    const { db } = api;
    const { id = "" } = (await findOrganization(db, await api.organization())) ?? {};
    for (let at = 0; at < RECORDS; at += 500) {
      const records = Array.from({ length: 500 }, (_, index) => {
        const ordinal = at + index + 1;
        const record = { kind: "tag" as const, name: `t${ordinal}`, pinned: true };
        return { ordinal, name: `tag/t${ordinal}`, line: ordinal, record };
      });
      await db.inTransaction({ kind: "organization", id }, (tx) => {
        insertRecords(tx, "ti-plan", records);
        return Promise.resolve();
      });
    }
    if (engine === "postgres") await sql`analyze tag_import_records`.execute(db.sql);
    const names = ["tag/t5000", "tag/none", "tag/t1"];
    const found = await findNamed(db, "ti-plan", names);
    expect(found).toEqual(
      new Map([
        ["tag/t1", 1],
        ["tag/t5000", 5000],
      ]),
    );
    const query = byNames.build(db.sql, { id: "ti-plan", names }, engine) as ReturnType<typeof db.sql.selectFrom>;
    const plan = await (engine === "sqlite" ? query.explain(undefined, sql`query plan`) : query.explain());
    const text = JSON.stringify(plan);
    expect(text).toContain("tag_import_records_by_name");
    expect(text).not.toMatch(/SEARCH named USING PRIMARY KEY|Seq Scan on tag_import_records/);
  });
});
