import { beforeAll, describe, expect, test } from "vitest";
import { forEachEngine } from "../../test/support/engines.ts";
import { tagNames } from "../../test/support/api.ts";
import { loginIn, makeIn, makeMethodIn, makeNamespace } from "../../test/support/scopes.ts";
import { MANAGEMENT, NOBODY, told, useV1 } from "../../test/support/v1.ts";

interface Named {
  attributes: { name: string; "instance-count"?: number };
}

const read = (kind: string, segment: string) => `${kind} "${segment}" { policy = "read" }\n`;
const named = (type: string, name: string) => ({ data: { type, attributes: { name, email: "a@example.test" } } });

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);
  let tag = "";
  beforeAll(async () => {
    for (const org of ["alpha", "Beta", "beta-2", "gamma"])
      await v1.api("POST", "/organizations", named("organizations", org));
    for (const name of ["app", "App-2", "apple", "db", "secret"]) {
      const { body } = await v1.api("POST", "/organizations/beta/workspaces", named("workspaces", name));
      await v1.api("POST", `/workspaces/${body.data.id}/relationships/tags`, tagNames("used"));
    }
    tag = (await v1.api("GET", "/organizations/beta/tags")).body.data[0].id;
  });

  /** Names and total of a list, asked in pages of two. */
  async function list(path: string, token: string): Promise<{ names: string[]; total: number }> {
    const names: string[] = [];
    for (let page = 1; ; page++) {
      const sign = path.includes("?") ? "&" : "?";
      const { status, text, body } = await v1.api(
        "GET",
        `${path}${sign}page[size]=2&page[number]=${page}`,
        undefined,
        token,
      );
      expect(status, text).toBe(200);
      names.push(...(body.data as Named[]).map((each) => each.attributes.name));
      const { "total-count": total, "next-page": next, "total-pages": pages } = body.meta.pagination;
      expect(pages).toBe(Math.max(1, Math.ceil(total / 2)));
      if (next === null) return { names: names.toSorted(), total };
    }
  }

  describe("lists and their totals hold what may be seen, and nothing else", () => {
    const organizations: readonly [what: string, rules: string, seen: string[]][] = [
      ["all", read("organization_prefix", ""), ["Beta", "alpha", "beta-2", "gamma"]],
      ["none", "", []],
      ["one, in another case", read("organization", "BETA"), ["Beta"]],
      ["a prefix", read("organization_prefix", "BeTa"), ["Beta", "beta-2"]],
      [
        "incident 19: a prefix without one that is denied",
        `${read("organization_prefix", "")}organization "beta" { policy = "deny" }`,
        ["alpha", "beta-2", "gamma"],
      ],
      [
        "an exact read in a denied prefix",
        `organization_prefix "" { policy = "deny" } ${read("organization", "gamma")}`,
        ["gamma"],
      ],
      ["those that have workspaces, by rules for workspaces", read("workspace_prefix", ""), ["Beta"]],
    ];
    test.each(organizations)("organizations: %s", async (_what, rules, seen) => {
      const token = await v1.tokenWith(rules);
      expect(await list("/organizations", token)).toEqual({ names: seen, total: seen.length });
      const found = seen.filter((name) => name.toLowerCase().includes("beta"));
      expect(await list("/organizations?q=beta", token)).toEqual({ names: found, total: found.length });
    });

    const workspaces: readonly [what: string, rules: string, seen: string[]][] = [
      ["all of the organization", read("organization", "beta"), ["App-2", "app", "apple", "db", "secret"]],
      [
        "incident 19: without one that is denied",
        `${read("organization", "beta")}workspace "beta/SECRET" { policy = "deny" }`,
        ["App-2", "app", "apple", "db"],
      ],
      [
        "a prefix within a denied rest",
        `${read("organization", "beta")}workspace_prefix "beta/" { policy = "deny" } ${read("workspace_prefix", "BETA/app")}`,
        ["App-2", "app", "apple"],
      ],
      [
        "one by name",
        `${read("organization", "beta")}workspace_prefix "beta/" { policy = "deny" } ${read("workspace", "beta/db")}`,
        ["db"],
      ],
    ];
    test.each(workspaces)("workspaces: %s", async (_what, rules, seen) => {
      const token = await v1.tokenWith(rules);
      expect(await list("/organizations/beta/workspaces", token)).toEqual({ names: seen, total: seen.length });
      expect(await list(`/tags/${tag}/relationships/workspaces`, token)).toEqual({ names: seen, total: seen.length });
      const { body } = await v1.api("GET", "/organizations/beta/tags", undefined, token);
      expect((body.data as Named[]).map((each) => each.attributes["instance-count"])).toEqual([5]);
      const one = seen.filter((name) => name.toLowerCase().includes("app"));
      expect(await list("/organizations/beta/workspaces?search[name]=app", token)).toEqual({
        names: one,
        total: one.length,
      });
    });

    test("incident 18: a list is what may be read one by one", async () => {
      const token = await v1.tokenWith(
        `${read("organization", "beta")}workspace_prefix "beta/a" { policy = "deny" } ${read("workspace_prefix", "beta/app-")}`,
      );
      const { names } = await list("/organizations/beta/workspaces", token);
      for (const name of ["app", "App-2", "apple", "db", "secret"]) {
        const { status } = await v1.api("GET", `/organizations/beta/workspaces/${name}`, undefined, token);
        expect([name, status === 200]).toEqual([name, names.includes(name)]);
      }
    });
  });

  describe("a rename needs write on the old and on the new name", () => {
    const write = (kind: string, segment: string) => `${kind} "${segment}" { policy = "write" }\n`;

    test("of an organization", async () => {
      await v1.api("POST", "/organizations", named("organizations", "old-org"));
      const rename = async (from: string, to: string, rules: string) =>
        v1.api("PATCH", `/organizations/${from}`, named("organizations", to), await v1.tokenWith(rules));
      const all = write("organization", "OLD-ORG") + write("organization", "NEW-org");
      const missing = told(await rename("nobody", "new-org", all));
      for (const rules of [
        write("organization", "old-org") + read("organization", "new-org"),
        read("organization", "old-org") + write("organization", "new-org"),
      ]) {
        expect(told(await rename("old-org", "new-org", rules))).toEqual(missing);
      }
      expect((await rename("old-org", "New-Org", all)).status).toBe(200);
    });

    test("of a workspace", async () => {
      const { body } = await v1.api("POST", "/organizations/gamma/workspaces", named("workspaces", "old"));
      const rename = async (id: string, rules: string) =>
        v1.api(
          "PATCH",
          `/workspaces/${id}`,
          { data: { type: "workspaces", attributes: { name: "New" } } },
          await v1.tokenWith(rules),
        );
      const all = write("workspace", "GAMMA/old") + write("workspace", "gamma/NEW");
      const missing = told(await rename("ws-none", all));
      for (const rules of [
        write("workspace", "gamma/old") + read("workspace", "gamma/new"),
        write("organization", "gamma") + read("workspace", "gamma/new"),
      ]) {
        expect(told(await rename(body.data.id, rules))).toEqual(missing);
      }
      expect((await rename(body.data.id, all)).status).toBe(200);
    });
  });

  test("a token that a login made sees what the bound policy says, until its method goes", async () => {
    await v1.policy(read("organization", "beta"), "beta-readers");
    await makeMethodIn(v1, {});
    await makeIn(v1, {}, "binding-rule", { BindType: "policy", BindName: "beta-readers", Selector: "value.team == b" });
    await makeIn(v1, {}, "binding-rule", { Selector: "value.team == a" });
    const [a, b] = [await loginIn(v1, {}, { team: "a" }), await loginIn(v1, {}, { team: "b" })];
    expect(await list("/organizations", a.SecretID)).toEqual({ names: [], total: 0 });
    expect(await list("/organizations", b.SecretID)).toEqual({ names: ["Beta"], total: 1 });
    const workspaces = await list("/organizations/beta/workspaces", b.SecretID);
    expect(workspaces.names).toEqual(["App-2", "app", "apple", "db", "secret"]);
    const missing = await v1.api("GET", "/organizations/nobody", undefined, b.SecretID);
    const hidden = await v1.api("GET", "/organizations/alpha", undefined, b.SecretID);
    expect(told(hidden)).toEqual(told(missing));
    await v1.delete("/acl/auth-method/ruled");
    for (const { SecretID } of [a, b]) {
      expect((await v1.api("GET", "/organizations", undefined, SecretID)).status).toBe(401);
      expect((await v1.api("GET", "/organizations/beta", undefined, SecretID)).status).toBe(401);
    }
  });

  test("a login in another namespace gives nothing of organizations, whatever its policies are called", async () => {
    const place = { namespace: "tenant" };
    await makeNamespace(v1, place);
    await makeMethodIn(v1, place);
    const { ID } = await makeIn(v1, place, "policy", { Name: "everything" });
    const rules = read("organization_prefix", "");
    await v1.write((sql) => sql.updateTable("policies").set({ rules }).where("id", "=", String(ID)));
    for (const BindName of ["everything", "global-management", "namespace-management"]) {
      await makeIn(v1, place, "binding-rule", { BindType: "policy", BindName });
    }
    const token = await loginIn(v1, place);
    expect((token.Policies as { Name: string }[]).map(({ Name }) => Name).toSorted()).toEqual([
      "everything",
      "namespace-management",
    ]);
    expect(await list("/organizations", token.SecretID)).toEqual({ names: [], total: 0 });
  });

  test("the numbers of the server need operator:read", async () => {
    const ask = (token: string) =>
      v1.send({ method: "GET", url: "/metrics", headers: token ? { authorization: `Bearer ${token}` } : {} });
    const reader = await v1.tokenWith(`operator = "read"`);
    for (const token of [
      "",
      "anonymous",
      NOBODY,
      "<hidden>",
      "allow",
      await v1.tokenWith(`acl = "write" mesh = "write"`),
    ]) {
      const answer = await ask(token);
      expect([answer.status, answer.text.includes("# HELP")]).toEqual([403, false]);
    }
    for (const token of [reader, MANAGEMENT]) {
      const answer = await ask(token);
      expect([answer.status, answer.text.includes("# HELP")]).toEqual([200, true]);
    }
  });

  test("/api/v2 takes no anonymous token, whatever that may do, and no token beside the header", async () => {
    const path = "/acl/token/00000000-0000-0000-0000-000000000002";
    await v1.patch(path, { Policies: [{ Name: "global-management" }] });
    for (const token of ["anonymous", NOBODY])
      expect((await v1.api("GET", "/organizations", undefined, token)).status).toBe(401);
    expect((await v1.send({ method: "GET", url: `/api/v2/organizations?token=${MANAGEMENT}` })).status).toBe(401);
    expect((await v1.get("/acl/policies", "")).status).toBe(200);
    await v1.patch(path, { Policies: [] });
  });
});

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl, { config: { metricsOpen: true } });

  test("unless the operator has opened them to everybody", async () => {
    expect((await v1.send({ method: "GET", url: "/metrics" })).text).toContain("# HELP");
  });
});
