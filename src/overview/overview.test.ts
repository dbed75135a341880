import { hostname } from "node:os";
import { expect, test } from "vitest";
import { forEachEngine } from "../../test/support/engines.ts";
import { makeIn, makeMethodIn, makeNamespace, secretIn } from "../../test/support/scopes.ts";
import { login } from "../../test/support/login.ts";
import { useV1 } from "../../test/support/v1.ts";
import { readVersion } from "../config/version.ts";

const KINDS = {
  Tokens: "tokens",
  Policies: "policies",
  Roles: "roles",
  AuthMethods: "auth-methods",
  BindingRules: "binding-rules",
};
const DAY_MS = 24 * 60 * 60 * 1000;

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  /** As somebody who has asked nothing yet: what was told is kept for a while. */
  const overview = async (rules: string) => {
    const { status, body, text } = await v1.get("/acl/overview", await v1.tokenWith(rules));
    expect(status, text).toBe(200);
    return body;
  };
  const EVERYTHING = `acl = "read" operator = "read"`;

  test("counts what lists show", async () => {
    await makeNamespace(v1, { namespace: "team-1" });
    await makeMethodIn(v1, { namespace: "team-1" });
    for (const kind of ["role", "role", "token", "policy"] as const)
      await makeIn(v1, { namespace: "team-1" }, kind, { Name: v1.unique("one") });
    const told = await overview(
      `namespace_prefix "" { acl = "read" } namespace "team-1" { acl = "read" } operator = "read"`,
    );
    for (const [member, list] of Object.entries(KINDS)) {
      const whole = (await v1.get(`/acl/${list}?ns=*`)).body as { Namespace: string }[];
      const first = told.Namespaces.First as Record<string, number | string>[];
      for (const namespace of first)
        expect(namespace[member]).toBe(whole.filter(({ Namespace }) => Namespace === namespace["Name"]).length);
      expect(told.Counts[member]).toBe(whole.length);
    }
    expect(told).not.toHaveProperty("Hidden");
    expect(told.Server.Ready).toBe(true);
    expect(told.Server.Checks[0]).toBe("[+] server: running");
    const self = {
      Name: `${hostname()}:${process.pid}`,
      Version: readVersion(),
      LastSeen: expect.any(String),
      Ready: true,
    };
    expect(told.Nodes).toEqual([self]);
  });

  test("tells of no namespace, organization or server more than the caller may see", async () => {
    await v1.api("POST", "/organizations", {
      data: { type: "organizations", attributes: { name: "hidden-org", email: "a@example.com" } },
    });
    await makeNamespace(v1, { namespace: "hidden-ns" });
    const secret = await secretIn(v1, {}, `namespace "default" { acl = "read" }`);
    const { body } = await v1.get("/acl/overview", secret);
    expect(body.Namespaces.First.map(({ Name }: { Name: string }) => Name)).toEqual(["default"]);
    expect(body.Counts.Policies).toBe(body.Namespaces.First[0].Policies);
    expect(body.Organizations).toEqual({ Count: 0, First: [] });
    for (const member of ["Server", "Nodes"]) expect(body).not.toHaveProperty(member);
    expect(body.Hidden).toBe(true);
    const nothing = (await v1.get("/acl/overview", await v1.tokenWith(""))).body;
    expect(nothing.Namespaces.First).toEqual([]);
    expect(nothing.Counts.Tokens).toBe(0);
    expect(nothing.UnusedTokens).toEqual({ Count: 0 });
  });

  test("counts tokens that end never, and those that nobody used for 90 days", async () => {
    const before = await overview(EVERYTHING);
    await v1.token({});
    await v1.token({ ExpirationTTL: "5h" });
    const after = await overview(EVERYTHING);
    // The token that asks is another one each time.
    expect(after.TokensWithoutExpiration.Count).toBe(before.TokensWithoutExpiration.Count + 2);
    expect(after.UnusedTokens).toEqual({ Count: 0 });
    const endless = (await v1.get("/acl/tokens?expires=never")).body as { ExpirationTime?: string }[];
    expect(endless.length).toBe(after.TokensWithoutExpiration.Count);
    expect(endless.filter(({ ExpirationTime }) => ExpirationTime !== undefined)).toEqual([]);
    expect((await v1.get("/acl/tokens?expires=soon")).status).toBe(400);
    v1.setNow(Date.now() + 100 * DAY_MS);
    const later = await overview(EVERYTHING);
    v1.setNow(undefined);
    const unused = (await v1.get("/acl/tokens?unused-for=90d")).body as unknown[];
    expect(later.UnusedTokens.Count).toBeGreaterThanOrEqual(unused.length);
  });

  test("tells which methods refuse logins", async () => {
    await makeMethodIn(v1, {}, { Name: "strict" });
    for (let count = 0; count < 3; count += 1) expect((await login(v1, "strict", "no JWT")).status).toBe(403);
    const refused = async () => (await overview(EVERYTHING)).RefusedLogins as unknown[];
    const told = { AuthMethod: "strict", Namespace: "default", Count: 3 };
    await expect.poll(refused, { timeout: 10_000 }).toContainEqual(told);
  });

  test("keeps for half a minute what it counted, for who has the same rights", async () => {
    const secret = await v1.tokenWith(`acl = "read"`);
    const first = (await v1.get("/acl/overview", secret)).body;
    v1.setNow(Date.now() + 10_000);
    expect((await v1.get("/acl/overview", secret)).body).toEqual(first);
    v1.setNow(Date.now() + 31_000);
    expect((await v1.get("/acl/overview", secret)).body.Time).not.toBe(first.Time);
    v1.setNow(undefined);
  });
});
