import { expect, test } from "vitest";
import { TABLES_OF_RIGHTS, takesRights } from "./takes-rights.ts";

test("the tables of rights are those that are known, so that a new one is thought about", () => {
  expect([...TABLES_OF_RIGHTS].sort()).toEqual([
    "auth_methods",
    "binding_rules",
    "console_sessions",
    "decision_mappings",
    "namespaces",
    "partitions",
    "policies",
    "roles",
    "token_secrets",
    "tokens",
  ]);
});

test.each(TABLES_OF_RIGHTS)("deleting and changing rows of %s takes rights, making them does not", (table) => {
  expect(takesRights(`delete from "${table}" where "id" = ?`)).toBe(true);
  expect(takesRights(`delete from ${table}`)).toBe(true);
  expect(takesRights(`update "${table}" set "description" = ?, "proof" = ? where "id" = ?`)).toBe(true);
  expect(takesRights(`insert into "${table}" ("id", "proof") values (?, ?)`)).toBe(false);
  expect(takesRights(`insert into "${table}" ("id") values (?) on conflict ("id") do update set "id" = ?`)).toBe(true);
});

test("what a server notes for itself takes no rights", () => {
  expect(
    takesRights('update "auth_methods" set "rules_index" = ?, "rules_weight" = ?, "proof" = ? where "id" = ?'),
  ).toBe(false);
  expect(takesRights('update "console_sessions" set "active_at" = ?, "proof" = ? where "id" = ?')).toBe(false);
});

test.each([
  'insert into "tokens_of_others" ("id") values (?)',
  'delete from "token_uses" where "accessor_id" = ?',
  "update counters set value = value + 1 where name = ? returning value",
  'insert into "meta" ("name") values (?) on conflict ("name") do update set "value" = ?',
  "",
])("nor does %s", (sql) => {
  expect(takesRights(sql)).toBe(false);
});
