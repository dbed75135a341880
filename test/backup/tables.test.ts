import { sql } from "kysely";
import { expect, test } from "vitest";
import { BACKED_UP, LEFT_OUT } from "../../src/backup/tables.ts";
import { columnsOf } from "../../src/storage/tables/tables.ts";
import { forEachEngine } from "../support/engines.ts";
import { openForTest } from "../support/storage.ts";

/** Made by SQLite for its index of trigrams; the name of that one stands for them. */
const PARTS = /^tags_search_/;

forEachEngine((engine, makeUrl) => {
  test("every table of the database is in a backup with all its columns, or is left out for a reason", async () => {
    const db = await openForTest(await makeUrl());
    const tables =
      engine === "sqlite"
        ? sql<{ name: string }>`select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'`
        : sql<{
            name: string;
          }>`select table_name as name from information_schema.tables where table_schema = current_schema()`;
    const names = (await tables.execute(db.sql)).rows.map(({ name }) => name).filter((name) => !PARTS.test(name));
    const copied = BACKED_UP.map(({ name }) => name as string);
    expect(names.filter((name) => !copied.includes(name) && !(name in LEFT_OUT))).toEqual([]);
    expect(copied.filter((name) => name in LEFT_OUT || !names.includes(name))).toEqual([]);
    expect(Object.values(LEFT_OUT).filter((reason) => reason.length < 30)).toEqual([]);
    for (const { name, columns } of BACKED_UP) expect(columns).toEqual(columnsOf(name));
  });

  test("the rows of a table come in the order of its primary key", async () => {
    const db = await openForTest(await makeUrl());
    for (const { name, key } of BACKED_UP) {
      const columns =
        engine === "sqlite"
          ? sql<{ name: string }>`select name from pragma_table_info(${name}) where pk > 0 order by pk`
          : sql<{
              name: string;
            }>`select a.attname as name from pg_index i, unnest(i.indkey) with ordinality k (number, place), pg_attribute a
              where i.indrelid = ${name}::regclass and i.indisprimary and a.attrelid = i.indrelid and a.attnum = k.number order by k.place`;
      const found = (await columns.execute(db.sql)).rows.map((row) => row.name);
      // On SQLite the primary key of tags is the number that its index of trigrams refers to.
      expect([name, engine === "sqlite" && name === "tags" ? ["id"] : found]).toEqual([name, key]);
    }
  });
});
