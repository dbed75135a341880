/** How SQLite finds the rows of statements that name keys: it has no statistics, and can take a whole namespace for the better start. */
import { DatabaseSync } from "node:sqlite";
import { beforeAll, expect, test, vi } from "vitest";
import { makeDatabaseUrl } from "../../../test/support/engines.ts";
import { useV1 } from "../../../test/support/v1.ts";

const prepared = new Set<string>();

beforeAll(() => {
  const { prepare } = DatabaseSync.prototype;
  const spy = vi.spyOn(DatabaseSync.prototype, "prepare").mockImplementation(function (
    this: DatabaseSync,
    text,
    ...rest
  ) {
    prepared.add(text);
    return prepare.call(this, text, ...rest);
  });
  return () => spy.mockRestore();
});

const url = await makeDatabaseUrl("sqlite");
const v1 = useV1(() => Promise.resolve(url));

/** Finds rows by where they are alone. */
const BY_PLACE = /^SEARCH \w+ USING (COVERING )?INDEX \w+ \((partition=\? AND namespace=\?|organization_id=\?)\)$/;

function plansOf(database: DatabaseSync, text: string): string[] {
  const rows = database.prepare(`explain query plan ${text}`).all() as { detail: string }[];
  return rows.map(({ detail }) => detail);
}

test("rows that are named by keys are found by the keys", async () => {
  await v1.put("/acl/policy", { Name: "reader", Rules: 'key "" { policy = "read" }' });
  await v1.put("/acl/role", { Name: "readers", Policies: [{ Name: "reader" }] });
  const { secret } = await v1.token({ Policies: [{ Name: "reader" }], Roles: [{ Name: "readers" }] });
  expect((await v1.get("/acl/token/self?expanded", secret)).status).toBe(200);
  const named = [...prepared].filter((text) => /"?(?:\w*id)"? in \(select value from json_each/.test(text));
  expect(named.some((text) => text.includes("octet_length(rules)"))).toBe(true);
  const database = new DatabaseSync(url.slice("sqlite:".length), { readOnly: true });
  const walked = named.filter((text) => plansOf(database, text).some((step) => BY_PLACE.test(step)));
  database.close();
  expect(walked).toEqual([]);
});
