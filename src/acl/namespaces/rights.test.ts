import { beforeAll, describe, expect, test } from "vitest";
import type { Answer } from "../../../test/support/api.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { RESERVED, useV1, type V1 } from "../../../test/support/v1.ts";

const ALL = ["beta", "default", "team-a", "team-b"];

/** Each with the namespaces that it shows. */
const SIGHTS: readonly [rules: string, seen: string[]][] = [
  ["", []],
  ['operator = "read"', ALL],
  ['operator = "write"', ALL],
  ['operator = "deny" acl = "read"', ["default"]],
  ['acl = "read"', ["default"]],
  ['acl = "write"', ["default"]],
  ['acl = "deny"', []],
  ['key "some/thing" { policy = "read" }', ["default"]],
  ['key_prefix "" { policy = "list" }', ["default"]],
  ['key_prefix "" { policy = "deny" }', []],
  ['service "web" { policy = "write" }', ["default"]],
  ['service "web" { policy = "deny" intentions = "read" }', ["default"]],
  ['node_prefix "" { policy = "read" }', ["default"]],
  ['session_prefix "" { policy = "read" }', ["default"]],
  // These speak of the whole server, and not of what lies in a namespace.
  ['keyring = "write"', []],
  ['organization "acme" { policy = "write" }', []],
  ['workspace "acme/prod" { policy = "write" }', []],
  ['namespace "team-a" { policy = "read" }', ["team-a"]],
  ['namespace "team-a" { policy = "write" }', ["team-a"]],
  ['namespace "TEAM-a" { policy = "read" }', ["team-a"]],
  ['namespace "team-a" { acl = "read" }', ["team-a"]],
  ['namespace "team-a" { key "x" { policy = "read" } }', ["team-a"]],
  ['namespace "team-a" { key "x" { policy = "deny" } }', []],
  ['namespace "team-a" { policy = "deny" acl = "write" }', []],
  ['namespace_prefix "team-" { policy = "read" }', ["team-a", "team-b"]],
  ['namespace_prefix "team-" { service_prefix "" { policy = "read" } }', ["team-a", "team-b"]],
  ['namespace_prefix "team-" { policy = "read" } namespace "team-a" { policy = "deny" }', ["team-b"]],
  ['namespace_prefix "" { policy = "deny" } namespace "team-b" { policy = "read" }', ["team-b"]],
  ['namespace_prefix "" { policy = "read" } namespace_prefix "team-" { policy = "deny" }', ["beta", "default"]],
  ['namespace_prefix "" { acl = "read" }', ALL],
  ['operator = "read" namespace "team-a" { policy = "deny" }', ALL],
  ['partition "other" { acl = "read" }', []],
  ['partition_prefix "" { namespace "beta" { acl = "read" } }', ["beta"]],
];

async function seen(v1: V1, secret: string, search = ""): Promise<{ names: string[]; filtered: unknown }> {
  const answer = await v1.get(`/namespaces${search}`, secret);
  expect(answer.status, answer.text).toBe(200);
  const { headers } = answer;
  expect(headers["x-consul-results-filtered-by-acls"]).toBe(headers["x-service-results-filtered-by-acls"]);
  const names = (answer.body as { Name: string }[]).map(({ Name }) => Name);
  return { names, filtered: headers["x-service-results-filtered-by-acls"] };
}

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  beforeAll(async () => {
    for (const Name of ALL.filter((each) => each !== "default")) await v1.put("/namespace", { Name });
  });

  describe("who sees a namespace", () => {
    test.each(SIGHTS)("by the rules %j it is %j, in the list, one by one and when asked", async (rules, wanted) => {
      const secret = await v1.tokenWith(rules);
      const filtered = wanted.length === ALL.length ? undefined : "true";
      expect(await seen(v1, secret)).toEqual({ names: wanted, filtered });
      const questions = ALL.map((Namespace) => ({ Resource: "namespace", Access: "read", Namespace }));
      const answers = (await v1.post("/internal/acl/authorize", questions, secret)).body as { Allow: boolean }[];
      for (const [at, name] of ALL.entries()) {
        const sees = wanted.includes(name);
        expect([name, (await v1.get(`/namespace/${name}`, secret)).status]).toEqual([name, sees ? 200 : 403]);
        expect([name, answers[at]?.Allow]).toEqual([name, sees]);
      }
    });

    test("a page and a search say that something is hidden, whatever is searched for: nobody guesses names by it", async () => {
      const secret = await v1.tokenWith('namespace_prefix "team-" { policy = "read" } acl = "read"');
      const cases: [query: string, names: string[], filtered: string][] = [
        ["", ["default", "team-a", "team-b"], "true"],
        ["?search=team", ["team-a", "team-b"], "true"],
        ["?search=bet", [], "true"],
        ["?search=a", ["default", "team-a", "team-b"], "true"],
        ["?search=nobody", [], "true"],
        ["?page-size=1", ["default"], "true"],
        ["?search=team&page-size=1", ["team-a"], "true"],
      ];
      for (const [query, names, filtered] of cases) {
        expect({ query, ...(await seen(v1, secret, query)) }).toEqual({ query, names, filtered });
      }
    });

    test("the anonymous token is told too when something is left out", async () => {
      expect(await seen(v1, "")).toEqual({ names: [], filtered: "true" });
      const policy = await v1.policy('namespace "beta" { policy = "read" }');
      await v1.put(`/acl/token/${RESERVED}02`, { Policies: [{ ID: policy }] });
      expect(await seen(v1, "")).toEqual({ names: ["beta"], filtered: "true" });
      expect(await seen(v1, "", "?search=beta")).toEqual({ names: ["beta"], filtered: "true" });
      expect((await v1.get("/namespace/beta", "")).status).toBe(200);
      expect(await v1.get("/namespace/team-a", "")).toMatchObject({
        status: 403,
        text: expect.stringMatching(/^Permission denied: anonymous token lacks permission 'operator:read'\./),
      });
      await v1.put(`/acl/token/${RESERVED}02`, { Policies: [] });
    });

    test("a token of a namespace sees its own by any right in it, and no other", async () => {
      const tenant = async (content: object) => (await v1.put("/acl/token?ns=team-a", content)).body.SecretID as string;
      const managed = await tenant({ Policies: [{ Name: "namespace-management" }] });
      expect(await seen(v1, managed)).toEqual({ names: ["team-a"], filtered: "true" });
      expect((await v1.get("/namespace/default", managed)).status).toBe(403);
      expect((await v1.get("/namespace/team-b", managed)).status).toBe(403);
      expect((await v1.get("/namespace/team-a", managed)).body).toMatchObject({ Name: "team-a" });
      expect(await seen(v1, await tenant({}))).toEqual({ names: [], filtered: "true" });
    });

    test("what identities read in every namespace shows none but the own", async () => {
      const identity = { ServiceIdentities: [{ ServiceName: "web" }] };
      const inTeam = (await v1.put("/acl/token?ns=team-a", identity)).body.SecretID as string;
      expect(await seen(v1, inTeam)).toEqual({ names: ["team-a"], filtered: "true" });
      const inDefault = (await v1.token(identity)).secret;
      expect(await seen(v1, inDefault)).toEqual({ names: ["default"], filtered: "true" });
      const templated = { TemplatedPolicies: [{ TemplateName: "builtin/dns" }] };
      expect((await seen(v1, (await v1.token(templated)).secret)).names).toEqual(["default"]);
    });
  });

  describe("who writes a namespace", () => {
    const writes: Record<string, (name: string, token: string) => Promise<Answer>> = {
      create: (Name, token) => v1.put("/namespace", { Name }, token),
      replace: (name, token) => v1.put(`/namespace/${name}`, {}, token),
      patch: (name, token) => v1.patch(`/namespace/${name}`, { Description: "x" }, token),
      delete: (name, token) => v1.delete(`/namespace/${name}`, token),
    };

    test("no right in a namespace, however wide, is a right on it: operator counts only from default", async () => {
      const rules = 'acl = "write" key_prefix "" { policy = "write" } service_prefix "" { policy = "write" }';
      const policy = (await v1.put("/acl/policy?ns=team-a", { Name: v1.unique("wide"), Rules: rules })).body;
      const refused = await v1.put("/acl/policy?ns=team-a", { Name: "operator", Rules: 'operator = "write"' });
      expect(refused).toMatchObject({ status: 400, text: expect.stringContaining("operator") });
      const { SecretID } = (await v1.put("/acl/token?ns=team-a", { Policies: [{ ID: policy.ID }] })).body;
      for (const write of Object.values(writes)) {
        for (const name of ["team-a", "team-b"]) expect((await write(name, SecretID)).status).toBe(403);
      }
    });
  });

  test("the policy namespace-management allows everything in its namespace and nothing outside it", async () => {
    const [policy] = (await v1.get("/acl/policies?ns=beta")).body;
    const { SecretID } = (await v1.put("/acl/token?ns=beta", { Policies: [{ ID: policy.ID }] })).body;
    const inside = [
      ...["acl", "key", "service", "session", "intention"].flatMap((Resource) => [
        { Resource, Access: "read" },
        { Resource, Access: "write" },
      ]),
      { Resource: "key", Access: "list" },
      { Resource: "node", Access: "read" },
    ];
    const outside = [
      ...["operator", "keyring", "mesh", "peering", "agent", "event", "query", "organization", "workspace"].flatMap(
        (Resource) => [
          { Resource, Access: "read" },
          { Resource, Access: "write" },
        ],
      ),
      { Resource: "node", Access: "write" },
    ];
    const allowed = async (questions: object[], Namespace: string) => {
      const body = questions.map((question) => ({ ...question, Segment: "x", Namespace }));
      const answers = (await v1.post("/internal/acl/authorize", body, SecretID)).body as { Allow: boolean }[];
      return new Set(answers.map(({ Allow }) => Allow));
    };
    expect(await allowed(inside, "beta")).toEqual(new Set([true]));
    expect(await allowed(outside, "beta")).toEqual(new Set([false]));
    for (const other of ["default", "team-a"]) {
      expect(await allowed([...inside, ...outside], other)).toEqual(new Set([false]));
    }
    // It is a policy like any other, to its own holder too.
    const made = await v1.put("/acl/policy", { Name: "by-tenant", Rules: 'key "a" { policy = "read" }' }, SecretID);
    expect(made.body).toMatchObject({ Namespace: "beta" });
    const less = await v1.patch(`/acl/policy/${policy.ID}`, { Rules: 'acl = "read"' }, SecretID);
    expect(less.status, less.text).toBe(200);
    expect((await v1.put("/acl/policy", { Name: "again" }, SecretID)).status).toBe(403);
    expect((await v1.delete(`/acl/policy/${policy.ID}?ns=beta`)).text).toBe("true");
    expect((await v1.get("/acl/policies", SecretID)).status).toBe(403);
  });

  describe("with the default policy allow", () => {
    const open = useV1(makeUrl, { config: { defaultPolicy: "allow" } });
    test("everybody sees every namespace and may write one, but not link to anything", async () => {
      await open.put("/namespace", { Name: "one" });
      const { secret } = await open.token();
      expect(await seen(open, secret)).toEqual({ names: ["default", "one"], filtered: undefined });
      expect(await seen(open, "")).toEqual({ names: ["default", "one"], filtered: undefined });
      expect((await open.put("/namespace", { Name: "two" }, secret)).status).toBe(200);
      const ACLs = { PolicyDefaults: [{ Name: "global-management" }] };
      expect((await open.put("/namespace", { Name: "two", ACLs }, secret)).status).toBe(403);
      const denied = await open.tokenWith('operator = "deny" namespace "one" { policy = "deny" }');
      expect(await seen(open, denied)).toEqual({ names: [], filtered: "true" });
    });
  });
});
