/** Tests the token of a login, and its permissions. */
import { beforeAll, describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey } from "../../../test/support/key-server.ts";
import { bearer, login, makeMethod, makeRule, UNLIMITED_LOGINS } from "../../../test/support/login.ts";
import { useV1 } from "../../../test/support/v1.ts";

const key = createSigningKey("k1");
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** ID of the templated policy `builtin/service`. */
const SERVICE_TEMPLATE = expect.stringMatching(UUID) as string;

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl, { config: UNLIMITED_LOGINS });

  describe("a token", () => {
    let role = "";
    let policy = "";
    beforeAll(async () => {
      role = await v1.role({ Name: "Deployers" });
      policy = await v1.policy('service_prefix "" { policy = "read" }', "Readers");
      await makeMethod(v1, key, { Name: "All-Kinds", DisplayName: "x", Description: "y" });
      const rules = [
        { BindType: "service", BindName: "${value.team}-web" },
        { BindType: "node", BindName: "${value.team}-node" },
        { BindType: "role", BindName: "deployers" },
        { BindType: "policy", BindName: "${value.name}" },
        { BindType: "templated-policy", BindName: "builtin/service", BindVars: { Name: "${value.team}" } },
        { BindType: "templated-policy", BindName: "builtin/dns" },
        { BindType: "role", BindName: "no-such-role" },
        { BindType: "policy", BindName: "no-such-policy" },
        { BindType: "service", BindName: "other", Selector: 'value.team == "b"' },
      ];
      for (const rule of rules) await makeRule(v1, { AuthMethod: "All-Kinds", ...rule });
    });

    test("has what the rules of all five types give, and nothing else", async () => {
      const { status, body, headers, text } = await login(
        v1,
        "all-kinds",
        bearer(key, { team: "ALPHA", name: "READERS" }),
      );
      expect(status, text).toBe(200);
      expect(headers["content-type"]).toBe("application/json");
      expect(body).toEqual({
        AccessorID: expect.stringMatching(UUID),
        SecretID: expect.stringMatching(UUID),
        Description: "token created via login",
        Policies: [{ ID: policy, Name: "Readers" }],
        Roles: [{ ID: role, Name: "Deployers" }],
        ServiceIdentities: [{ ServiceName: "alpha-web" }],
        NodeIdentities: [{ NodeName: "alpha-node", Datacenter: "dc1" }],
        TemplatedPolicies: expect.arrayContaining([
          { TemplateID: SERVICE_TEMPLATE, TemplateName: "builtin/service", TemplateVariables: { name: "alpha" } },
          expect.objectContaining({ TemplateName: "builtin/dns" }),
        ]),
        Local: true,
        AuthMethod: "All-Kinds",
        AuthMethodNamespace: "default",
        CreateTime: expect.any(String),
        Hash: expect.any(String),
        Namespace: "default",
        Partition: "default",
        CreateIndex: body.ModifyIndex,
        ModifyIndex: expect.any(Number),
      });
      expect(body.TemplatedPolicies).toHaveLength(2);
      expect((await v1.get(`/acl/token/${body.AccessorID}`)).body).toEqual(body);
      const listed = (await v1.get("/acl/tokens?authmethod=all-kinds")).body;
      expect(listed).toMatchObject([{ AccessorID: body.AccessorID, AuthMethod: "All-Kinds", Local: true }]);
      // The grants of the token take effect.
      const self = await v1.get("/acl/token/self", body.SecretID);
      expect(self.body).toEqual(body);
    });

    test("is a new one at each login", async () => {
      const token = bearer(key, { team: "a", name: "readers" });
      const [one, other] = [await login(v1, "all-kinds", token), await login(v1, "all-kinds", token)];
      expect(other.body.AccessorID).not.toBe(one.body.AccessorID);
      expect(other.body.SecretID).not.toBe(one.body.SecretID);
      for (const { body } of [one, other]) expect((await v1.get("/acl/token/self", body.SecretID)).status).toBe(200);
    });

    test("has later changes of its roles, and none of the rules", async () => {
      await makeMethod(v1, key, { Name: "later" });
      const name = v1.unique("linked");
      const linked = await v1.role({ Name: name });
      const rule = await makeRule(v1, { AuthMethod: "later", BindType: "role", BindName: name });
      const { body } = await login(v1, "later", bearer(key));
      expect((await v1.get("/acl/policies", body.SecretID)).status).toBe(403);
      const rights = await v1.policy('acl = "read"');
      expect((await v1.put(`/acl/role/${linked}`, { Name: name, Policies: [{ ID: rights }] })).status).toBe(200);
      expect((await v1.get("/acl/policies", body.SecretID)).status).toBe(200);
      expect((await v1.delete(`/acl/binding-rule/${rule}`)).text).toBe("true");
      expect((await v1.get("/acl/policies", body.SecretID)).status).toBe(200);
      expect((await login(v1, "later", bearer(key))).status).toBe(403);
    });
  });

  test("what several rules give alike is there once", async () => {
    await v1.role({ Name: "one-role" });
    const rules = [
      { BindName: "${value.team}" },
      { BindName: "web" },
      { BindName: "w${value.name}" },
      { BindType: "node", BindName: "web" },
      { BindType: "node", BindName: "${value.team}" },
      { BindType: "role", BindName: "ONE-role" },
      { BindType: "role", BindName: "one-${value.kind}" },
      { BindType: "templated-policy", BindName: "builtin/node", BindVars: { Name: "web" } },
      { BindType: "templated-policy", BindName: "builtin/node", BindVars: { Name: "${value.team}" } },
    ];
    await makeMethod(v1, key, {
      Name: "twice",
      Config: { ClaimMappings: { team: "team", name: "name", kind: "kind" } },
    });
    for (const rule of [...rules, ...rules]) await makeRule(v1, { AuthMethod: "twice", ...rule });
    const { body, text } = await login(v1, "twice", bearer(key, { team: "web", name: "eb", kind: "role" }));
    expect(body?.ServiceIdentities, text).toEqual([{ ServiceName: "web" }]);
    expect(body.NodeIdentities).toHaveLength(1);
    expect(body.Roles).toHaveLength(1);
    expect(body.TemplatedPolicies).toHaveLength(1);
  });

  test("150 rules that give the same are no more than one", async () => {
    await makeMethod(v1, key, { Name: "many" });
    for (let i = 0; i < 150; i++) await makeRule(v1, { AuthMethod: "many", BindName: "w${value.team}" });
    const answer = await login(v1, "many", bearer(key, { team: "eb" }));
    expect(answer.body?.ServiceIdentities, answer.text).toEqual([{ ServiceName: "web" }]);
  });

  test("more than a token may have is refused in the words of a token, and nothing is made", async () => {
    await makeMethod(v1, key, { Name: "too-many" });
    const rules: string[] = [];
    for (let i = 0; i < 129; i++) rules.push(await makeRule(v1, { AuthMethod: "too-many", BindName: `s${i}` }));
    const named = rules.toSorted().slice(0, 5).join(", ");
    const text = `ServiceIdentities has 129 entries; at most 128 are allowed; granted by binding rules ${named} and 124 more`;
    expect(await login(v1, "too-many", bearer(key))).toMatchObject({ status: 400, text });
    expect((await v1.get("/acl/tokens?authmethod=too-many")).body).toEqual([]);
  });

  test("incident 84: a check, and a write, warn where a method may give more to one identity than a token may have", async () => {
    await makeMethod(v1, key, { Name: "may" });
    const rule = (i: number, Selector = "") => ({
      AuthMethod: "may",
      BindType: "service",
      BindName: `s${i}`,
      Selector,
    });
    // One identity matches one of them.
    for (let i = 0; i < 128; i++) await makeRule(v1, rule(i, `value.team == "t${i}"`));
    const warned = async (body: object) => (await v1.post("/acl/binding-rule/check", body)).body.Warnings;
    expect(await warned(rule(128))).toEqual([]);
    for (let i = 0; i < 127; i++) await makeRule(v1, rule(i));
    expect((await login(v1, "may", bearer(key))).status).toBe(200);
    const warning = { Code: "too-much-given", Message: expect.stringContaining("129 of type service") };
    expect(await warned(rule(128))).toMatchObject([warning]);
    const { headers } = await v1.put("/acl/binding-rule", rule(128));
    expect(JSON.parse(String(headers["x-service-warnings"]))).toMatchObject([warning]);
  });

  test("incident 84: a write warns of that also where the rules were not compiled yet", async () => {
    await makeMethod(v1, key, { Name: "uncompiled" });
    const write = (n: number) =>
      v1.put("/acl/binding-rule", { AuthMethod: "uncompiled", BindType: "service", BindName: `s${n}` });
    for (let n = 0; n < 127; n++) await write(n);
    expect((await write(127)).headers["x-service-warnings"]).toBeUndefined();
    const { headers } = await write(128);
    expect(JSON.parse(String(headers["x-service-warnings"]))).toMatchObject([{ Code: "too-much-given" }]);
  });

  describe("what the client says of the login is in the description", () => {
    test.each<[what: string, meta: string, text: string]>([
      ["nothing", "{}", ""],
      ["null", "null", ""],
      ["keys in order", '{"b": "2", "a": "1", "B": "3"}', ': {"B":"3","a":"1","b":"2"}'],
      ["numbers as keys", '{"b": "1", "10": "2", "9": "3"}', ': {"10":"2","9":"3","b":"1"}'],
      ["the last of a key that is there twice", '{"a": "1", "a": "2"}', ': {"a":"2"}'],
      ["signs of HTML, and separators", '{"<": "&>\u2028\u2029"}', String.raw`: {"\u003c":"\u0026\u003e\u2028\u2029"}`],
      [
        "quotes, backslashes and control characters",
        String.raw`{"a": "\"\\\n\t\u0001\u007f/"}`,
        `: {"a":"\\"\\\\\\n\\t\\u0001\u007f/"}`,
      ],
      ["names of JavaScript", '{"__proto__": "1", "constructor": "2"}', ': {"__proto__":"1","constructor":"2"}'],
      ["the order of UTF-8", '{"\u{ff5e}": "1", "\u{1f600}": "2"}', ': {"\u{ff5e}":"1","\u{1f600}":"2"}'],
      ["an empty value, and null", '{"a": "", "b": null}', ': {"a":"","b":""}'],
    ])("%s", async (_what, meta, text) => {
      const body = `{"AuthMethod": "all-kinds", "BearerToken": "${bearer(key, { team: "a", name: "b" })}", "Meta": ${meta}}`;
      const answer = await v1.post("/acl/login", body, "");
      expect(answer.body?.Description, answer.text).toBe(`token created via login${text}`);
    });

    test("NUL is refused", async () => {
      const answer = await login(v1, "all-kinds", bearer(key, { team: "a", name: "b" }), { Meta: { a: "\0" } });
      expect(answer.status).toBe(400);
    });
  });

  describe("where it counts", () => {
    test.each([
      ["", true],
      ["local", true],
      ["global", false],
    ])("a method of locality %j makes a token that is local: %s", async (TokenLocality, Local) => {
      const name = v1.unique("locality");
      await makeMethod(v1, key, { Name: name, TokenLocality });
      await makeRule(v1, { AuthMethod: name });
      const { body } = await login(v1, name, bearer(key));
      expect(body.Local).toBe(Local);
      expect((await v1.get(`/acl/token/${body.AccessorID}`)).body.Local).toBe(Local);
    });
  });

  describe("a login token", () => {
    async function made() {
      await makeMethod(v1, key, { Name: "Changing", MaxTokenTTL: "1h" });
      await makeRule(v1, { AuthMethod: "Changing" });
      const { body } = await login(v1, "changing", bearer(key));
      return { body, path: `/acl/token/${body.AccessorID}` };
    }

    test("may be described and linked otherwise", async () => {
      const { body, path } = await made();
      const role = await v1.role();
      const changed = await v1.put(path, {
        ...body,
        Description: "mine",
        Roles: [{ ID: role }],
        ServiceIdentities: [],
      });
      expect(changed.status, changed.text).toBe(200);
      const { ServiceIdentities: _gone, ...rest } = body;
      expect(changed.body).toMatchObject({
        ...rest,
        Description: "mine",
        Roles: [{ ID: role }],
        Hash: expect.any(String),
        ModifyIndex: expect.any(Number),
      });
      expect(changed.body).not.toHaveProperty("ServiceIdentities");
      const patch = await v1.patch(path, { Description: "" });
      expect(patch.body).toMatchObject({
        AuthMethod: "Changing",
        ExpirationTime: body.ExpirationTime,
        Description: "",
      });
    });

    test("keeps its method, locality, end and secret", async () => {
      const { body, path } = await made();
      const { AccessorID } = body;
      const cases: [content: object, text: string][] = [
        [{ ...body, AuthMethod: "other" }, `Cannot change AuthMethod of ${AccessorID}`],
        [{ ...body, Local: false }, `Cannot toggle local mode of ${AccessorID}`],
        [{ ...body, ExpirationTime: "2099-01-01T00:00:00Z" }, `Cannot change expiration time of ${AccessorID}`],
        [{ ...body, ExpirationTTL: "2h" }, `Cannot change expiration time of ${AccessorID}`],
        [{ ...body, SecretID: AccessorID }, "Changing a token's SecretID is not permitted"],
      ];
      for (const [content, text] of cases) expect(await v1.put(path, content)).toMatchObject({ status: 400, text });
      expect((await v1.get(path)).body).toEqual(body);
    });

    test("cannot be copied, and none can be made by hand", async () => {
      const { path } = await made();
      const clone = await v1.put(`${path}/clone`, {});
      expect(clone).toMatchObject({ status: 400, text: "Cannot clone a token created from an auth method" });
      const forged = await v1.put("/acl/token", { AuthMethod: "Changing" });
      expect(forged).toMatchObject({ status: 400, text: "AuthMethod field is disallowed outside of login" });
    });

    test("can be deleted by its accessor", async () => {
      const { body, path } = await made();
      expect((await v1.delete(path)).text).toBe("true");
      expect((await v1.get("/acl/token/self", body.SecretID)).status).toBe(403);
    });
  });
});
