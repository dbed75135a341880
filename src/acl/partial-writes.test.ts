import { beforeAll, describe, expect, test } from "vitest";
import { forEachEngine } from "../../test/support/engines.ts";
import { contentOf, idOf, makeMethodIn, type Kind } from "../../test/support/scopes.ts";
import { RESERVED, useV1 } from "../../test/support/v1.ts";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  beforeAll(() => makeMethodIn(v1, {}));
  const make = async (kind: Kind) => {
    const { body } = await v1.put(`/acl/${kind}`, contentOf(kind, { Name: v1.unique("x") }));
    return { path: `/acl/${kind}/${idOf(body)}`, body };
  };

  test("compare-and-set on a clone is about the token that it is made of", async () => {
    const { path, body } = await make("token");
    expect((await v1.put(`${path}/clone?cas=${body.ModifyIndex + 1}`)).status).toBe(409);
    expect((await v1.put(`${path}/clone?cas=x`)).status).toBe(400);
    expect((await v1.put(`${path}/clone?cas=${body.ModifyIndex}`)).body.Description).toBe("");
  });

  describe("a partial update", () => {
    const identities = {
      ServiceIdentities: [{ ServiceName: "a", Datacenters: ["dc1"] }],
      NodeIdentities: [{ NodeName: "n", Datacenter: "dc1" }],
      TemplatedPolicies: [{ TemplateName: "builtin/dns" }],
    };

    test.each(["role", "token"] as const)(
      "of a %s replaces what it names as a whole, null empties, all else stays",
      async (kind) => {
        const [one, two] = [await v1.policy(""), await v1.policy("")];
        const name = kind === "role" ? { Name: v1.unique("patched") } : {};
        const sent = { ...name, Description: "d", Policies: [{ ID: one }], ...identities };
        const { body } = await v1.put(`/acl/${kind}`, sent);
        const path = `/acl/${kind}/${body.ID ?? body.AccessorID}`;
        const patch = async (change: object) => {
          const answer = await v1.patch(path, change);
          expect(answer.status, answer.text).toBe(200);
          expect((await v1.get(path)).body).toEqual(answer.body);
          return answer.body;
        };
        const nothing = await patch({});
        expect(nothing).toEqual({ ...body, ModifyIndex: nothing.ModifyIndex });
        expect(nothing.ModifyIndex).toBeGreaterThan(body.ModifyIndex);
        expect((await patch({ description: "e" })).Description).toBe("e");
        expect((await patch({ Policies: [{ ID: two }] })).Policies).toMatchObject([{ ID: two }]);
        expect((await patch({ ServiceIdentities: [{ ServiceName: "b" }] })).ServiceIdentities).toEqual([
          { ServiceName: "b" },
        ]);
        expect(await patch({ Policies: [], NodeIdentities: null })).not.toHaveProperty("NodeIdentities");
        const last = await patch({ Description: null, ServiceIdentities: null, TemplatedPolicies: [] });
        expect(last).toEqual({ ...(await v1.get(path)).body, Description: "", Hash: last.Hash });
        for (const member of ["Policies", ...Object.keys(identities)]) expect(last).not.toHaveProperty(member);
        const restored = await patch({ Description: "d", Policies: [{ ID: one }], ...identities });
        expect(restored).toEqual({ ...body, ModifyIndex: restored.ModifyIndex });
      },
    );

    test("of a token leaves roles, secret, expiry and locality as they are, and null cannot take them away", async () => {
      const role = await v1.role();
      const content = { Roles: [{ ID: role }], Local: true, ExpirationTTL: "1h" };
      const { body } = await v1.put("/acl/token", content);
      const change = {
        SecretID: null,
        AccessorID: null,
        ExpirationTTL: null,
        AuthMethod: null,
        CreateTime: null,
      };
      const next = (await v1.patch(`/acl/token/${body.AccessorID}`, change)).body;
      expect(next).toEqual({ ...body, ModifyIndex: next.ModifyIndex });
      for (const [fixed, text] of [
        [{ Local: null }, `Cannot toggle local mode of ${body.AccessorID}`],
        [{ ExpirationTime: null }, `Cannot change expiration time of ${body.AccessorID}`],
      ] as const) {
        expect(await v1.patch(`/acl/token/${body.AccessorID}`, fixed)).toMatchObject({ status: 400, text });
      }
      expect((await v1.patch(`/acl/token/${body.AccessorID}`, { Roles: null })).body).not.toHaveProperty("Roles");
    });

    test("of a policy replaces what it names, null empties, and a name cannot be emptied", async () => {
      const sent = { Name: v1.unique("patched"), Description: "d", Rules: `acl = "read"`, Datacenters: ["dc1"] };
      const { body } = await v1.put("/acl/policy", sent);
      const path = `/acl/policy/${body.ID}`;
      expect((await v1.patch(path, { Description: "e" })).body).toMatchObject({ ...sent, Description: "e" });
      expect((await v1.patch(path, { Datacenters: null, Rules: null })).body).toMatchObject({
        Name: sent.Name,
        Rules: "",
      });
      expect((await v1.get(path)).body).not.toHaveProperty("Datacenters");
      expect((await v1.patch(path, { Name: "renamed" })).body).toMatchObject({ Name: "renamed", Description: "e" });
      expect(await v1.patch(path, { Name: null })).toMatchObject({
        status: 400,
        text: "Invalid Policy: no Name is set",
      });
    });
  });

  test("a write is refused in a namespace or partition that does not exist, whichever way it is named", async () => {
    const { path } = await make("role");
    for (const url of [path, "/acl/role", "/acl/policy", "/acl/token", `/acl/token/${RESERVED}02`]) {
      for (const [query, body, text] of [
        ["?ns=team", {}, `Namespace "team" does not exist`],
        ["", { Namespace: "team" }, `Namespace "team" does not exist`],
        ["?ns=team", { Partition: "p" }, `Partition "p" does not exist`],
        ["?partition=p", {}, `Partition "p" does not exist`],
      ] as const) {
        const named = url.includes("token") ? body : { Name: "elsewhere", ...body };
        expect(await v1.put(url + query, named)).toMatchObject({ status: 400, text });
      }
    }
    expect((await v1.patch(`${path}?ns=team`, { Namespace: "DEFAULT", Description: "x" })).body).toMatchObject({
      Description: "x",
      Namespace: "default",
    });
  });
});
