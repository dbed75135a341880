/** Policies and roles that a namespace gives to all its tokens, as requests see them. */
import { describe, expect, test } from "vitest";
import { finishDeletion } from "../../../test/support/deletion.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { at, makeIn, makeNamespace, makePartition } from "../../../test/support/scopes.ts";
import { useV1 } from "../../../test/support/v1.ts";

const LEVELS = ["none", "read", "write", "deny"] as const;
type Level = (typeof LEVELS)[number];

interface Asked {
  Resource: string;
  Access: string;
  Segment?: string;
  Namespace?: string;
  Partition?: string;
}

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const fresh = () => v1.unique("team");
  const rule = (kind: string, segment: string, level: Level) =>
    level === "none" ? "" : `${kind} "${segment}" { policy = "${level}" }`;
  const within = (namespace: string, rules: string) => `namespace "${namespace}" { ${rules} }`;

  async function tokenIn(namespace: string, content: object = {}): Promise<string> {
    return String((await makeIn(v1, { namespace }, "token", content)).SecretID);
  }
  async function allows(secret: string, asked: Asked): Promise<boolean> {
    const { body, text } = await v1.post("/internal/acl/authorize", [asked], secret);
    expect(body, text).toHaveLength(1);
    return body[0].Allow;
  }
  const key = (Namespace: string, Access: string, Segment = "a"): Asked => ({
    Resource: "key",
    Access,
    Segment,
    Namespace,
  });
  const setDefaults = async (name: string, ACLs: object | null) => {
    const answer = await v1.patch(`/namespace/${name}`, { ACLs });
    expect(answer.status, answer.text).toBe(200);
  };

  test("what a token has by itself goes before its defaults, also after another has had the same the other way round", async () => {
    const partition = v1.unique("part");
    await makePartition(v1, partition);
    const [writes, denies] = await Promise.all(
      (["write", "deny"] as const).map((level) =>
        makeIn(v1, { partition }, "policy", { Name: level, Rules: rule("key", "a", level) }),
      ),
    );
    for (const [own, given, isAllowed] of [
      [writes, denies, true],
      [denies, writes, false],
    ]) {
      const ACLs = { PolicyDefaults: [{ ID: given.ID }] };
      expect((await v1.patch(at("/namespace/default", { partition }), { ACLs })).status).toBe(200);
      const { SecretID } = await makeIn(v1, { partition }, "token", { Policies: [{ ID: own.ID }] });
      expect(await allows(SecretID, { ...key("default", "write"), Partition: partition })).toBe(isAllowed);
    }
  });

  describe("defaults count for a token that is there already, from the answer of the write on", () => {
    test("when the namespace is given a policy, and when it is taken away", async () => {
      const team = fresh();
      await makeNamespace(v1, { namespace: team });
      const secret = await tokenIn(team);
      const policy = await v1.policy(within(team, 'key_prefix "" { policy = "write" } acl = "read"'));
      for (let round = 0; round < 3; round++) {
        expect(await allows(secret, key(team, "write"))).toBe(false);
        expect((await v1.get("/acl/policies", secret)).status).toBe(403);
        await setDefaults(team, { PolicyDefaults: [{ ID: policy }] });
        expect(await allows(secret, key(team, "write"))).toBe(true);
        expect((await v1.get("/acl/policies", secret)).status).toBe(200);
        if (round === 0) await setDefaults(team, null);
        else if (round === 1) await setDefaults(team, { PolicyDefaults: [] });
        else await v1.put(`/namespace/${team}`, {});
      }
      expect(await allows(secret, key(team, "write"))).toBe(false);
      expect((await v1.get("/acl/policies", secret)).status).toBe(403);
    });

    test("when the policy changes, is renamed, and is deleted", async () => {
      const team = fresh();
      const policy = await v1.policy("");
      await makeNamespace(v1, { namespace: team }, { ACLs: { PolicyDefaults: [{ ID: policy }] } });
      const secret = await tokenIn(team);
      const path = `/acl/policy/${policy}`;
      expect(await allows(secret, key(team, "read"))).toBe(false);
      await v1.patch(path, { Rules: within(team, 'key "a" { policy = "read" }') });
      expect([await allows(secret, key(team, "read")), await allows(secret, key(team, "write"))]).toEqual([
        true,
        false,
      ]);
      await v1.patch(path, { Rules: within(team, 'key "a" { policy = "write" }'), Name: v1.unique("renamed") });
      expect(await allows(secret, key(team, "write"))).toBe(true);
      await v1.patch(path, { Datacenters: ["elsewhere"] });
      expect(await allows(secret, key(team, "write"))).toBe(false);
      await v1.patch(path, { Datacenters: null });
      expect(await allows(secret, key(team, "write"))).toBe(true);
      await v1.delete(path);
      expect(await allows(secret, key(team, "read"))).toBe(false);
    });

    test("when a role is linked, given a policy, loses it, and is deleted", async () => {
      const team = fresh();
      const [policy, role] = [await v1.policy(within(team, 'key "a" { policy = "write" }')), await v1.role()];
      await makeNamespace(v1, { namespace: team });
      const secret = await tokenIn(team);
      await setDefaults(team, { RoleDefaults: [{ ID: role }] });
      expect(await allows(secret, key(team, "write"))).toBe(false);
      await v1.patch(`/acl/role/${role}`, { Policies: [{ ID: policy }] });
      expect(await allows(secret, key(team, "write"))).toBe(true);
      await v1.patch(`/acl/policy/${policy}`, { Rules: within(team, 'key "a" { policy = "read" }') });
      expect([await allows(secret, key(team, "read")), await allows(secret, key(team, "write"))]).toEqual([
        true,
        false,
      ]);
      await v1.patch(`/acl/role/${role}`, { Policies: null });
      expect(await allows(secret, key(team, "read"))).toBe(false);
      await v1.patch(`/acl/role/${role}`, { Policies: [{ ID: policy }] });
      expect(await allows(secret, key(team, "read"))).toBe(true);
      await v1.delete(`/acl/role/${role}`);
      expect(await allows(secret, key(team, "read"))).toBe(false);
    });

    test("for every token of the namespace, and for none of another, whatever it shares with them", async () => {
      const [team, other] = [fresh(), fresh()];
      const policy = await v1.policy('namespace_prefix "" { key_prefix "" { policy = "read" } }');
      for (const namespace of [team, other]) await makeNamespace(v1, { namespace });
      // The same rights, so that what is derived from them may be shared.
      const secrets = [await tokenIn(team), await tokenIn(team), await tokenIn(other), (await v1.token()).secret];
      const reads = async () => Promise.all(secrets.map((secret) => allows(secret, key(team, "read"))));
      expect(await reads()).toEqual([false, false, false, false]);
      await setDefaults(team, { PolicyDefaults: [{ ID: policy }] });
      expect(await reads()).toEqual([true, true, false, false]);
      await setDefaults(other, { PolicyDefaults: [{ ID: policy }] });
      expect(await reads()).toEqual([true, true, true, false]);
      await setDefaults("default", { PolicyDefaults: [{ ID: policy }] });
      expect(await reads()).toEqual([true, true, true, true]);
      await setDefaults("default", null);
      await setDefaults(team, null);
      expect(await reads()).toEqual([false, false, true, false]);
    });

    test("what a blocking or later read shows follows them too", async () => {
      const team = fresh();
      await makeNamespace(v1, { namespace: team });
      const secret = await tokenIn(team);
      const policy = await v1.policy(within(team, 'acl = "write"'));
      expect((await v1.get("/acl/tokens", secret)).status).toBe(403);
      await setDefaults(team, { PolicyDefaults: [{ ID: policy }] });
      const list = (await v1.get("/acl/tokens", secret)).body as { SecretID: string }[];
      expect(list.map(({ SecretID }) => SecretID)).toEqual([secret]);
      await v1.patch(`/acl/policy/${policy}`, { Rules: within(team, 'acl = "read"') });
      expect((await v1.get("/acl/tokens", secret)).body).toMatchObject([{ SecretID: "<hidden>" }]);
      await setDefaults(team, null);
      expect((await v1.get("/acl/tokens", secret)).status).toBe(403);
    });
  });

  describe("a default counts only where the token's own say nothing", () => {
    const wanted = (own: Level, given: Level, access: "read" | "write") => {
      const decides = own === "none" ? given : own;
      return decides === "write" || (decides === "read" && access === "read");
    };
    const pairs = LEVELS.flatMap((own) => LEVELS.map((given) => [own, given] as const));

    test.each(pairs)("direct %s and default %s, by rules of one key and of a prefix", async (own, given) => {
      const team = fresh();
      await makeNamespace(v1, { namespace: team });
      for (const [ownKind, givenKind] of [
        ["key", "key"],
        ["key", "key_prefix"],
        ["key_prefix", "key"],
        ["key_prefix", "key_prefix"],
      ] as const) {
        const direct = await makeIn(v1, { namespace: team }, "policy", {
          Name: v1.unique("direct"),
          Rules: rule(ownKind, "a", own),
        });
        const role = await makeIn(v1, { namespace: team }, "role", {
          Name: v1.unique("direct"),
          Policies: [{ ID: direct.ID }],
        });
        const policy = await v1.policy(within(team, rule(givenKind, "a", given)));
        const givenRole = await v1.role({ Policies: [{ ID: policy }] });
        const secrets = [
          await tokenIn(team, { Policies: [{ ID: direct.ID }] }),
          await tokenIn(team, { Roles: [{ ID: role.ID }] }),
        ];
        for (const defaults of [{ PolicyDefaults: [{ ID: policy }] }, { RoleDefaults: [{ ID: givenRole }] }]) {
          await setDefaults(team, null);
          await setDefaults(team, defaults);
          for (const secret of secrets) {
            for (const access of ["read", "write"] as const) {
              const got = await allows(secret, key(team, access));
              expect({ ownKind, givenKind, access, got }).toEqual({
                ownKind,
                givenKind,
                access,
                got: wanted(own, given, access),
              });
            }
          }
        }
      }
    });

    test("the seed's example: a direct read and a default write give read", async () => {
      const team = fresh();
      const given = await v1.policy(within(team, 'service "web" { policy = "write" }'));
      await makeNamespace(v1, { namespace: team }, { ACLs: { PolicyDefaults: [{ ID: given }] } });
      const Rules = 'service "web" { policy = "read" }';
      const own = await makeIn(v1, { namespace: team }, "policy", { Name: "read-web", Rules });
      const secret = await tokenIn(team, { Policies: [{ ID: own.ID }] });
      const web = (Access: string): Asked => ({ Resource: "service", Access, Segment: "web", Namespace: team });
      expect([await allows(secret, web("read")), await allows(secret, web("write"))]).toEqual([true, false]);
      expect(await allows(await tokenIn(team), web("write"))).toBe(true);
    });

    test("a direct rule for every service hides all that the defaults say of services, and nothing else", async () => {
      const team = fresh();
      const rules = 'service "web" { policy = "write" } key "a" { policy = "write" }';
      const given = await v1.policy(within(team, rules));
      await makeNamespace(v1, { namespace: team }, { ACLs: { PolicyDefaults: [{ ID: given }] } });
      const secret = await tokenIn(team, { ServiceIdentities: [{ ServiceName: "db" }] });
      const web: Asked = { Resource: "service", Access: "write", Segment: "web", Namespace: team };
      expect(await allows(secret, web)).toBe(false);
      expect(await allows(secret, { ...web, Access: "read" })).toBe(true);
      expect(await allows(secret, key(team, "write"))).toBe(true);
    });
  });

  describe("where the rules of a default act", () => {
    test("outside of blocks in the namespace default, where the policy lies; in blocks where they say", async () => {
      const [team, other] = [fresh(), fresh()];
      const rules = `key "plain" { policy = "write" }
        namespace "${team}" { key "inside" { policy = "write" } }
        namespace_prefix "${other}" { key "beside" { policy = "read" } }`;
      const policy = await v1.policy(rules);
      await makeNamespace(v1, { namespace: other });
      await makeNamespace(v1, { namespace: team }, { ACLs: { PolicyDefaults: [{ ID: policy }] } });
      const secret = await tokenIn(team);
      const places = async (segment: string) =>
        Promise.all(["default", team, other].map((namespace) => allows(secret, key(namespace, "read", segment))));
      expect(await places("plain")).toEqual([true, false, false]);
      expect(await places("inside")).toEqual([false, true, false]);
      expect(await places("beside")).toEqual([false, false, true]);
    });

    test("of another partition, in that partition alone", async () => {
      const unit = v1.unique("unit");
      await makePartition(v1, unit);
      const place = { partition: unit, namespace: "team" };
      const Rules = 'namespace_prefix "" { key_prefix "" { policy = "write" } }';
      const policy = await makeIn(v1, { partition: unit }, "policy", { Name: "given", Rules });
      await makeNamespace(v1, place, { ACLs: { PolicyDefaults: [{ ID: policy.ID }] } });
      await makeNamespace(v1, { namespace: "team" });
      const secret = String((await makeIn(v1, place, "token", {})).SecretID);
      expect(await allows(secret, { ...key("team", "write"), Partition: unit })).toBe(true);
      expect(await allows(secret, { ...key("team", "read"), Partition: "default" })).toBe(false);
    });

    test("operator and its like count from the default partition, as if they were linked to the token", async () => {
      const team = fresh();
      await makeNamespace(v1, { namespace: team });
      const secret = await tokenIn(team);
      const operator = await v1.policy('operator = "write"');
      expect((await v1.put(`/namespace/${team}`, {}, secret)).status).toBe(403);
      await setDefaults(team, { PolicyDefaults: [{ ID: operator }] });
      expect((await v1.patch(`/namespace/${team}`, { Description: "by a tenant" }, secret)).status).toBe(200);
      await setDefaults(team, null);
      expect((await v1.patch(`/namespace/${team}`, { Description: "again" }, secret)).status).toBe(403);
    });
  });

  test("a namespace that is deleted and made again has no defaults of the one before", async () => {
    const team = fresh();
    const policy = await v1.policy(within(team, 'acl = "write"'));
    await makeNamespace(v1, { namespace: team }, { ACLs: { PolicyDefaults: [{ ID: policy }] } });
    await v1.delete(`/namespace/${team}`);
    await finishDeletion(v1.db);
    await makeNamespace(v1, { namespace: team });
    expect((await v1.get(at("/acl/tokens", { namespace: team }), await tokenIn(team))).status).toBe(403);
  });
});
