import { expect, test } from "vitest";
import { declare, linesOf, planOf, serverOf } from "../../../test/support/declared.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { useV1 } from "../../../test/support/v1.ts";

interface Findings {
  Errors: object[];
  Warnings: { Code: string; Message: string }[];
}

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  const check = async (noun: string, body: object, query: string) =>
    (await v1.post(`/acl/${noun}/check${query}`, body)).body as Findings;

  test("incident 77: says of a policy from elsewhere what decides otherwise here", async () => {
    const messages = async (Rules: string, from: string) => {
      const { Errors, Warnings } = await check("policy", { Name: v1.unique("origin"), Rules }, `?from=${from}`);
      expect(Errors).toEqual([]);
      return Warnings.filter(({ Code }) => Code === "other-meaning").map(({ Message }) =>
        Message.split(": ").slice(1).join(": "),
      );
    };
    const ours = 'organization "acme" { policy = "write" }\nacl = "read"';
    expect(await messages(ours, "consul")).toEqual(['organization "acme": nothing becomes write']);
    const block = 'namespace "team" { acl = "write" }';
    expect(await messages(block, "consul")).toEqual([]);
    expect(await messages(block, "consul-community")).toEqual(['acl in namespace "team": nothing becomes write']);
    expect(await messages('acl = "Write"', "tessera")).toEqual(["acl: write becomes nothing"]);
    expect(await messages('acl = "Write"', "consul")).toEqual([]);
    const unknown = await v1.post("/acl/policy/check?from=elsewhere", { Rules: "" });
    expect([unknown.status, unknown.text]).toEqual([400, expect.stringContaining("consul-community")]);
  });

  test("incident 77: what nobody knows to deny in Consul, and names in letters that fold into ASCII, are refused of it", async () => {
    const errors = async (Rules: string, from: string) => {
      const { Errors } = await check("policy", { Name: v1.unique("origin"), Rules }, `?from=${from}`);
      return Errors.map((each) => {
        const { Message, Line, Column, DidYouMean } = each as Record<string, unknown>;
        return [String(Message).split(" ")[0], Line, Column, DidYouMean];
      });
    };
    const cases: [rules: string, ...error: unknown[]][] = [
      ['acl = "read"\noperator = "Deny"', '"Deny"', 2, 12, "deny"],
      ['key "a" { policy = "DENY" }', '"DENY"', 1, 20, "deny"],
      ['service "a" { policy = "read" intentions = "dEny" }', '"dEny"', 1, 44, "deny"],
      ['namespace "a" {\n  key_prefix "" { policy = "Deny" }\n}', '"Deny"', 2, 28, "deny"],
      ['namespace "a" { policy = "Deny" }', '"Deny"', 1, 26, "deny"],
      ['{"key": {"a": [{"policy": "Deny"}]}}', '"Deny"', 1, 27, "deny"],
      ['{"\u017fervice": {"a": {"policy": "deny"}}}', '"\u017fervice"', 1, 2, "service"],
      ['{"\u212aey": {"a": {"policy": "read"}}}', '"\u212aey"', 1, 2, "key"],
      ['{"service": {"a": {"policy": "read", "intention\u017f": "deny"}}}', '"intention\u017f"', 1, 38, "intentions"],
    ];
    for (const [rules, ...error] of cases)
      for (const from of ["consul", "consul-community"])
        expect([rules, from, await errors(rules, from)]).toEqual([rules, from, [error]]);
    for (const rules of ['acl = "deny"', 'acl = "Write"', '{"\u017feal": {}}', 'key "Deny" { policy = "read" }'])
      expect([rules, await errors(rules, "consul")]).toEqual([rules, []]);
    for (const [rules] of cases) expect([rules, await errors(rules, "tessera")]).toEqual([rules, []]);
  });

  test("letters that fold into ASCII name nobody else: not in files, filters or rules", async () => {
    const rules = 'workspace "acme/\u212a8s" { policy = "write" }';
    const secret = await v1.tokenWith(rules);
    const asked = [{ Resource: "workspace", Segment: "acme/k8s", Access: "write" }];
    expect((await v1.post("/acl/authorize", asked, secret)).body).toMatchObject([{ Allow: false }]);
    await v1.policy("", "k8s");
    await v1.token({ ServiceIdentities: [{ ServiceName: "k8s" }] });
    expect((await v1.get("/acl/tokens?servicename=K8S")).body).toHaveLength(1);
    expect((await v1.get(`/acl/tokens?servicename=${encodeURIComponent("\u212a8s")}`)).body).toEqual([]);
    const plan = await planOf(await serverOf(v1), declare({ "a.yaml": "{ kind: policy, name: \u212a8s }\n" }));
    expect(linesOf(plan)).toEqual(["create policy default/default/\u212a8s"]);
    expect(linesOf(await planOf(await serverOf(v1), declare({ "a.yaml": "{ kind: policy, name: K8S }\n" })))).toEqual(
      [],
    );
  });

  test("says of what is not lower case that it says nothing of intentions only where rules are about them", async () => {
    const said = async (Rules: string) => (await check("policy", { Rules }, "")).Warnings[0]?.Message;
    const least = "and does not set intentions";
    for (const block of ["service", "service_prefix", "namespace"])
      expect([block, await said(`${block} "a" { policy = "Write" }`)]).toEqual([block, expect.stringContaining(least)]);
    for (const block of ["key", "key_prefix", "node", "workspace", "session"]) {
      const message = await said(`${block} "a/b" { policy = "Write" }`);
      expect([block, message]).toEqual([
        block,
        expect.stringContaining("every other rule for the same name overrides it"),
      ]);
      expect(message).not.toContain(least);
    }
  });
});
