import { expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { writePast } from "../../../test/support/proofs.ts";
import { openForTest } from "../../../test/support/storage.ts";
import type { Reader } from "../database.ts";
import { listedChanges } from "./0017-listed-changes.ts";
import { rememberMigrations, type AppliedTable } from "./applied.ts";

forEachEngine((_engine, makeUrl) => {
  test("that a migration is there is asked until it is, and then no more", async () => {
    const db = await openForTest(await makeUrl());
    let asked = 0;
    const reader: Reader = {
      ...db,
      run: (query, params) => {
        asked += 1;
        return db.run(query, params);
      },
    };
    const { name } = listedChanges;
    const change = (to: string, from: string) =>
      writePast(db, { kind: "root" }, async (tx) =>
        tx.write(
          tx.sql
            .$extendTables<AppliedTable>()
            .updateTable("schema_migrations")
            .set({ name: to })
            .where("name", "=", from),
        ),
      );
    await change("0017-other", name);
    const has = rememberMigrations();
    expect([await has(reader, listedChanges), await has(reader, listedChanges), asked]).toEqual([false, false, 2]);
    await change(name, "0017-other");
    expect([await has(reader, listedChanges), await has(reader, listedChanges), asked]).toEqual([true, true, 3]);
    expect([await has(reader, { name: "0000-none" }), asked]).toEqual([false, 4]);
    // Another database may lack it.
    expect([await rememberMigrations()(reader, listedChanges), asked]).toEqual([true, 5]);
  });
});
