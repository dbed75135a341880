/** Tests each place that shows the policies and roles that a namespace grants to its tokens. */
import { describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { at, makeIn, makeNamespace } from "../../../test/support/scopes.ts";
import { MANAGEMENT, useV1 } from "../../../test/support/v1.ts";

interface Named {
  ID: string;
  Name: string;
}

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const fresh = () => v1.unique("team");
  const idsOf = (list: Named[] | null) => list?.map(({ ID }) => ID).toSorted();

  describe("?expanded of a token", () => {
    async function setUp() {
      const team = fresh();
      const Rules = `namespace "${team}" { acl = "read" }`;
      const [given, byRole] = [await v1.policy(Rules), await v1.policy("")];
      const role = await v1.role({ Policies: [{ ID: byRole }] });
      await makeNamespace(
        v1,
        { namespace: team },
        { ACLs: { PolicyDefaults: [{ ID: given }], RoleDefaults: [{ ID: role }] } },
      );
      const own = await makeIn(v1, { namespace: team }, "policy", { Name: "own" });
      const ownRole = await makeIn(v1, { namespace: team }, "role", { Name: "own", Policies: [{ ID: own.ID }] });
      const content = { Policies: [{ ID: own.ID }], Roles: [{ ID: ownRole.ID }] };
      const token = await makeIn(v1, { namespace: team }, "token", content);
      return { team, given, byRole, role, own: String(own.ID), ownRole: String(ownRole.ID), token };
    }

    test("shows the defaults beside its own policies and roles, by ID and with their rules", async () => {
      const { team, given, byRole, role, own, ownRole, token } = await setUp();
      const path = at(`/acl/token/${token.AccessorID}?expanded=true`, { namespace: team });
      const { body } = await v1.get(path);
      expect(idsOf(body.ExpandedPolicies)).toEqual([own, given, byRole].toSorted());
      expect(idsOf(body.ExpandedRoles)).toEqual([ownRole, role].toSorted());
      expect(body.NamespaceDefaultPolicyIDs).toEqual([given]);
      expect(body.NamespaceDefaultRoleIDs).toEqual([role]);
      expect((body.ExpandedPolicies as Named[]).find(({ ID }) => ID === given)).toMatchObject({
        Namespace: "default",
        Rules: `namespace "${team}" { acl = "read" }`,
      });
      // Its own links are its own alone.
      expect(idsOf(body.Policies)).toEqual([own]);
      expect(idsOf(body.Roles)).toEqual([ownRole]);
      const plain = (await v1.get(at(`/acl/token/${token.AccessorID}`, { namespace: team }))).body;
      expect(plain).not.toHaveProperty("NamespaceDefaultPolicyIDs");
    });

    test("follows the defaults, and leaves out what is gone", async () => {
      const { team, given, role, own, token } = await setUp();
      const path = at(`/acl/token/${token.AccessorID}?expanded=true`, { namespace: team });
      await v1.delete(`/acl/policy/${given}`);
      const { body } = await v1.get(path);
      expect(body.NamespaceDefaultPolicyIDs).toBeNull();
      expect(body.NamespaceDefaultRoleIDs).toEqual([role]);
      await v1.patch(`/namespace/${team}`, { ACLs: null });
      const after = (await v1.get(path)).body;
      expect(after.NamespaceDefaultRoleIDs).toBeNull();
      expect(idsOf(after.ExpandedPolicies)).toEqual([own]);
    });

    test("is no older than the last change of the defaults that was answered, whoever asked before", async () => {
      const { team, role, token } = await setUp();
      const path = at(`/acl/token/${token.AccessorID}?expanded=true`, { namespace: team });
      for (let round = 0; round < 40; round++) {
        const isGiven = round % 2 === 1;
        const ACLs = isGiven ? { RoleDefaults: [{ ID: role }] } : null;
        const before = Array.from({ length: 1 + (round % 5) }, () => v1.get(path));
        expect((await v1.patch(`/namespace/${team}`, { ACLs })).status).toBe(200);
        expect((await v1.get(path)).body.NamespaceDefaultRoleIDs).toEqual(isGiven ? [role] : null);
        await Promise.all(before);
      }
    });

    test("shows null where there are none, also for empty lists and in default", async () => {
      const nothing = { NamespaceDefaultPolicyIDs: null, NamespaceDefaultRoleIDs: null };
      for (const ACLs of [undefined, {}]) {
        const team = fresh();
        await makeNamespace(v1, { namespace: team }, ACLs === undefined ? {} : { ACLs });
        const { AccessorID } = await makeIn(v1, { namespace: team }, "token", {});
        const path = at(`/acl/token/${AccessorID}?expanded=true`, { namespace: team });
        expect((await v1.get(path)).body).toMatchObject(nothing);
      }
      const { accessor } = await v1.token();
      expect((await v1.get(`/acl/token/${accessor}?expanded=true`)).body).toMatchObject(nothing);
    });

    test("shows what a token has by itself and by default once", async () => {
      const policy = await v1.policy("");
      const { accessor } = await v1.token({ Policies: [{ ID: policy }] });
      await v1.patch("/namespace/default", { ACLs: { PolicyDefaults: [{ ID: policy }] } });
      const { body } = await v1.get(`/acl/token/${accessor}?expanded=true`);
      await v1.patch("/namespace/default", { ACLs: null });
      expect(idsOf(body.ExpandedPolicies)).toEqual([policy]);
      expect(body.NamespaceDefaultPolicyIDs).toEqual([policy]);
    });
  });

  describe("explain=true of authorize", () => {
    test("names the default, the namespace that gives it, and the role by which it does", async () => {
      const team = fresh();
      const key = (name: string) => `namespace "${team}" { key "${name}" { policy = "read" } }`;
      const [given, byRole] = [await v1.policy(key("a")), await v1.policy(key("b"))];
      const Name = v1.unique("role");
      const role = await v1.role({ Name, Policies: [{ ID: byRole }] });
      const defaults = { PolicyDefaults: [{ ID: given }], RoleDefaults: [{ ID: role }] };
      await makeNamespace(v1, { namespace: team }, { ACLs: defaults });
      const Rules = 'acl = "read" key "c" { policy = "read" }';
      const own = await makeIn(v1, { namespace: team }, "policy", { Name: "own", Rules });
      const { SecretID } = await makeIn(v1, { namespace: team }, "token", { Policies: [{ ID: own.ID }] });
      const questions = ["a", "b", "c", "d"].map((Segment) => ({
        Resource: "key",
        Access: "read",
        Segment,
        Namespace: team,
      }));
      const answers = (await v1.post("/internal/acl/authorize?explain=true", questions, SecretID)).body;
      const [byDefault, byDefaultRole, direct, nothing] = answers;
      expect(byDefault).toMatchObject({
        Allow: true,
        Explain: {
          DecidedBy: "default",
          Rule: { Resource: "key", Segment: "a", Policy: "read" },
          Policies: [{ ID: given, Links: [{ Kind: "default", Namespace: team }] }],
        },
      });
      expect(byDefaultRole).toMatchObject({
        Allow: true,
        Explain: {
          DecidedBy: "default",
          Policies: [{ ID: byRole, Links: [{ Kind: "default", Namespace: team }] }],
        },
      });
      expect(JSON.stringify(byDefaultRole.Explain.Policies[0].Links)).toContain(Name);
      expect(direct).toMatchObject({
        Allow: true,
        Explain: { DecidedBy: "direct", Policies: [{ ID: own.ID, Links: [{ Kind: "direct" }] }] },
      });
      expect(nothing).toMatchObject({ Allow: false, Explain: { DecidedBy: "default-policy" } });
    });

    test("says that a direct rule decides where a default would have allowed more", async () => {
      const team = fresh();
      const given = await v1.policy(`namespace "${team}" { key "a" { policy = "write" } }`);
      await makeNamespace(v1, { namespace: team }, { ACLs: { PolicyDefaults: [{ ID: given }] } });
      const Rules = 'acl = "read" key "a" { policy = "read" }';
      const own = await makeIn(v1, { namespace: team }, "policy", { Name: "own", Rules });
      const { SecretID } = await makeIn(v1, { namespace: team }, "token", { Policies: [{ ID: own.ID }] });
      const question = { Resource: "key", Access: "write", Segment: "a", Namespace: team };
      const [answer] = (await v1.post("/internal/acl/authorize?explain=true", [question], SecretID)).body;
      expect(answer).toMatchObject({ Allow: false, Explain: { DecidedBy: "direct", Policies: [{ ID: own.ID }] } });
    });
  });

  test("a read of what defaults decide shows nothing of them to who lacks acl:read", async () => {
    const team = fresh();
    const given = await v1.policy(`namespace "${team}" { key "a" { policy = "read" } }`);
    await makeNamespace(v1, { namespace: team }, { ACLs: { PolicyDefaults: [{ ID: given }] } });
    const { SecretID } = await makeIn(v1, { namespace: team }, "token", {});
    expect((await v1.post("/internal/acl/authorize?explain=true", [], SecretID)).status).toBe(403);
    expect((await v1.get(`/acl/policy/${given}?ns=default`, SecretID)).status).toBe(403);
    expect((await v1.get(`/acl/policy/${given}?ns=default`, MANAGEMENT)).status).toBe(200);
  });
});
