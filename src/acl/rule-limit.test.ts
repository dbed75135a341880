import { describe, expect, test } from "vitest";
import { forEachEngine } from "../../test/support/engines.ts";
import { MANAGEMENT, useV1 } from "../../test/support/v1.ts";

/** Text of so many rules, in the shorter spelling. */
function rules(count: number, prefix: string): string {
  const keys = Array.from({ length: count }, (_, index) => [`${prefix}${index.toString(36)}`, { policy: "read" }]);
  return JSON.stringify({ key: Object.fromEntries(keys) });
}

forEachEngine((_engine, makeUrl) => {
  describe("20,000 rules are the most", () => {
    const v1 = useV1(makeUrl);

    test("of a policy, of a role and of a token, when they are written and when a policy has grown since", async () => {
      expect(await v1.put("/acl/policy", { Name: "huge", Rules: rules(20_001, "k") })).toMatchObject({
        status: 400,
        text: "The policy has 20001 rules; at most 20000 are allowed",
      });
      const half = (await v1.put("/acl/policy", { Name: "half", Rules: rules(12_000, "a") })).body;
      const other = (await v1.put("/acl/policy", { Name: "other", Rules: "" })).body;
      const links = { Policies: [{ ID: half.ID }, { ID: other.ID }] };
      const role = (await v1.put("/acl/role", { Name: "role", ...links })).body;
      const token = (await v1.put("/acl/token", { Roles: [{ ID: role.ID }] })).body;
      expect(await v1.get("/acl/token/self", token.SecretID)).toMatchObject({ status: 200 });

      expect(await v1.patch(`/acl/policy/${other.ID}`, { Rules: rules(12_000, "b") })).toMatchObject({ status: 200 });
      for (let times = 0; times < 2; times++) {
        expect(await v1.get("/acl/token/self", token.SecretID)).toMatchObject({
          status: 400,
          text: "The token has 24000 rules; at most 20000 are allowed",
        });
      }
      expect(await v1.put("/acl/role", { Name: "more", ...links })).toMatchObject({ status: 400 });
      expect(await v1.put("/acl/token", links)).toMatchObject({ status: 400 });

      // A caller who may write removes a policy, and the token works again.
      await v1.patch(`/acl/role/${role.ID}`, { Policies: [{ ID: half.ID }] }, MANAGEMENT);
      expect(await v1.get("/acl/token/self", token.SecretID)).toMatchObject({ status: 200 });
    });
  });

  describe("rules that no policy was written for", () => {
    const v1 = useV1(makeUrl);

    test("of identities count too, and so does the length of all", async () => {
      const identities = (role: number) =>
        Array.from({ length: 128 }, (_, index) => ({ ServiceName: `s-${role}-${index}` }));
      const roles: { ID: string }[] = [];
      for (let role = 0; role < 9; role++) roles.push({ ID: await v1.role({ ServiceIdentities: identities(role) }) });
      const tooMany = await v1.put("/acl/token", { Roles: roles });
      const text = "The token has 1152 policies, directly and through roles and identities; at most 1024 are allowed";
      expect(tooMany).toMatchObject({ status: 400, text });
      const { secret } = await v1.token({ Roles: roles.slice(0, 8) });
      expect(await v1.get("/acl/token/self", secret)).toMatchObject({ status: 200 });

      const comment = `# ${"x".repeat(500_000)}\n`;
      const policies: { ID: string }[] = [];
      for (let index = 0; index < 9; index++) policies.push({ ID: await v1.policy(comment) });
      const answer = { status: 400, text: "The rules of the token have 4500027 bytes; at most 4194304 are allowed" };
      expect(await v1.put("/acl/token", { Policies: policies })).toMatchObject(answer);
      const { secret: other } = await v1.token({ Policies: [...policies.slice(1), { ID: await v1.policy("") }] });
      expect(await v1.get("/acl/token/self", other)).toMatchObject({ status: 200 });
    });
  });

  describe("lists", () => {
    const v1 = useV1(makeUrl);

    test("by a policy or role that is gone are empty, since its links count for nothing", async () => {
      const policy = (await v1.put("/acl/policy", { Name: "gone" })).body.ID;
      const role = (await v1.put("/acl/role", { Name: "gone", Policies: [{ ID: policy }] })).body.ID;
      await v1.put("/acl/token", { Policies: [{ ID: policy }], Roles: [{ ID: role }] });
      const lists = [`/acl/tokens?policy=${policy}`, `/acl/tokens?role=${role}`, `/acl/roles?policy=${policy}`];
      expect(await Promise.all(lists.map(async (path) => (await v1.get(path)).body.length))).toEqual([1, 1, 1]);
      await v1.delete(`/acl/policy/${policy}`);
      await v1.delete(`/acl/role/${role}`);
      expect(await Promise.all(lists.map(async (path) => (await v1.get(path)).text))).toEqual(["[]", "[]", "[]"]);
    });

    test("are searched for text of any language", async () => {
      await v1.put("/acl/token", { Description: "Äpfel und ÖL" });
      const found = async (text: string) =>
        (await v1.get(`/acl/tokens?search=${encodeURIComponent(text)}`)).body.length as number;
      expect([await found("Äpfel"), await found("UND"), await found("pfel"), await found("Birnen")]).toEqual([
        1, 1, 1, 0,
      ]);
    });
  });
});
