import { beforeAll, describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { idOf, makeNamespace } from "../../../test/support/scopes.ts";
import { MANAGEMENT, useV1 } from "../../../test/support/v1.ts";
import { noteLedgerSince } from "../flush.ts";

interface Line {
  Line: number;
  Rule: string;
  Action: string;
  Reason: string;
  Names?: string[];
  Other?: { Rule: string; Policies: string[] };
}
interface Draft {
  Rules?: string;
  Changed: boolean;
  Lines: Line[];
  Holders: { Tokens: number };
}

const RULES = `# of the team
key_prefix "app/" {
  policy = "write"
}
key "app/secret" { policy = "deny" }
node_prefix "" {
  policy = "read" # nobody
}
`;

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  beforeAll(() => noteLedgerSince(v1.db, true));

  /** Has a token ask about itself, which counts as use. */
  async function use(
    secret: string,
    ...questions: [Resource: string, Access: string, Segment: string][]
  ): Promise<void> {
    const asked = questions.map(([Resource, Access, Segment]) => ({ Resource, Access, Segment }));
    await v1.post("/internal/acl/authorize", asked, secret);
    await v1.flushUses();
  }

  async function tightened(policy: string, body: object = {}, secret = MANAGEMENT, query = ""): Promise<Draft> {
    const answer = await v1.post(`/acl/policy/${policy}/tighten${query}`, body, secret);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body as Draft;
  }

  test("a draft has the names that were used, keeps denials and drops what nobody used", async () => {
    const policy = await v1.policy(RULES);
    const { secret } = await v1.token({ Policies: [{ ID: policy }] });
    await use(secret, ["key", "read", "app/a"], ["key", "write", "app/b"]);
    const { Rules, Lines, Changed, Holders } = await tightened(policy);
    expect(Rules).toBe(`# of the team
key "app/a" {
  policy = "read"
}
key "app/b" {
  policy = "write"
}
key "app/secret" { policy = "deny" }
`);
    expect(Changed).toBe(true);
    expect(Holders.Tokens).toBe(1);
    expect(Lines).toMatchObject([
      { Line: 2, Rule: 'key_prefix "app/"', Action: "replaced", Reason: "used-by-name", Names: ["app/a", "app/b"] },
      { Line: 5, Rule: 'key "app/secret"', Action: "kept", Reason: "denies" },
      { Line: 6, Rule: 'node_prefix ""', Action: "dropped", Reason: "unused" },
    ]);
    const effect = await v1.post("/acl/effect", { Policies: [{ ID: policy, Rules }] });
    expect(effect.body).toMatchObject({ Complete: true, Tokens: { Gain: 0, Lose: 1 } });
    expect((await v1.get(`/acl/policy/${policy}`)).body).toMatchObject({ Rules: RULES });
  });

  test("questions about others count only for decision points that the request names", async () => {
    const policy = await v1.policy('key "a" { policy = "read" }');
    const { accessor } = await v1.token({ Policies: [{ ID: policy }] });
    const before = await tightened(policy);
    const payload = {
      subject: { type: "token", id: accessor },
      resource: { type: "key", id: "a" },
      action: { name: "read" },
    };
    const [gateway, other] = await Promise.all(
      Array.from({ length: 2 }, async () => v1.token({ Policies: [{ ID: await v1.policy('acl = "read"') }] })),
    );
    const headers = { authorization: `Bearer ${gateway?.secret}`, "content-type": "application/json" };
    const answer = await v1.send({ method: "POST", url: "/access/v1/evaluation", headers, payload });
    expect(answer.body).toMatchObject({ decision: true });
    await v1.flushUses();
    expect(await tightened(policy)).toEqual(before);
    expect(before.Lines).toMatchObject([{ Action: "dropped" }]);
    const named = async (...DecisionPoints: unknown[]) => (await tightened(policy, { DecisionPoints })).Lines;
    expect(await named(gateway?.accessor.toUpperCase())).toMatchObject([{ Action: "kept", Reason: "used" }]);
    expect(await named(other?.accessor, "sso/gateway")).toEqual(before.Lines);
    const { body } = await v1.get("/acl/use?by=decision-point");
    expect(body).toMatchObject({ Entries: [{ DecisionPoint: gateway?.accessor, Others: 1, Enforced: 0 }] });
    for (const DecisionPoints of [[""], Array.from({ length: 101 }, (_, index) => `p${index}`)])
      expect((await v1.post(`/acl/policy/${policy}/tighten`, { DecisionPoints })).status).toBe(400);
  });

  test("use before the days that were asked for does not count", async () => {
    const policy = await v1.policy('key "a" { policy = "read" }');
    const { secret } = await v1.token({ Policies: [{ ID: policy }] });
    await use(secret, ["key", "read", "a"]);
    v1.setNow(v1.now() + 10 * 86_400_000);
    expect((await tightened(policy, { Days: 11 })).Lines).toMatchObject([{ Action: "kept" }]);
    expect((await tightened(policy, { Days: 10 })).Lines).toMatchObject([{ Action: "dropped" }]);
    v1.setNow(undefined);
  });

  test("names stay a prefix for a caller who may not read them, and what is to be kept stays", async () => {
    const policy = await v1.policy('key_prefix "app/" { policy = "write" }\nnode "n" { policy = "read" }');
    const { secret } = await v1.token({ Policies: [{ ID: policy }] });
    await use(secret, ["key", "read", "app/hidden"]);
    const reader = await v1.token({
      Policies: [{ ID: await v1.policy('acl = "read" namespace_prefix "" { acl = "read" }') }],
    });
    const shown = await tightened(policy, {}, reader.secret);
    expect(JSON.stringify(shown)).not.toContain("app/hidden");
    expect(shown.Lines).toMatchObject([{ Action: "lowered", Reason: "names-hidden" }, { Action: "dropped" }]);
    const Keep = [
      { Resource: "key", Segment: "app/", Prefix: true },
      { Resource: "node", Segment: "n" },
    ];
    const kept = await tightened(policy, { Keep });
    expect(kept).toMatchObject({ Changed: false, Lines: [{ Reason: "asked-to-keep" }, { Reason: "asked-to-keep" }] });
    const named = await tightened(policy, { Keep: [{ Resource: "key", Segment: "app/other" }] });
    expect(named.Lines[0]).toMatchObject({ Action: "replaced", Names: ["app/hidden", "app/other"] });
  });

  test("a rule that hides a default of the namespace stays", async () => {
    const behind = await v1.policy('namespace_prefix "" { key_prefix "" { policy = "write" } }');
    await makeNamespace(v1, { namespace: "behind" }, { ACLs: { PolicyDefaults: [{ ID: behind }] } });
    const Rules = 'key_prefix "app/" { policy = "read" }\nnode "n" { policy = "read" }';
    const policy = idOf((await v1.put("/acl/policy?ns=behind", { Name: "tightened", Rules })).body);
    await v1.put("/acl/token?ns=behind", { Policies: [{ ID: policy }] });
    const { Lines } = await tightened(policy, {}, MANAGEMENT, "?ns=behind");
    expect(Lines).toMatchObject([
      { Action: "kept", Reason: "hides", Other: { Rule: 'key_prefix ""' } },
      { Action: "dropped", Reason: "unused" },
    ]);
  });

  describe("a role", () => {
    test("loses the policies that nobody used, and none that hides a rule", async () => {
      const [used, unused, denying] = await Promise.all([
        v1.policy('key "used" { policy = "read" }'),
        v1.policy('key "unused" { policy = "read" }'),
        v1.policy('key "secret" { policy = "deny" }'),
      ]);
      const links = [used, unused, denying].map((ID) => ({ ID }));
      const role = await v1.put("/acl/role", { Name: "tightened", Policies: links });
      const { ID } = role.body as { ID: string };
      const { secret } = await v1.token({ Roles: [{ ID }] });
      await use(secret, ["key", "read", "used"]);
      const answer = await v1.post(`/acl/role/${ID}/tighten`, { Days: 1 });
      expect(answer.body).toMatchObject({ Offered: true, Holders: { Roles: 1, Tokens: 1 } });
      const { Policies } = answer.body as { Policies: { ID: string; Action: string; Reason: string }[] };
      const fates = new Map(Policies.map((each) => [each.ID, `${each.Action} ${each.Reason}`]));
      expect([used, unused, denying].map((id) => fates.get(id))).toEqual([
        "kept used",
        "dropped unused",
        "kept denies",
      ]);
      const kept = await v1.post(`/acl/role/${ID}/tighten`, { Keep: [unused] });
      expect(JSON.stringify(kept.body)).toContain("asked-to-keep");
    });
  });

  test("whoever may not read all holders is refused, and bad requests name their reason", async () => {
    const policy = await v1.policy('key "a" { policy = "read" }');
    const partly = await v1.token({ Policies: [{ ID: await v1.policy('acl = "read"') }] });
    const none = await v1.token({ Policies: [] });
    for (const { secret } of [partly, none]) {
      expect((await v1.post(`/acl/policy/${policy}/tighten`, {}, secret)).status).toBe(403);
      expect((await v1.post(`/acl/role/${policy}/tighten`, {}, secret)).status).toBe(403);
    }
    const missing = "3f1f2b4e-7d9c-4f57-9a51-2d5f6d0f5c11";
    expect((await v1.post(`/acl/policy/${missing}/tighten`, {})).status).toBe(404);
    expect((await v1.post(`/acl/role/${missing}/tighten`, {})).status).toBe(404);
    for (const Days of [0, 129]) expect((await v1.post(`/acl/policy/${policy}/tighten`, { Days })).status).toBe(400);
    const tooMany: [string, object][] = [
      ["policy", { Keep: Array.from({ length: 1001 }, () => ({ Resource: "key" })) }],
      ["role", { Keep: Array.from({ length: 1001 }, () => missing) }],
      ["policy", { DecisionPoints: Array.from({ length: 101 }, () => missing) }],
    ];
    const role = await v1.role({ Name: v1.unique("bad") });
    for (const [kind, body] of tooMany) {
      const answer = await v1.post(`/acl/${kind}/${kind === "role" ? role : policy}/tighten`, body);
      expect([answer.status, answer.text]).toEqual([
        400,
        expect.stringContaining(`Too many entries in ${Object.keys(body)[0]}`),
      ]);
    }
    const builtin = await v1.post("/acl/policy/00000000-0000-0000-0000-000000000001/tighten", {});
    expect(builtin).toMatchObject({ status: 400 });
    await noteLedgerSince(v1.db, false);
    expect((await v1.post(`/acl/policy/${policy}/tighten`, {})).text).toContain("not recorded");
    await noteLedgerSince(v1.db, true);
  });
});
