import { beforeAll, describe, expect, test } from "vitest";
import { forEachEngine } from "../../test/support/engines.ts";
import { contentOf, idOf, KINDS as ALL_KINDS, makeMethodIn, type Kind } from "../../test/support/scopes.ts";
import { NOBODY, RESERVED, useV1 } from "../../test/support/v1.ts";

const KINDS = ["policy", "role", "token"] as const;

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  beforeAll(() => makeMethodIn(v1, {}));
  const make = async (kind: Kind) => {
    const { body } = await v1.put(`/acl/${kind}`, contentOf(kind, { Name: v1.unique("x") }));
    return { path: `/acl/${kind}/${idOf(body)}`, body };
  };

  describe.each(ALL_KINDS)("compare-and-set on a %s", (kind) => {
    test("lets a change through only at the index that the object has", async () => {
      const { path, body } = await make(kind);
      const { Name, ModifyIndex } = body;
      for (const cas of [ModifyIndex - 1, ModifyIndex + 1, 0, "18446744073709551615"]) {
        for (const answer of [
          await v1.put(`${path}?cas=${cas}`, contentOf(kind, { Name, Description: "lost" })),
          await v1.patch(`${path}?cas=${cas}`, { Description: "lost" }),
          await v1.delete(`${path}?cas=${cas}`),
        ]) {
          expect(answer).toMatchObject({
            status: 409,
            text: expect.stringContaining(`its ModifyIndex is ${ModifyIndex} `),
          });
        }
        expect((await v1.get(path)).body).toEqual(body);
      }
      const second = (await v1.put(`${path}?cas=${ModifyIndex}`, contentOf(kind, { Name, Description: "1" }))).body;
      const third = (await v1.patch(`${path}?cas=${second.ModifyIndex}`, { Description: "2" })).body;
      expect(third.Description).toBe("2");
      expect((await v1.delete(`${path}?cas=${second.ModifyIndex}`)).status).toBe(409);
      expect((await v1.delete(`${path}?cas=${third.ModifyIndex}`)).text).toBe("true");
    });

    test("is 0 for an object that must be new, and a number", async () => {
      const body = contentOf(kind, { Name: v1.unique("new") });
      expect((await v1.put(`/acl/${kind}?cas=7`, body)).status).toBe(409);
      expect((await v1.put(`/acl/${kind}?cas=0`, body)).status).toBe(200);
      const { path } = await make(kind);
      for (const cas of ["", "x", "-1", "1.5", "18446744073709551616", "0x1"]) {
        for (const url of [`/acl/${kind}?cas=${cas}`, `${path}?cas=${cas}`]) {
          expect((await v1.put(url, body)).status, url).toBe(400);
        }
        expect((await v1.delete(`${path}?cas=${cas}`)).status).toBe(400);
        expect((await v1.patch(`${path}?cas=${cas}`)).status).toBe(400);
      }
    });

    test("says nothing to who may not write, and an object that is missing is missing", async () => {
      const reader = await v1.tokenWith(`acl = "read"`);
      const { path } = await make(kind);
      for (const url of [`${path}?cas=1`, `/acl/${kind}/${NOBODY}?cas=1`]) {
        expect((await v1.put(url, {}, reader)).status).toBe(403);
        expect((await v1.delete(url, reader)).status).toBe(403);
      }
      expect((await v1.patch(`/acl/${kind}/${NOBODY}?cas=1`)).status).toBe(404);
      expect((await v1.delete(`/acl/${kind}/${NOBODY}?cas=0`)).status).toBe(404);
    });

    test("the ModifyIndex of a body is not looked at", async () => {
      const { path, body } = await make(kind);
      const hash = body.Hash === undefined ? {} : { Hash: "AAAA" };
      const answer = await v1.put(path, { ...body, ModifyIndex: 1, CreateIndex: 1, ...hash });
      expect(answer.body).toEqual({ ...body, ModifyIndex: answer.body.ModifyIndex });
      expect(answer.body.ModifyIndex).toBeGreaterThan(body.ModifyIndex);
    });
  });

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

    test.each(KINDS)("of a %s is decoded as strictly as a replacement", async (kind) => {
      const { path } = await make(kind);
      const prefix = `${kind[0]?.toUpperCase()}${kind.slice(1)} decoding failed: `;
      for (const [body, text] of [
        ["", "EOF"],
        ["{", "unexpected EOF"],
        ["[]", "json: cannot unmarshal array into Go value"],
        [`{"Description":1}`, "json: cannot unmarshal number into Go struct field"],
        [`{"X":null}`, `json: unknown field "X"`],
        [`{"__proto__":{"Description":"x"}}`, `json: unknown field "__proto__"`],
      ] as const) {
        const answer = await v1.patch(path, body);
        expect(answer.status).toBe(400);
        expect(answer.text.slice(0, prefix.length + text.length)).toBe(prefix + text);
      }
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
