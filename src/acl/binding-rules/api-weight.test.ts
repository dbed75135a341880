import { beforeAll, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey } from "../../../test/support/key-server.ts";
import { makeMethod, makeRule } from "../../../test/support/login.ts";
import { useV1 } from "../../../test/support/v1.ts";

const key = createSigningKey("k1");
const TOO_MUCH = 'Auth method "many" has too many or too long binding rules. Delete rules or shorten selectors';
const LONG = `value.team == "${"x".repeat(4000)}"`;

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  beforeAll(() => makeMethod(v1, key, { Name: "many" }));

  async function weight(): Promise<number> {
    const { rules_weight: stored } = await v1.db.sql
      .selectFrom("auth_methods")
      .select("rules_weight")
      .executeTakeFirstOrThrow();
    return stored;
  }

  test("what the rules of a method weigh follows each of their writes", async () => {
    expect(await weight()).toBe(0);
    const first = await makeRule(v1, { AuthMethod: "many" });
    const one = await weight();
    const second = await makeRule(v1, { AuthMethod: "many", Selector: LONG });
    const both = await weight();
    expect(both).toBeGreaterThan(2 * one + LONG.length);
    await v1.patch(`/acl/binding-rule/${second}`, { Selector: "" });
    expect(await weight()).toBe(2 * one);
    await v1.patch(`/acl/binding-rule/${second}`, { Selector: LONG });
    expect(await weight()).toBe(both);
    await v1.patch("/acl/auth-method/many", { Description: "the same rules" });
    expect(await weight()).toBe(both);
    for (const id of [first, second]) await v1.delete(`/acl/binding-rule/${id}`);
    expect(await weight()).toBe(0);
  });

  test("rules that would fill the memory are refused, and lighter ones are not", async () => {
    const rule = await makeRule(v1, { AuthMethod: "many", Selector: LONG });
    await v1.write((sql) => sql.updateTable("auth_methods").set({ rules_weight: 32 * 1024 * 1024 - 1000 }));
    const body = { AuthMethod: "many", BindType: "service", BindName: "web" };
    expect(await v1.put("/acl/binding-rule", { ...body, Selector: LONG })).toMatchObject({
      status: 400,
      text: TOO_MUCH,
    });
    expect((await v1.put("/acl/binding-rule", body)).status).toBe(200);
    const longer = `${LONG} or ${LONG.slice(0, 3000)}"`;
    expect(await v1.patch(`/acl/binding-rule/${rule}`, { Selector: longer })).toMatchObject({
      status: 400,
      text: TOO_MUCH,
    });
    expect((await v1.patch(`/acl/binding-rule/${rule}`, { Selector: "" })).status).toBe(200);
  });
});
