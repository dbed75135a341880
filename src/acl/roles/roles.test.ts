import { beforeAll, describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { NOBODY, RESERVED, useV1 } from "../../../test/support/v1.ts";

const NAME = "Invalid Role: invalid Name. Only alphanumeric characters, '-' and '_' are allowed";
const LETTERS = "Only lowercase alphanumeric characters, '-' and '_' are allowed";
const REQUIRED = "1 error occurred:\n\t* name is required\n\n";
const template = (TemplateName: string, Name?: string) => ({
  Name: "a",
  TemplatedPolicies: [{ TemplateName, TemplateVariables: Name === undefined ? {} : { Name } }],
});

/** Bodies that no role may have, with the text of the refusal. */
const CONTENT: readonly [what: string, body: object, text: string][] = [
  ["no name", { Name: "" }, "Invalid Role: no Name is set"],
  ["a name of 257 letters", { Name: "a".repeat(257) }, NAME],
  ["a slash in the name", { Name: "a/b" }, NAME],
  ["a space in the name", { Name: "a " }, NAME],
  ["incident 14: a letter of another alphabet", { Name: "t\u{430}ken" }, NAME],
  ["a policy that no name has", { Name: "a", Policies: [{ Name: "nobody" }] }, `No such ACL policy with name "nobody"`],
  [
    "a policy that no ID has",
    { Name: "a", Policies: [{ ID: NOBODY }] },
    `Failed to apply role upsert request: No such policy with ID: ${NOBODY}`,
  ],
  [
    "a service without a name",
    { Name: "a", ServiceIdentities: [{}] },
    "Service identity is missing the service name field on this role",
  ],
  [
    "a service in upper case",
    { Name: "a", ServiceIdentities: [{ ServiceName: "W" }] },
    `Service identity "W" has an invalid name. ${LETTERS}`,
  ],
  [
    "a node without a name",
    { Name: "a", NodeIdentities: [{ Datacenter: "dc1" }] },
    "Node identity is missing the node name field on this role",
  ],
  [
    "a node without a datacenter",
    { Name: "a", NodeIdentities: [{ NodeName: "n" }] },
    "Node identity is missing the datacenter field on this role",
  ],
  [
    "a node in upper case",
    { Name: "a", NodeIdentities: [{ NodeName: "N", Datacenter: "d" }] },
    `Node identity has an invalid name. ${LETTERS}`,
  ],
  [
    "a template without a name",
    { Name: "a", TemplatedPolicies: [{}] },
    "templated policy is missing the template name field on this role",
  ],
  ["a template that there is not", template("x"), "templated policy with an invalid templated name: x for this role"],
  [
    "a template without its variable",
    template("builtin/service"),
    `encountered role with invalid templated policy: ${REQUIRED}`,
  ],
  [
    "a template with a bad name",
    template("builtin/node", "N"),
    `encountered role with invalid templated policy: node identity "N"  has an invalid name. ${LETTERS}`,
  ],
  ["roles", { Name: "a", Roles: [] }, `Role decoding failed: json: unknown field "Roles"`],
  [
    "129 policies",
    { Name: "a", Policies: Array.from({ length: 129 }, () => ({})) },
    "Policies has 129 entries; at most 128 are allowed",
  ],
];

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  let taken = "";
  beforeAll(async () => (taken = await v1.role({ Name: "Taken" })));

  describe("a role is refused", () => {
    test.each(CONTENT)("with %s, new or changed", async (_what, body, text) => {
      const before = (await v1.get("/acl/roles")).text;
      for (const answer of [
        await v1.put("/acl/role", body),
        await v1.put(`/acl/role/${taken}`, body),
        await v1.patch(`/acl/role/${taken}`, body),
      ]) {
        expect(answer).toMatchObject({ status: 400, text });
      }
      expect((await v1.get("/acl/roles")).text).toBe(before);
    });

    test("with an ID of its own, which makes it an update of what there is not", async () => {
      expect(await v1.put("/acl/role", { ID: NOBODY, Name: "a" })).toMatchObject({
        status: 404,
        text: `cannot find role ${NOBODY}`,
      });
      const reader = await v1.tokenWith(`acl = "read"`);
      expect((await v1.put("/acl/role", { ID: NOBODY, Name: "a" }, reader)).status).toBe(403);
    });

    test("with other letters of its own name", async () => {
      const other = await v1.role({ Name: "other" });
      const text = `Invalid Role: A role with name "OTHER" already exists`;
      expect(await v1.put(`/acl/role/${other}`, { Name: "OTHER" })).toMatchObject({ status: 400, text });
    });
  });

  test("no policy's ID names a role, and the list by a policy needs an ID", async () => {
    expect((await v1.get(`/acl/role/${RESERVED}01`)).status).toBe(404);
    const text = "failed acl policy lookup: index error: UUID must be 36 characters";
    expect(await v1.get("/acl/roles?policy=x")).toMatchObject({ status: 400, text });
  });

  test("what is written is read back, by ID and by name in any case", async () => {
    const policy = await v1.policy("", "linked");
    const sent = {
      Name: "Web-Team_1",
      Description: "ü",
      Policies: [{ Name: "LINKED" }, { ID: policy.toUpperCase() }, { ID: policy, Name: "ignored" }],
      ServiceIdentities: [
        { ServiceName: "b", Datacenters: ["dc1"] },
        { ServiceName: "a" },
        { ServiceName: "b", Datacenters: ["dc2", "dc1"] },
      ],
      NodeIdentities: [
        { NodeName: "n", Datacenter: "dc1" },
        { NodeName: "n", Datacenter: "dc1" },
      ],
      TemplatedPolicies: [{ templatename: "builtin/service", templatevariables: { NAME: "api" } }],
    };
    const { body } = await v1.put("/acl/role", sent);
    expect(body).toMatchObject({
      Name: "Web-Team_1",
      Description: "ü",
      Policies: [{ ID: policy, Name: "linked" }],
      ServiceIdentities: [{ ServiceName: "b", Datacenters: ["dc1", "dc2"] }, { ServiceName: "a" }],
      NodeIdentities: [{ NodeName: "n", Datacenter: "dc1" }],
      TemplatedPolicies: [
        { TemplateID: `${RESERVED}03`, TemplateName: "builtin/service", TemplateVariables: { name: "api" } },
      ],
      Namespace: "default",
      Partition: "default",
    });
    for (const path of [body.ID, body.ID.toUpperCase(), "name/WEB-team_1"]) {
      expect((await v1.get(`/acl/role/${path}`)).body).toEqual(body);
    }
    expect(await v1.put(`/acl/role/${body.ID}`, body)).toMatchObject({
      body: { Hash: body.Hash, Policies: body.Policies },
    });
  });

  test("empty lists are left out, and a name may have 256 letters", async () => {
    const { body } = await v1.put("/acl/role", { Name: "a".repeat(256), Policies: [], ServiceIdentities: null });
    expect(Object.keys(body)).toEqual(
      "ID Name Description Hash Namespace Partition CreateIndex ModifyIndex".split(" "),
    );
  });

  test("a list shows full roles, of one policy if asked", async () => {
    const [first, second] = [await v1.policy(""), await v1.policy("")];
    const id = await v1.role({ Policies: [{ ID: first }] });
    const { body } = await v1.get(`/acl/roles?policy=${first.toUpperCase()}`);
    expect(body).toEqual([(await v1.get(`/acl/role/${id}`)).body]);
    expect(await v1.get(`/acl/roles?policy=${second}`)).toMatchObject({ text: "[]" });
  });

  test("a renamed role keeps its tokens, a deleted one loses them, also when the name comes back", async () => {
    const id = await v1.role({ Name: "before" });
    const { accessor, secret } = await v1.token({ Roles: [{ Name: "BEFORE" }] });
    const shown = async () => {
      const [{ body }, self] = [await v1.get(`/acl/token/${accessor}`), await v1.get("/acl/token/self", secret)];
      expect(self.body).toEqual(body);
      return body.Roles;
    };
    expect(await shown()).toEqual([{ ID: id, Name: "before" }]);
    await v1.patch(`/acl/role/${id}`, { Name: "after" });
    expect(await shown()).toEqual([{ ID: id, Name: "after" }]);
    expect(await v1.delete(`/acl/role/${id}`)).toMatchObject({ status: 200, text: "true" });
    expect(await shown()).toBeUndefined();
    await v1.role({ Name: "after" });
    expect(await shown()).toBeUndefined();
  });

  test("a token with a role has what the role's policies say, from the answer of their write on", async () => {
    const policy = await v1.policy("");
    const { secret } = await v1.token({ Roles: [{ ID: await v1.role({ Policies: [{ ID: policy }] }) }] });
    for (const [Rules, status] of [
      ['acl = "read"', 200],
      ['acl = "deny"', 403],
      ['acl = "write"', 200],
      ["", 403],
    ] as const) {
      expect((await v1.patch(`/acl/policy/${policy}`, { Rules })).status).toBe(200);
      expect([Rules, (await v1.get("/acl/roles", secret)).status]).toEqual([Rules, status]);
    }
  });
});
