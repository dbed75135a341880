/** `POST /v1/acl/replay`, over use that the server has counted itself. */
import { beforeEach, describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey } from "../../../test/support/key-server.ts";
import { bearer, login, makeMethod, makeRule, UNLIMITED_LOGINS } from "../../../test/support/login.ts";
import { makeIn, makeNamespace } from "../../../test/support/scopes.ts";
import { MANAGEMENT, NOBODY, useV1 } from "../../../test/support/v1.ts";

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 24, 12);

interface Answer {
  Pairs: number;
  Refused: number;
  AlreadyRefused: number;
  Unreplayable: { Total: number };
  Entries: Record<string, unknown>[];
}

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl, { config: UNLIMITED_LOGINS });
  beforeEach(() => v1.setNow(NOW));

  async function replayed(body: object, query = "", token = MANAGEMENT): Promise<Answer> {
    await v1.flushUses();
    const answer = await v1.post(`/acl/replay${query}`, body, token);
    expect(answer.status, answer.text).toBe(200);
    return answer.body as Answer;
  }

  /** A token that has used its policy on two days. */
  async function used(rules = 'acl = "read"') {
    const policy = await v1.policy(rules);
    const { accessor, secret } = await v1.token({ Policies: [{ ID: policy }], Description: "CI" });
    v1.setNow(NOW - 3 * DAY);
    await v1.get("/acl/policies", secret);
    await v1.flushUses();
    v1.setNow(NOW);
    await v1.get("/acl/policies", secret);
    await v1.get("/acl/roles", secret);
    return { policy, accessor, secret };
  }

  describe("a replay", () => {
    test("tells who uses what a draft takes away, on how many days, how often and by whom it was asked", async () => {
      const { policy, accessor } = await used();
      const own = await replayed({ DeletedPolicies: [{ ID: policy }] });
      expect(own).toMatchObject({ Refused: 1, AlreadyRefused: 0, Unreplayable: { Total: 0 } });
      expect(own.Entries).toEqual([
        {
          Change: "refused",
          Kind: "token",
          ID: accessor,
          Name: "CI",
          Namespace: "default",
          Partition: "default",
          Question: { Resource: "acl", Access: "read", Namespace: "default", Partition: "default" },
          Questions: 1,
          Uses: 3,
          DaysUsed: 2,
          FirstDay: "2026-11-21",
          LastDay: "2026-11-24",
          Columns: { Enforced: 3, Own: 0, Others: 0 },
        },
      ]);
      const kept = await replayed({ Policies: [{ ID: policy, Rules: 'acl = "write"' }] });
      expect(kept).toMatchObject({ Refused: 0, Entries: [] });
    });

    test("tells apart what is refused already, and lists it only when asked", async () => {
      const { policy, accessor } = await used();
      await v1.patch(`/acl/policy/${policy}`, { Rules: "" });
      const found = await replayed({});
      expect(found).toMatchObject({ Refused: 0, Entries: [] });
      expect(found.AlreadyRefused).toBeGreaterThan(0);
      const { Entries } = await replayed({}, "?change=already-refused&page-size=1000");
      expect(Entries.filter(({ ID }) => ID === accessor)).toMatchObject([{ Change: "already-refused", Uses: 3 }]);
    });

    test("asks rows of a deleted policy by today's state, and reports count them for their token alone", async () => {
      const { policy, accessor } = await used();
      await v1.delete(`/acl/policy/${policy}`);
      const found = await replayed({}, "?change=already-refused");
      const own = found.Entries.filter(({ ID }) => ID === accessor);
      expect(own.map(({ Change, Uses }) => [Change, Uses])).toEqual([["already-refused", 3]]);
      const report = async (by: string) => (await v1.get(`/acl/use?by=${by}`)).text;
      expect([(await report("policy")).includes(policy), (await report("rule")).includes(policy)]).toEqual([
        false,
        false,
      ]);
      const one = await v1.get(`/acl/use?by=token&id=${accessor.toUpperCase()}`);
      expect(one.body).toMatchObject({ Entries: [{ Token: { AccessorID: accessor }, Enforced: 3, DaysUsed: 2 }] });
      expect((await v1.get(`/acl/use?by=identity&id=${accessor}`)).status).toBe(400);
      await v1.delete(`/acl/token/${accessor}`);
    });

    test("asks nothing of what a deleted token used, and is no use itself", async () => {
      const { policy, accessor } = await used();
      const before = await replayed({ DeletedPolicies: [{ ID: policy }] });
      expect(await replayed({ DeletedPolicies: [{ ID: policy }] })).toEqual(before);
      await v1.delete(`/acl/token/${accessor}`);
      expect(await replayed({ DeletedPolicies: [{ ID: policy }] })).toMatchObject({ Refused: 0, Entries: [] });
    });

    test("asks identities by drafted binding rules", async () => {
      // The record of a login has the time of the database.
      v1.setNow(undefined);
      const key = createSigningKey("replay");
      const Name = v1.unique("sso");
      await makeMethod(v1, key, { Name });
      const role = v1.unique("readers");
      await v1.role({ Name: role, Policies: [{ ID: await v1.policy('acl = "read"') }] });
      const rule = await makeRule(v1, { AuthMethod: Name, BindType: "role", BindName: role });
      const { SecretID } = (await login(v1, Name, bearer(key, { sub: "ada" }))).body as { SecretID: string };
      await v1.get("/acl/policies", SecretID);
      const gone = await replayed({ DeletedBindingRules: [{ ID: rule }] });
      expect(gone.Entries).toMatchObject([{ Kind: "identity", AuthMethod: Name, Identity: '["","ada"]', Uses: 1 }]);
      const other = await replayed({ BindingRules: [{ ID: rule, BindName: "nothing" }] });
      expect(other).toMatchObject({ Refused: 1, Unreplayable: { Total: 0 } });
      const narrower = await replayed({ BindingRules: [{ ID: rule, Selector: 'value.team == "a"' }] });
      expect(narrower).toMatchObject({ Refused: 0, Unreplayable: { Claims: 1 } });
    });

    test("shows subjects where the caller may read, and says that there are others", async () => {
      await makeNamespace(v1, { namespace: "team" });
      const rules = await v1.policy('namespace "team" { acl = "read" }');
      await v1.put("/namespace/team", { ACLs: { PolicyDefaults: [{ ID: rules }] } });
      const { SecretID } = await makeIn(v1, { namespace: "team" }, "token", {});
      await v1.get("/acl/policies?ns=team", String(SecretID));
      const draft = { Namespaces: [{ Name: "team", ACLs: { PolicyDefaults: [] } }] };
      expect((await replayed(draft)).Refused).toBe(1);
      const reader = await v1.tokenWith('acl = "read"');
      await v1.flushUses();
      const answer = await v1.post("/acl/replay", draft, reader);
      expect(answer.body).toMatchObject({ Refused: 0, Entries: [] });
      expect(answer.headers["x-service-results-filtered-by-acls"]).toBe("true");
      const stranger = await v1.tokenWith('key_prefix "" { policy = "read" }');
      expect((await v1.post("/acl/replay", draft, stranger)).status).toBe(403);
    });

    test("comes in pages, each of which counts all", async () => {
      const policy = await v1.policy('acl = "read"');
      for (let count = 0; count < 5; count++) {
        const { secret } = await v1.token({ Policies: [{ ID: policy }] });
        await v1.get("/acl/policies", secret);
      }
      const body = { DeletedPolicies: [{ ID: policy }] };
      const whole = await replayed(body);
      expect(whole.Entries).toHaveLength(5);
      const found: unknown[] = [];
      let after = "";
      do {
        const answer = await v1.post(`/acl/replay?page-size=2${after && `&after=${after}`}`, body);
        expect(answer.body).toMatchObject({ Refused: 5, Pairs: whole.Pairs });
        found.push(...(answer.body as Answer).Entries);
        after = (answer.headers["x-service-next"] as string | undefined) ?? "";
      } while (after !== "");
      expect(found).toEqual(whole.Entries);
    });

    test("is refused for what no write would take", async () => {
      const rule = { AuthMethod: "none", BindType: "role", BindName: "x" };
      const bad: [number, string, object][] = [
        [400, "", { Policies: [{ Name: "x", Rules: "nonsense {" }] }],
        [404, "", { Policies: [{ ID: NOBODY, Rules: "" }] }],
        [400, "", { BindingRules: [rule] }],
        [404, "", { DeletedBindingRules: [{ ID: NOBODY }] }],
        [400, "", { DeletedBindingRules: [{}] }],
        [400, "", { DeletedBindingRules: Array.from({ length: 1001 }, () => ({ ID: NOBODY })) }],
        [400, "?change=x", {}],
        [400, "?after=zz", {}],
        [400, `?after=${Buffer.from("[9").toString("hex")}`, {}],
        [400, "?page-size=0", {}],
      ];
      for (const [status, query, body] of bad) {
        const answer = await v1.post(`/acl/replay${query}`, body);
        expect([query, body, answer.status]).toEqual([query, body, status]);
      }
    });
  });
});
