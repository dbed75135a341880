import { expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { loginIn, makeIn, makeMethodIn, makeNamespace, secretIn } from "../../../test/support/scopes.ts";
import { useV1 } from "../../../test/support/v1.ts";

interface OfKind {
  Count: number;
  First: {
    ID: string;
    Name?: string;
    Namespace: string;
    Tokens?: { Count: number };
    Links?: { Kind: string; ID?: string; Name: string }[];
  }[];
}

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const uses = async (query: string, token?: string) => {
    const { status, body, text } = await v1.get(`/acl/uses?${query}`, token);
    expect(status, text).toBe(200);
    return body as Record<string, OfKind> & { Content?: Record<string, number>; Hidden?: boolean };
  };
  const ids = (kind: OfKind | undefined) => kind?.First.map(({ ID }) => ID);

  test("tells of a policy the tokens, roles, binding rules and namespaces that use it, and only those", async () => {
    await makeMethodIn(v1, {});
    const [name, other] = [v1.unique("Used"), v1.unique("other")];
    const policy = await v1.policy("", name);
    const unused = await v1.policy("", other);
    const role = await v1.role({ Name: "user-of-it", Policies: [{ ID: policy }] });
    const token = await v1.token({ Description: "mine", Policies: [{ ID: policy }] });
    const rule = await makeIn(v1, {}, "binding-rule", { BindType: "policy", BindName: name });
    await makeIn(v1, {}, "binding-rule", { BindType: "role", BindName: name });
    await makeNamespace(v1, { namespace: "given" }, { ACLs: { PolicyDefaults: [{ ID: policy }] } });

    const found = await uses(`policy=${policy.toUpperCase()}`);
    expect(ids(found["Roles"])).toEqual([role]);
    expect(found["Tokens"]).toEqual({
      Count: 1,
      First: [{ ID: token.accessor, Name: "mine", Namespace: "default", Partition: "default" }],
    });
    expect(ids(found["BindingRules"])).toEqual([rule.ID]);
    expect(ids(found["Namespaces"])).toEqual(["given"]);
    expect(found).not.toHaveProperty("Hidden");
    const none = { Count: 0, First: [] };
    expect(await uses(`policy=${unused}`)).toEqual({
      Tokens: none,
      Roles: none,
      BindingRules: none,
      Namespaces: none,
      ThroughRoles: { Count: 0 },
    });
    expect(ids((await uses(`role=${role}`))["Tokens"])).toEqual([]);
  });

  test("tells how many active tokens have a policy by each of its roles, and by all of them, each once", async () => {
    const policy = await v1.policy("");
    const other = await v1.role({ Name: v1.unique("of-another"), Policies: [{ ID: await v1.policy("") }] });
    const [one, two, three] = await Promise.all(
      [1, 2, 3].map(async () => v1.role({ Name: v1.unique("giving"), Policies: [{ ID: policy }] })),
    );
    await v1.token({ Roles: [{ ID: one }] });
    await v1.token({ Roles: [{ ID: one }, { ID: two }, { ID: other }], Policies: [{ ID: policy }] });
    await v1.token({ Roles: [{ ID: other }] });
    const ending = await v1.token({ Roles: [{ ID: two }] });
    await v1.delete(`/acl/token/${ending.accessor}`);
    const found = await uses(`policy=${policy}`);
    expect(found["ThroughRoles"]).toEqual({ Count: 2 });
    expect(new Map(found["Roles"]?.First.map(({ ID, Tokens }) => [ID, Tokens]))).toEqual(
      new Map([
        [one, { Count: 2 }],
        [two, { Count: 1 }],
        [three, { Count: 0 }],
      ]),
    );
    expect(found["Tokens"]?.Count).toBe(1);
  });

  test("counts no tokens of another namespace by roles", async () => {
    const namespace = v1.unique("elsewhere");
    await makeNamespace(v1, { namespace });
    const policy = await makeIn(v1, { namespace }, "policy", { Name: "here", Rules: "" });
    const role = await makeIn(v1, { namespace }, "role", { Name: "here", Policies: [{ ID: policy.ID }] });
    await makeIn(v1, { namespace }, "token", { Roles: [{ ID: role.ID }] });
    // A link to an object of another namespace counts for nothing.
    expect((await uses(`policy=${policy.ID}&ns=${namespace}`))["ThroughRoles"]).toEqual({ Count: 1 });
  });

  test("tells of an auth method the roles and policies that its binding rules grant, unless it selects namespaces", async () => {
    await makeMethodIn(v1, {}, { Name: "granting" });
    const policy = await v1.policy("", v1.unique("granted"));
    const role = await v1.role({ Name: v1.unique("Granted"), Policies: [{ ID: policy }] });
    const { Name: roleName } = (await v1.get(`/acl/role/${role}`)).body as { Name: string };
    const { Name: policyName } = (await v1.get(`/acl/policy/${policy}`)).body as { Name: string };
    const rule = async (BindType: string, BindName: string) =>
      (await makeIn(v1, {}, "binding-rule", { AuthMethod: "granting", BindType, BindName })).ID;
    const rules = {
      [await rule("role", roleName.toLowerCase())]: { Kind: "role", ID: role, Name: roleName },
      [await rule("policy", policyName)]: { Kind: "policy", ID: policy, Name: policyName },
      [await rule("role", "missing")]: { Kind: "role", Name: "missing" },
      [await rule("service", "web")]: { Kind: "service", Name: "web" },
    };
    const found = await uses("auth-method=granting");
    expect(Object.fromEntries((found["BindingRules"]?.First ?? []).map(({ ID, Links }) => [ID, Links?.[0]]))).toEqual(
      rules,
    );
    expect(found["Roles"]?.First.map(({ ID, Links }) => [ID, Links])).toEqual([
      [role, [{ Kind: "policy", ID: policy, Name: policyName }]],
    ]);
    const NamespaceRules = [{ Selector: "", BindNamespace: "elsewhere" }];
    await makeMethodIn(v1, {}, { Name: "spread", NamespaceRules });
    await makeIn(v1, {}, "binding-rule", { AuthMethod: "spread", BindType: "role", BindName: roleName });
    const spread = await uses("auth-method=spread");
    expect(spread["Roles"]).toEqual({ Count: 0, First: [] });
    expect(spread["BindingRules"]?.First[0]?.Links).toEqual([{ Kind: "role", Name: roleName }]);
  });

  test("tells of namespaces that the caller may not see that there are some, and no more", async () => {
    const policy = await v1.policy("");
    const reader = await v1.tokenWith(`acl = "read"`);
    expect(await uses(`policy=${policy}`, reader)).not.toHaveProperty("Hidden");
    await makeNamespace(v1, { namespace: "unseen-1" }, { ACLs: { PolicyDefaults: [{ ID: policy }] } });
    const found = await uses(`policy=${policy}`, await secretIn(v1, {}, `namespace "default" { acl = "read" }`));
    expect(found["Namespaces"]).toEqual({ Count: 0, First: [] });
    expect(found.Hidden).toBe(true);
    expect(JSON.stringify(found)).not.toContain("unseen");
  });

  test("tells of an auth method its rules, and the tokens of its logins wherever the caller may see them", async () => {
    const namespace = v1.unique("logins");
    await makeNamespace(v1, { namespace });
    const NamespaceRules = [{ Selector: "", BindNamespace: namespace }];
    await makeMethodIn(v1, {}, { Name: "spreading", NamespaceRules });
    const own = await makeIn(v1, {}, "binding-rule", { AuthMethod: "spreading" });
    const login = await loginIn(v1, {}, {}, "spreading");
    const found = await uses("auth-method=SPREADING");
    expect(ids(found["BindingRules"])).toEqual([own.ID]);
    expect(ids(found["Tokens"])).toEqual([login.AccessorID]);
    const here = await secretIn(v1, {}, `namespace "default" { acl = "read" }`);
    const limited = await uses("auth-method=spreading", here);
    expect(limited["Tokens"]).toEqual({ Count: 0, First: [] });
    expect(limited.Hidden).toBe(true);
  });

  test("tells what lies in a namespace to those who may read there, and to others that something does", async () => {
    const namespace = v1.unique("full");
    await makeNamespace(v1, { namespace });
    await makeIn(v1, { namespace }, "role", { Name: "one" });
    await makeIn(v1, { namespace }, "role", { Name: "two" });
    const found = await uses(`namespace=${namespace}`);
    expect(found.Content).toMatchObject({ roles: 2, policies: 1 });
    const operator = await v1.tokenWith(`operator = "read"`);
    expect(await uses(`namespace=${namespace}`, operator)).toEqual({ Content: {}, Hidden: true });
  });

  test("counts more than it shows", async () => {
    const policy = await v1.policy("");
    for (let count = 0; count < 101; count += 1) await v1.token({ Policies: [{ ID: policy }] });
    const { Tokens } = await uses(`policy=${policy}`);
    expect([Tokens?.Count, Tokens?.First.length]).toEqual([101, 100]);
  });

  test("refuses what is not there, may not be read, or is not one thing", async () => {
    const policy = await v1.policy("");
    const nobody = await v1.tokenWith("");
    const status = async (query: string, token?: string) => (await v1.get(`/acl/uses?${query}`, token)).status;
    expect(await status(`policy=${policy}`, nobody)).toBe(403);
    expect(await status("policy=11111111-2222-4333-8444-555555555555", nobody)).toBe(403);
    expect(await status("namespace=nowhere", nobody)).toBe(403);
    expect(await status("policy=11111111-2222-4333-8444-555555555555")).toBe(404);
    expect(await status("role=x")).toBe(404);
    expect(await status("auth-method=nowhere")).toBe(404);
    expect(await status("namespace=nowhere")).toBe(404);
    for (const query of ["", "policy=", `policy=${policy}&role=${policy}`]) expect(await status(query)).toBe(400);
  });
});
