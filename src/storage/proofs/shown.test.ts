import { expect, test } from "vitest";
import { TABLES } from "../tables/tables.ts";

test("every sealed column of what lies in organizations is a secret, so that a change of nothing else is on record", () => {
  const sealed = Object.entries(TABLES).flatMap(([table, columns]: [string, Readonly<Record<string, object>>]) =>
    "organization_id" in columns
      ? Object.entries(columns)
          .filter(([column]) => column.endsWith("_sealed"))
          .map(([column, declared]) => [`${table}.${column}`, "secret" in declared])
      : [],
  );
  expect(sealed).toEqual([["tag_webhooks.token_sealed", true]]);
});
