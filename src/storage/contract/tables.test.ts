import { sql } from "kysely";
import { expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { columnsOf, TABLES } from "../tables/tables.ts";
import { openForTest } from "../../../test/support/storage.ts";

/** Tables that only one engine has: its search index, its lock of migrations. */
const OWN_TABLES = { sqlite: /^(?:tags_search|log_mark$)/, postgres: /^schema_lock$/ };

forEachEngine((engine, makeUrl) => {
  test("every table has the columns that it is declared with, and no other", async () => {
    const db = await openForTest(await makeUrl());
    const found = await Promise.all(
      Object.keys(TABLES).map(async (table) => {
        const columns =
          engine === "sqlite"
            ? sql<{ name: string }>`select name from pragma_table_info(${table})`
            : sql<{ name: string }>`select column_name as name from information_schema.columns
                where table_schema = current_schema() and table_name = ${table}`;
        return [
          table,
          (await columns.execute(db.sql)).rows
            .map(({ name }) => name)
            .filter((name) => engine !== "sqlite" || table !== "tags" || name !== "seq")
            .toSorted(),
        ];
      }),
    );
    const declared = Object.keys(TABLES).map((table) => [table, [...(columnsOf(table) ?? [])].toSorted()]);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(declared));
  });

  test("every table of the database is declared", async () => {
    const db = await openForTest(await makeUrl());
    const tables =
      engine === "sqlite"
        ? sql<{ name: string }>`select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'`
        : sql<{ name: string }>`select table_name as name from information_schema.tables
            where table_schema = current_schema()`;
    const names = (await tables.execute(db.sql)).rows
      .map(({ name }) => name)
      .filter((name) => !OWN_TABLES[engine].test(name));
    expect(names.toSorted()).toEqual([...Object.keys(TABLES), "schema_migrations"].toSorted());
  });
});
