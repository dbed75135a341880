import { describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { MANAGEMENT, RESERVED, useV1 } from "../../../test/support/v1.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const DNS = { TemplateName: "builtin/dns" };

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  test("a token of nothing is valid, with IDs of the server's making", async () => {
    const { body } = await v1.put("/acl/token", {});
    expect(Object.keys(body)).toEqual(
      "AccessorID SecretID Description Local CreateTime Hash Namespace Partition CreateIndex ModifyIndex".split(" "),
    );
    expect(body).toMatchObject({ Description: "", Local: false, Namespace: "default", Partition: "default" });
    expect([body.AccessorID, body.SecretID]).toEqual([expect.stringMatching(UUID), expect.stringMatching(UUID)]);
    expect(body.AccessorID).not.toBe(body.SecretID);
    expect(body.Hash).toMatch(/^[A-Za-z0-9+/]{43}=$/);
  });

  test("what is written is read back, by its ID in any case, with links by ID or name in their order and each once", async () => {
    const [p1, p2, role] = [await v1.policy("", "One"), await v1.policy("", "Two"), await v1.role({ Name: "Rolle" })];
    const sent = {
      AccessorID: "AB5F2C0E-0000-4000-8000-00000000000A",
      Description: "ü <b>",
      Policies: [{ Name: "TWO" }, { ID: p1.toUpperCase(), Name: "Two" }, { ID: p2 }],
      Roles: [{ Name: "rolle" }, { ID: role }],
      ServiceIdentities: [
        { ServiceName: "w", Datacenters: ["dc2"] },
        { ServiceName: "v", Datacenters: ["dc1"] },
        { ServiceName: "w", Datacenters: ["dc1", "dc2"] },
        { ServiceName: "v" },
      ],
      NodeIdentities: [{ NodeName: "n", Datacenter: "dc1" }],
      TemplatedPolicies: [
        { ...DNS, Datacenters: ["dc1"] },
        { TemplateName: "builtin/node", TemplateVariables: { Name: "n" } },
      ],
    };
    const { body } = await v1.put("/acl/token", sent);
    expect(body).toMatchObject({
      AccessorID: sent.AccessorID.toLowerCase(),
      Description: "ü <b>",
      Policies: [
        { ID: p2, Name: "Two" },
        { ID: p1, Name: "One" },
      ],
      Roles: [{ ID: role, Name: "Rolle" }],
      ServiceIdentities: [{ ServiceName: "w", Datacenters: ["dc2", "dc1"] }, { ServiceName: "v" }],
      NodeIdentities: sent.NodeIdentities,
      TemplatedPolicies: [
        { TemplateID: `${RESERVED}05`, TemplateName: "builtin/dns", Datacenters: ["dc1"] },
        { TemplateID: `${RESERVED}04`, TemplateName: "builtin/node", TemplateVariables: { name: "n" } },
      ],
    });
    expect(body.ServiceIdentities[1]).not.toHaveProperty("Datacenters");
    expect((await v1.get(`/acl/token/${sent.AccessorID}`)).body).toEqual(body);
    expect((await v1.get("/acl/token/self", body.SecretID)).body).toEqual(body);
    const list = (await v1.get("/acl/tokens")).body as { AccessorID: string }[];
    expect(list.find((each) => each.AccessorID === body.AccessorID)).toEqual(body);
    // A client sends back what it has read.
    const again = (await v1.put(`/acl/token/${body.AccessorID}`, body)).body;
    expect(again).toEqual({ ...body, ModifyIndex: again.ModifyIndex });
  });

  test("a replacement clears what it does not name, and keeps secret, times and creation", async () => {
    const content = {
      Description: "d",
      Policies: [{ Name: "global-management" }],
      TemplatedPolicies: [DNS],
      ExpirationTTL: "1h",
    };
    const { body } = await v1.put("/acl/token", content);
    const next = (await v1.put(`/acl/token/${body.AccessorID}`, {})).body;
    const { Policies: _p, TemplatedPolicies: _t, ...rest } = body;
    expect(next).toEqual({ ...rest, Description: "", Hash: next.Hash, ModifyIndex: next.ModifyIndex });
  });

  test("a dead link is not shown, and gone for good with the next write", async () => {
    const [policy, role] = [await v1.policy(""), await v1.role()];
    const { accessor } = await v1.token({
      Policies: [{ ID: policy }, { Name: "global-management" }],
      Roles: [{ ID: role }],
    });
    await v1.delete(`/acl/policy/${policy}`);
    await v1.delete(`/acl/role/${role}`);
    const kept = [{ ID: `${RESERVED}01`, Name: "global-management" }];
    const { body } = await v1.get(`/acl/token/${accessor}`);
    expect(body.Policies).toEqual(kept);
    expect(body).not.toHaveProperty("Roles");
    expect((await v1.patch(`/acl/token/${accessor}`, { Description: "x" })).body.Policies).toEqual(kept);
    const row = v1.db.sql.selectFrom("tokens").select(["policies", "roles"]).where("accessor_id", "=", accessor);
    expect(await row.executeTakeFirst()).toEqual({ policies: JSON.stringify([`${RESERVED}01`]), roles: "[]" });
  });

  describe("secrets", () => {
    test("incident 21: with acl:read alone they are hidden, and what hides them opens nothing", async () => {
      const reader = await v1.tokenWith(`acl = "read"`);
      const { accessor } = await v1.token();
      const one = (await v1.get(`/acl/token/${accessor}`, reader)).body;
      const expanded = (await v1.get(`/acl/token/${accessor}?expanded`, reader)).body;
      const list = (await v1.get("/acl/tokens", reader)).body as { SecretID: string }[];
      expect(new Set([one, expanded, ...list].map((token) => token.SecretID))).toEqual(new Set(["<hidden>"]));
      for (const secret of ["<hidden>", encodeURIComponent("<hidden>"), accessor]) {
        expect(await v1.get("/acl/token/self", secret)).toMatchObject({ status: 403, text: "ACL not found" });
        expect((await v1.api("GET", "/account/details", undefined, secret)).status).toBe(401);
      }
      expect((await v1.put("/acl/token", { SecretID: "<hidden>" })).status).toBe(400);
    });

    test("a token sees its own, whatever it may do", async () => {
      const { accessor, secret } = await v1.token();
      expect((await v1.get("/acl/token/self", secret)).body).toMatchObject({ AccessorID: accessor, SecretID: secret });
      const expanded = (await v1.get("/acl/token/self?expanded", secret)).body;
      expect(expanded).not.toHaveProperty("ExpandedPolicies");
    });

    test("who presents no token has none to see; who presents the anonymous one sees it", async () => {
      for (const query of ["", "?pretty", "?stale", "?expanded", "?token=", "?index=1&wait=1ms"]) {
        const { status, text } = await v1.get(`/acl/token/self${query}`, "");
        expect([query, status, text]).toEqual([query, 403, "ACL not found"]);
      }
      const anonymous = { AccessorID: `${RESERVED}02`, SecretID: "anonymous" };
      expect((await v1.get("/acl/token/self", "anonymous")).body).toMatchObject(anonymous);
    });
  });

  test("the anonymous token is listed, may be given policies, and those count for who sends none", async () => {
    const path = `/acl/token/${RESERVED}02`;
    const { body } = await v1.get(path);
    expect(body).toMatchObject({ AccessorID: `${RESERVED}02`, SecretID: "anonymous", Description: "Anonymous Token" });
    expect((await v1.get("/acl/tokens")).body).toContainEqual(body);
    expect((await v1.get("/acl/policies", "")).status).toBe(403);
    await v1.put(path, { ...body, Policies: [{ ID: await v1.policy(`acl = "read"`) }] });
    expect((await v1.get("/acl/policies", "")).status).toBe(200);
    await v1.put(path, body);
    expect((await v1.get("/acl/policies", "")).status).toBe(403);
  });

  describe("expanded", () => {
    test("shows each effective policy once, the roles as they are, and what decides without them", async () => {
      const [own, both] = [await v1.policy(`operator = "read"`), await v1.policy(`acl = "read"`)];
      const elsewhere = (await v1.put("/acl/policy", { Name: "elsewhere", Datacenters: ["dc2"] })).body.ID;
      const role = await v1.role({ Policies: [{ ID: both }], NodeIdentities: [{ NodeName: "n", Datacenter: "dc1" }] });
      const { accessor } = await v1.token({
        Policies: [{ ID: own }, { ID: both }, { ID: elsewhere }],
        Roles: [{ ID: role }],
        ServiceIdentities: [{ ServiceName: "web" }, { ServiceName: "far", Datacenters: ["dc2"] }],
        TemplatedPolicies: [DNS],
      });
      const plain = (await v1.get(`/acl/token/${accessor}`)).body;
      const { ExpandedPolicies, ExpandedRoles, ...rest } = (await v1.get(`/acl/token/${accessor}?expanded`)).body;
      expect(rest).toMatchObject({
        ...plain,
        NamespaceDefaultPolicyIDs: null,
        NamespaceDefaultRoleIDs: null,
        AgentACLDefaultPolicy: "deny",
        AgentACLDownPolicy: "extend-cache",
      });
      expect(rest.ResolvedByAgent).not.toBe("");
      expect(ExpandedRoles).toEqual([(await v1.get(`/acl/role/${role}`)).body]);
      const policies = ExpandedPolicies as { ID: string; Name: string; Rules: string; Description: string }[];
      expect(policies.slice(0, 2)).toEqual([
        (await v1.get(`/acl/policy/${own}`)).body,
        (await v1.get(`/acl/policy/${both}`)).body,
      ]);
      const synthetic = policies.slice(2).map(({ Description }) => Description.replace(/.*: /, ""));
      expect(synthetic.toSorted()).toEqual(["builtin/dns", "builtin/node", "builtin/service"]);
      expect(policies.find(({ Description }) => Description.endsWith("builtin/service"))?.Rules).toContain(
        `service "web-sidecar-proxy"`,
      );
    });

    test("keeps its lists also when they are empty", async () => {
      const { accessor } = await v1.token();
      const { body } = await v1.get(`/acl/token/${accessor}?expanded=false`);
      expect(body).toMatchObject({ ExpandedPolicies: null, ExpandedRoles: null });
    });
  });

  describe("a clone", () => {
    test("has the links, identities and locality of the other, and IDs of its own", async () => {
      const role = await v1.role();
      const content = {
        Description: "d",
        Local: true,
        Roles: [{ ID: role }],
        Policies: [{ Name: "global-management" }],
        ServiceIdentities: [{ ServiceName: "w" }],
        TemplatedPolicies: [DNS],
      };
      const { body } = await v1.put("/acl/token", content);
      const copy = (await v1.put(`/acl/token/${body.AccessorID}/clone`, {})).body;
      const { AccessorID, SecretID, CreateTime, CreateIndex, ModifyIndex } = copy;
      expect(copy).toEqual({ ...body, AccessorID, SecretID, CreateTime, CreateIndex, ModifyIndex });
      expect(new Set([AccessorID, SecretID, body.AccessorID, body.SecretID]).size).toBe(4);
      expect([CreateIndex, ModifyIndex]).toEqual([body.ModifyIndex + 1, body.ModifyIndex + 1]);
      expect((await v1.get("/acl/token/self", copy.SecretID)).body).toEqual(copy);
    });

    test("takes another description, and nothing else, from the body", async () => {
      const { body } = await v1.put("/acl/token", { Description: "d" });
      const path = `/acl/token/${body.AccessorID}/clone`;
      const sent = { Description: "mine", Policies: [{ Name: "nobody" }], SecretID: MANAGEMENT, Local: true };
      const copy = (await v1.put(path, sent)).body;
      expect(copy).toMatchObject({ Description: "mine", Local: false });
      expect(copy).not.toHaveProperty("Policies");
      expect(copy.SecretID).not.toBe(MANAGEMENT);
      expect(await v1.put(path, "")).toMatchObject({ status: 400, text: "Token decoding failed: EOF" });
    });

    test("of a token made by login is refused; such a token may be changed and deleted", async () => {
      const { accessor } = await v1.token();
      await v1.write((sql) =>
        sql.updateTable("tokens").set({ auth_method: "Okta" }).where("accessor_id", "=", accessor),
      );
      const text = "Cannot clone a token created from an auth method";
      expect(await v1.put(`/acl/token/${accessor}/clone`)).toMatchObject({ status: 400, text });
      for (const AuthMethod of [undefined, "", "Okta"]) {
        const { body } = await v1.put(`/acl/token/${accessor}`, { Description: "x", AuthMethod });
        expect(body).toMatchObject({ AuthMethod: "Okta", Description: "x" });
      }
      expect((await v1.get("/acl/tokens?authmethod=oKTA")).body).toMatchObject([{ AccessorID: accessor }]);
      expect((await v1.delete(`/acl/token/${accessor}`)).text).toBe("true");
    });
  });

  test("each filter of the list gives what it names, in any case, and nothing for what is unknown", async () => {
    const [policy, role] = [await v1.policy(""), await v1.role()];
    const tokens = [
      await v1.token({ Policies: [{ ID: policy }], Roles: [{ ID: role }] }),
      await v1.token({ ServiceIdentities: [{ ServiceName: "needle" }] }),
      await v1.token({
        TemplatedPolicies: [{ TemplateName: "builtin/service", TemplateVariables: { Name: "needle" } }],
      }),
      await v1.token({
        ServiceIdentities: [{ ServiceName: "needles" }],
        NodeIdentities: [{ NodeName: "needle", Datacenter: "dc1" }],
      }),
      await v1.token({ TemplatedPolicies: [{ TemplateName: "builtin/node", TemplateVariables: { Name: "needle" } }] }),
    ].map(({ accessor }) => accessor);
    const found = async (query: string) =>
      ((await v1.get(`/acl/tokens?${query}`)).body as { AccessorID: string }[]).map((each) => each.AccessorID);
    expect(await found(`policy=${policy.toUpperCase()}`)).toEqual([tokens[0]]);
    expect(await found(`role=${role.toUpperCase()}`)).toEqual([tokens[0]]);
    expect(new Set(await found("servicename=NEEDLE"))).toEqual(new Set([tokens[1], tokens[2]]));
    for (const query of [
      `policy=${role}`,
      `role=${policy}`,
      "servicename=nee%25",
      `servicename=${encodeURIComponent('","')}`,
      "authmethod=x",
    ]) {
      expect(await found(query)).toEqual([]);
    }
  });

  test("a deleted token is gone at once, and its IDs may be used again", async () => {
    const { accessor, secret } = await v1.token({ Policies: [{ Name: "global-management" }] });
    expect((await v1.get("/acl/tokens", secret)).status).toBe(200);
    await v1.delete(`/acl/token/${accessor}`);
    expect(await v1.get("/acl/tokens", secret)).toMatchObject({ status: 403, text: "ACL not found" });
    await v1.token({ AccessorID: accessor, SecretID: secret });
    expect((await v1.get("/acl/token/self", secret)).body).not.toHaveProperty("Policies");
  });
});
