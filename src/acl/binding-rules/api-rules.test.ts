import { beforeAll, describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey } from "../../../test/support/key-server.ts";
import { bearer, login, makeMethod, makeRule } from "../../../test/support/login.ts";
import { RESERVED, useV1 } from "../../../test/support/v1.ts";
import { isUuid } from "../../rights/uuid.ts";

const key = createSigningKey("k1");
const NEVER = "ID Description AuthMethod BindType BindName Namespace Partition CreateIndex ModifyIndex".split(" ");

/** Content that is sent besides the auth method, and the content that is shown when it differs. */
const WRITTEN: readonly [what: string, content: object, shown?: object][] = [
  ["a service", { BindType: "service", BindName: "web-${value.team}" }],
  ["a node", { BindType: "node", BindName: "n_1" }],
  ["a role", { BindType: "role", BindName: "Deployers_-1" }],
  ["a role of 256 letters", { BindType: "role", BindName: "a".repeat(256) }],
  ["a policy", { BindType: "policy", BindName: "team/${value.team}" }],
  ["a built-in policy, written out", { BindType: "policy", BindName: "global-management" }],
  [
    "a templated policy",
    { BindType: "templated-policy", BindName: "builtin/service", BindVars: { Name: "x-${value.team}" } },
  ],
  ["a templated policy that needs nothing", { BindType: "templated-policy", BindName: "builtin/dns" }],
  [
    "a templated policy that takes no variables, with some",
    { BindType: "templated-policy", BindName: "builtin/dns", BindVars: { Name: "ANY" } },
  ],
  ["a templated policy with empty variables", { BindType: "templated-policy", BindName: "builtin/dns", BindVars: {} }],
  ["an empty variable", { BindType: "templated-policy", BindName: "builtin/dns", BindVars: { Name: "" } }],
  ["a description and a selector", { Description: "ü\n${x} <", Selector: '"a" in list.groups and value.zz != `\n"`' }],
  ["a selector that is empty", { Selector: "" }],
  ["half a letter, which no text has", { Description: "a\ud800b" }, { Description: "a\ufffdb" }],
  [
    "members in any case",
    { DESCRIPTION: "d", selector: "value.team == A", bindtype: "service", BINDNAME: "api" },
    { Description: "d", Selector: "value.team == A", BindType: "service", BindName: "api" },
  ],
  [
    "variables in any case",
    { BindType: "templated-policy", BindName: "builtin/node", bindvars: { name: "n" } },
    { BindType: "templated-policy", BindName: "builtin/node", BindVars: { Name: "n" } },
  ],
  [
    "variables in upper case",
    { BindType: "templated-policy", BindName: "builtin/node", BINDVARS: { NAME: "n" } },
    { BindType: "templated-policy", BindName: "builtin/node", BindVars: { Name: "n" } },
  ],
  ["null for what may be absent", { Description: null, Selector: null, BindVars: null }, {}],
  ["indexes that were read", { CreateIndex: 1, ModifyIndex: 2 }, {}],
];

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  beforeAll(async () => makeMethod(v1, key, { Name: "Jwt" }));

  const put = async (path: string, content: object) => {
    const answer = await v1.put(`/acl/binding-rule${path}`, content);
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  };

  describe("a rule is read back as it was written", () => {
    test.each(WRITTEN)("%s: created, replaced and changed", async (_what, content, shown = content) => {
      const sent = { AuthMethod: "Jwt", BindType: "service", BindName: "web", ...content };
      const defaults = { AuthMethod: "Jwt", BindType: "service", BindName: "web", Description: "" };
      const expected = { ...defaults, ...shown, Namespace: "default", Partition: "default" } as Record<string, unknown>;
      if (expected["Selector"] === "") delete expected["Selector"];
      const created = await put("", sent);
      const { ID, CreateIndex, ModifyIndex, ...rest } = created;
      expect(rest).toEqual(expected);
      expect(isUuid(ID) && ID === ID.toLowerCase() && !ID.startsWith(RESERVED)).toBe(true);
      expect(CreateIndex).toBe(ModifyIndex);
      for (const path of [ID, ID.toUpperCase()]) {
        expect((await v1.get(`/acl/binding-rule/${path}`)).body).toEqual(created);
      }
      expect((await v1.get("/acl/binding-rules")).body).toContainEqual(created);
      for (const change of [v1.put, v1.patch]) {
        const other = await makeRule(v1, { AuthMethod: "Jwt", Selector: "value.x == y" });
        const before = (await v1.get(`/acl/binding-rule/${other}`)).body;
        const reset = change === v1.patch ? { Selector: null } : {};
        const { status, body } = await change(`/acl/binding-rule/${other}`, {
          ...reset,
          ...content,
          ...named(content),
        });
        expect(status).toBe(200);
        expect(body.ModifyIndex).toBeGreaterThan(before.ModifyIndex);
        const indexes = { CreateIndex: before.CreateIndex, ModifyIndex: body.ModifyIndex };
        expect(body).toEqual({ ID: other, ...expected, ...indexes });
        expect((await v1.get(`/acl/binding-rule/${other}`)).body).toEqual(body);
      }
    });
  });

  /** Type and name have to be there in a replacement. */
  function named(content: object): object {
    const has = new Set(Object.keys(content).map((name) => name.toLowerCase()));
    return {
      ...(has.has("bindtype") ? {} : { BindType: "service" }),
      ...(has.has("bindname") ? {} : { BindName: "web" }),
    };
  }

  test("selector and variables are left out where there are none, a description never is", async () => {
    const body = await put("", { AuthMethod: "Jwt", BindType: "service", BindName: "web" });
    expect(Object.keys(body)).toEqual(NEVER);
    expect(body.Description).toBe("");
    expect((await v1.get("/acl/binding-rules")).text).not.toMatch(/"(Selector|BindVars)":(""|null)/);
  });

  test("the method is found in any case, and shown in its own spelling, whatever a rule is written with", async () => {
    const content = { BindType: "service", BindName: "web" };
    const body = await put("", { AuthMethod: "JWT", ...content });
    const own = (await v1.get("/acl/auth-method/jwt")).body.Name as string;
    expect(body.AuthMethod).toBe(own);
    for (const AuthMethod of [own, "jWT", ""])
      expect((await put(`/${body.ID}`, { AuthMethod, ...content })).AuthMethod).toBe(own);
    // As an older version may have stored it.
    await v1.write((db) => db.updateTable("binding_rules").set({ auth_method: "JWT" }).where("id", "=", body.ID));
    expect((await put(`/${body.ID}`, { AuthMethod: "jwt", ...content })).AuthMethod).toBe(own);
  });

  test("two rules that say the same are two", async () => {
    const content = { AuthMethod: "Jwt", BindType: "service", BindName: "web" };
    const [one, two] = [await put("", content), await put("/", content)];
    expect(one.ID).not.toBe(two.ID);
    expect(two).toEqual({ ...one, ID: two.ID, CreateIndex: two.CreateIndex, ModifyIndex: two.ModifyIndex });
  });

  test("a replacement takes away what it does not name, but for the method, which is filled in", async () => {
    const full = { Description: "d", Selector: "value.a == b", BindVars: { Name: "x" } };
    const sent = { ...full, AuthMethod: "Jwt", BindType: "templated-policy", BindName: "builtin/service" };
    const created = await put("", sent);
    const replaced = await put(`/${created.ID}`, { BindType: "role", BindName: "r" });
    expect(replaced).toEqual({
      ID: created.ID,
      Description: "",
      AuthMethod: "Jwt",
      BindType: "role",
      BindName: "r",
      Namespace: "default",
      Partition: "default",
      CreateIndex: created.CreateIndex,
      ModifyIndex: replaced.ModifyIndex,
    });
    for (const content of [{ BindType: "role" }, { BindName: "r" }, {}]) {
      expect((await v1.put(`/acl/binding-rule/${created.ID}`, content)).status).toBe(400);
    }
  });

  test("a partial update changes what it names; null empties it", async () => {
    const vars = { BindType: "templated-policy", BindName: "builtin/service", BindVars: { Name: "api" } };
    const created = await put("", { AuthMethod: "Jwt", Description: "d", Selector: "value.a == b", ...vars });
    const path = `/acl/binding-rule/${created.ID}`;
    let current = created;
    const patch = async (change: object) => {
      const answer = await v1.patch(path, change);
      expect(answer.status, answer.text).toBe(200);
      expect((await v1.get(path)).body).toEqual(answer.body);
      const before = current;
      current = answer.body;
      return { before: { ...before, ModifyIndex: current.ModifyIndex }, after: current };
    };
    const nothing = await patch({});
    expect(nothing.after).toEqual(nothing.before);
    for (const change of [{ Description: "e" }, { Selector: "value.c == d" }, { BindVars: { Name: "web" } }]) {
      const { before, after } = await patch(change);
      expect(after).toEqual({ ...before, ...change });
    }
    expect((await patch({ bindvars: { name: "low" } })).after.BindVars).toEqual({ Name: "low" });
    expect((await patch({ BindVars: {} })).after.BindVars).toEqual({ Name: "low" });
    expect((await patch({ Selector: null, Description: null })).after).not.toHaveProperty("Selector");
    expect(current.Description).toBe("");
    // Members that belong together are checked together.
    expect((await v1.patch(path, { BindType: "service", BindName: "web" })).status).toBe(400);
    expect((await v1.patch(path, { BindVars: null })).status).toBe(400);
    expect((await v1.patch(path, { BindType: null })).text).toBe("Invalid Binding Rule: no BindType is set");
    expect((await v1.patch(path, { AuthMethod: null })).status).toBe(200);
    const { after } = await patch({ BindType: "service", BindName: "web", BindVars: null });
    expect(after).not.toHaveProperty("BindVars");
    expect(after.AuthMethod).toBe("Jwt");
  });

  test("incident 28: a change is checked as a creation is, against the method as it is now", async () => {
    await makeMethod(v1, key, { Name: "changing" });
    const id = await makeRule(v1, { AuthMethod: "changing", BindName: "web-${value.team}" });
    await makeMethod(v1, key, { Name: "changing", Config: { ClaimMappings: { org: "org" } } });
    const text = expect.stringContaining("1:7: unknown variable accessed: value.team");
    for (const answer of [
      await v1.patch(`/acl/binding-rule/${id}`, { Description: "d" }),
      await v1.put(`/acl/binding-rule/${id}`, { BindType: "service", BindName: "web-${value.team}" }),
    ]) {
      expect(answer).toMatchObject({ status: 400, text });
    }
    expect((await v1.patch(`/acl/binding-rule/${id}`, { BindName: "web-${value.org}" })).status).toBe(200);
  });

  test("a deleted rule gives nothing more, and what it gave stays", async () => {
    await makeMethod(v1, key, { Name: "fleeting" });
    const id = await makeRule(v1, { AuthMethod: "fleeting" });
    const { body } = await login(v1, "fleeting", bearer(key));
    expect((await v1.delete(`/acl/binding-rule/${id}`)).headers["content-type"]).toBe("application/json");
    expect((await v1.get("/acl/binding-rules?authmethod=fleeting")).body).toEqual([]);
    expect((await v1.get("/acl/token/self", body.SecretID)).body).toMatchObject({
      ServiceIdentities: [{ ServiceName: "web" }],
    });
    expect((await login(v1, "fleeting", bearer(key))).status).toBe(403);
  });

  test("who may write need not have any right on what is bound", async () => {
    await v1.policy(`operator = "write"`, "mighty");
    const writer = await v1.tokenWith(`acl = "write"`);
    const body = { AuthMethod: "Jwt", BindType: "policy", BindName: "mighty" };
    expect((await v1.put("/acl/binding-rule", body, writer)).status).toBe(200);
  });
});
