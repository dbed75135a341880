import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { TABLES } from "../tables/tables.ts";
import { nameOf, SEALED_COLUMNS } from "./sealed-columns.ts";

const source = join(import.meta.dirname, "../..");

test("every column that is called sealed is known here, so that it is verified and sealed anew", () => {
  const declared = Object.entries(TABLES).flatMap(([table, columns]) =>
    Object.keys(columns)
      .filter((column) => column.endsWith("_sealed"))
      .map((column) => `${table}.${column}`),
  );
  expect(declared.sort()).toEqual(SEALED_COLUMNS.map(nameOf).sort());
});

test("nothing else seals: whoever stores what it has sealed calls the column so, and is listed here", () => {
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !file.endsWith(".test.ts"),
  );
  const sealing = files.filter((file) => /keyring\.seal\(|\bseal: /.test(readFileSync(join(source, file), "utf8")));
  expect(sealing.sort()).toEqual([
    "acl/auth-methods/config.ts",
    // The client that logs in receives the sealed value, which is valid for some minutes.
    "acl/login/oidc-state.ts",
    "acl/tokens/secrets.ts",
    "storage/keys/resealing.ts",
    // A proof in a message, which is no value of the database.
    "storage/postgres/feed-message.ts",
    "tags/changes/hooks/service.ts",
  ]);
});

test("a value is bound to its table and its row, and no two columns bind to the same", () => {
  const places = SEALED_COLUMNS.map(({ table, place }) => ({ table, place: place("row") }));
  expect(new Set(places.map(({ place }) => place)).size).toBe(places.length);
  for (const { table, place } of places) expect(place).toMatch(new RegExp(`^${table}/[a-z_]+/row$`));
});
