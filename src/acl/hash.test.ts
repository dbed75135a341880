import { expect, test } from "vitest";
import { forEachEngine } from "../../test/support/engines.ts";
import { RESERVED, useV1 } from "../../test/support/v1.ts";

const TOKEN_HASH = "ivHLLr5eyrJs6HdOQz7elPEqdVEphPcZbNw9g08QBj8=";
const MANAGEMENT_LINK = [{ ID: `${RESERVED}01` }];
const IDENTITIES = {
  ServiceIdentities: [{ ServiceName: "s", Datacenters: ["dc1"] }],
  NodeIdentities: [{ NodeName: "n", Datacenter: "dc1" }],
  TemplatedPolicies: [{ TemplateName: "builtin/node", TemplateVariables: { Name: "n" } }],
};
const POLICY = { Name: "hashed", Description: "d", Rules: `acl = "read"`, Datacenters: ["dc1"] };
const ROLE = { Name: "hashed", Description: "d", Policies: MANAGEMENT_LINK, ...IDENTITIES };
const TOKEN = { Description: "d", Policies: MANAGEMENT_LINK, ...IDENTITIES };

/** Each differs from the object above in one member that carries meaning. */
const GRANTED = [
  { Description: "D" },
  { Policies: [] },
  { Policies: [{ ID: `${RESERVED}02` }] },
  { ServiceIdentities: [] },
  { ServiceIdentities: [{ ServiceName: "s" }] },
  { ServiceIdentities: [{ ServiceName: "t", Datacenters: ["dc1"] }] },
  { NodeIdentities: [] },
  { NodeIdentities: [{ NodeName: "n", Datacenter: "dc2" }] },
  { TemplatedPolicies: [] },
  { TemplatedPolicies: [{ TemplateName: "builtin/node", TemplateVariables: { Name: "m" } }] },
  { TemplatedPolicies: [{ TemplateName: "builtin/service", TemplateVariables: { Name: "n" } }] },
  { TemplatedPolicies: [{ ...IDENTITIES.TemplatedPolicies[0], Datacenters: ["dc1"] }] },
];
const CHANGES = {
  policy: [
    { Name: "Hashed" },
    { Description: "D" },
    { Rules: `acl = "write"` },
    { Rules: "" },
    { Datacenters: [] },
    { Datacenters: ["dc2"] },
  ],
  role: [{ Name: "hashed2" }, ...GRANTED],
  token: GRANTED,
};

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  test.each([
    ["policy", POLICY, "aGSGdLcFvBAvmxONzZwIYrNdlyWLzT9aXnmSG58aaSM="],
    ["role", ROLE, "8avUPrgbg3fIVE+Iw+gO8pFX+zO8OlwuKFsFpUZnYWY="],
    ["token", TOKEN, TOKEN_HASH],
  ] as const)(
    "the hash of a %s is that of its meaning: the same on every engine, another for every other meaning",
    async (kind, content, wanted) => {
      const { body } = await v1.put(`/acl/${kind}`, content);
      expect(body.Hash).toBe(wanted);
      const path = `/acl/${kind}/${body.ID ?? body.AccessorID}`;
      const seen = new Set([wanted as string]);
      for (const change of CHANGES[kind]) {
        const { Hash } = (await v1.put(path, { ...content, ...change })).body;
        expect(seen, JSON.stringify(change)).not.toContain(Hash);
        seen.add(Hash);
      }
      const restored = (await v1.put(path, content)).body;
      expect(restored).toMatchObject({ Hash: wanted, CreateIndex: body.CreateIndex });
      expect(restored.ModifyIndex).toBeGreaterThan(body.ModifyIndex);
    },
  );

  test("roles and locality count in a token's hash; secret and times do not", async () => {
    const role = await v1.role();
    const hash = async (more: object) => String((await v1.put("/acl/token", { ...TOKEN, ...more })).body.Hash);
    expect(await hash({})).toBe(TOKEN_HASH);
    expect(await hash({ ExpirationTTL: "1h" })).toBe(TOKEN_HASH);
    const local = { ...TOKEN, ServiceIdentities: [], Local: true };
    const others = [await hash({ Roles: [{ ID: role }] }), await hash(local), await hash({ ...local, Local: false })];
    expect(new Set([...others, TOKEN_HASH]).size).toBe(4);
  });
});
