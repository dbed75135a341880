/** A reader of a workspace finds the organization that it lies in, by its name and with nothing else. */
import { beforeAll, expect, test } from "vitest";
import { forEachEngine } from "../../test/support/engines.ts";
import { told, useV1 } from "../../test/support/v1.ts";

forEachEngine((_engine, makeUrl) => {
  const v1 = useV1(makeUrl);

  async function make(path: string, type: string, attributes: object): Promise<string> {
    const answer = await v1.api("POST", path, { data: { type, attributes } });
    expect(answer.status, answer.text).toBe(201);
    return String(answer.body.data.id);
  }
  const workspace = (organization: string, name: string) =>
    make(`/organizations/${organization}/workspaces`, "workspaces", { name });

  beforeAll(async () => {
    for (const name of ["Harbour", "harbour-2", "yard", "empty"])
      await make("/organizations", "organizations", { name, email: `${name}@secret.example` });
    for (const name of ["pay-eu", "pay-us", "stock"]) await workspace("Harbour", name);
    await workspace("harbour-2", "crane");
    await workspace("yard", "gate");
  });

  const listed = async (token: string, query = "") => {
    const answer = await v1.api("GET", `/organizations${query}`, undefined, token);
    expect(answer.status, answer.text).toBe(200);
    return (answer.body.data as { id: string }[]).map(({ id }) => id);
  };

  test.each<[rules: string, wanted: string[]]>([
    ['workspace_prefix "harbour/pay-" { policy = "write" }', ["Harbour"]],
    ['workspace "HARBOUR/Stock" { policy = "read" }', ["Harbour"]],
    ['workspace "harbour/none" { policy = "read" }', []],
    ['workspace_prefix "harbour/q" { policy = "read" }', []],
    ['workspace_prefix "" { policy = "read" }', ["Harbour", "harbour-2", "yard"]],
    ['workspace_prefix "harbour" { policy = "read" }', ["Harbour", "harbour-2"]],
    ['workspace_prefix "" { policy = "read" }\nworkspace_prefix "harbour/" { policy = "deny" }', ["harbour-2", "yard"]],
    ['workspace_prefix "" { policy = "read" }\nworkspace "yard/gate" { policy = "deny" }', ["Harbour", "harbour-2"]],
    ['workspace_prefix "yard/" { policy = "read" }\nworkspace_prefix "yard/ga" { policy = "deny" }', []],
    [
      'workspace_prefix "" { policy = "read" }\norganization "harbour-2" { policy = "deny" }',
      ["Harbour", "harbour-2", "yard"],
    ],
    ['organization "empty" { policy = "read" }\nworkspace "yard/gate" { policy = "read" }', ["empty", "yard"]],
    ['organization_prefix "" { policy = "deny" }', []],
    ['key_prefix "" { policy = "write" }', []],
  ])("%s shows %j, in lists, pages and by name", async (rules, wanted) => {
    const token = await v1.tokenWith(rules);
    expect(await listed(token)).toEqual(wanted);
    expect(await listed(token, "?page[size]=100")).toEqual(wanted);
    const page = await v1.api("GET", "/organizations?page[size]=1", undefined, token);
    expect(page.body.meta.pagination["total-count"]).toBe(wanted.length);
    for (const name of ["Harbour", "harbour-2", "yard", "empty"]) {
      const { status } = await v1.api("GET", `/organizations/${name.toUpperCase()}`, undefined, token);
      expect([name, status]).toEqual([name, wanted.includes(name) ? 200 : 404]);
    }
  });

  test("the name, and permissions that are all false, are all that is told; the rest is missing as before", async () => {
    const token = await v1.tokenWith('workspace_prefix "harbour/pay-" { policy = "write" }');
    const get = (path: string) => v1.api("GET", path, undefined, token);
    const { body } = await get("/organizations/harbour?include=default_project,entitlement_set");
    const { permissions, ...attributes } = body.data.attributes as { permissions: Record<string, boolean> };
    expect(Object.keys(body.data)).toEqual(["id", "type", "attributes", "links"]);
    expect([body.data.id, attributes, body.included]).toEqual(["Harbour", { name: "Harbour" }, []]);
    expect(new Set(Object.values(permissions))).toEqual(new Set([false]));
    const full = (await v1.api("GET", "/organizations/harbour")).body.data.attributes.permissions as object;
    expect(Object.keys(permissions)).toEqual(Object.keys(full));
    expect((await get("/organizations")).body.data).toEqual([body.data]);
    for (const path of ["entitlement-set", "projects", "tags", "tag-policy", "reserved-tag-keys"]) {
      const there = await get(`/organizations/harbour/${path}`);
      const missing = await get(`/organizations/missing/${path}`);
      expect([path, there.status, there.text]).toEqual([path, missing.status, missing.text]);
    }
    for (const method of ["PATCH", "DELETE"] as const) {
      const change = method === "PATCH" ? { data: { type: "organizations", attributes: {} } } : undefined;
      expect((await v1.api(method, "/organizations/harbour", change, token)).status).toBe(404);
    }
  });

  test("whatever else lies under it is missing for who may only read a workspace in it, by whichever route", async () => {
    const token = await v1.tokenWith('workspace_prefix "harbour/pay-" { policy = "read" }');
    const { body } = await v1.send({ method: "GET", url: "/openapi.json" });
    const root = "/api/v2/organizations/{organization_name}";
    const paths = Object.entries(body.paths as Record<string, { get?: object }>).flatMap(([path, { get }]) =>
      get !== undefined && path.startsWith(root) ? [path.slice(root.length)] : [],
    );
    // Its name, and the workspaces that may be read.
    const seen = ["", "/workspaces", "/workspaces/{workspace_name}"];
    expect(paths).toEqual(expect.arrayContaining([...seen, "/events", "/tag-jobs", "/entitlement-set", "/projects"]));
    for (const path of paths) {
      const filled = path.replace("{workspace_name}", "pay-eu").replaceAll(/\{\w+\}/g, "any");
      const ask = (name: string) => v1.api("GET", `/organizations/${name}${filled}`, undefined, token);
      const there = await ask("harbour");
      if (seen.includes(path)) expect([path, there.status]).toEqual([path, 200]);
      else expect([path, there.status, there.text]).toEqual([path, 404, (await ask("missing")).text]);
    }
  });

  test("who may write a workspace in it may ask for jobs, and lists its own", async () => {
    const token = await v1.tokenWith('workspace_prefix "harbour/pay-" { policy = "write" }');
    const attributes = { action: "add", tags: [{ name: "steel" }] };
    await v1.api("POST", "/organizations/harbour/tag-jobs", { data: { type: "tag-jobs", attributes } });
    const { body: own } = await v1.api(
      "POST",
      "/organizations/harbour/tag-jobs",
      { data: { type: "tag-jobs", attributes } },
      token,
    );
    const { body } = await v1.api("GET", "/organizations/harbour/tag-jobs", undefined, token);
    expect((body.data as { id: string }[]).map(({ id }) => id)).toEqual([own.data.id]);
  });

  test("a search finds it by its name, and by the email only who may read it", async () => {
    const token = await v1.tokenWith(
      'workspace_prefix "" { policy = "read" }\norganization "yard" { policy = "read" }',
    );
    expect(await listed(token, "?q=harbour")).toEqual(["Harbour", "harbour-2"]);
    expect(await listed(token, "?q[name]=bour-")).toEqual(["harbour-2"]);
    for (const query of ["?q=secret.example", "?q[email]=secret.example"]) {
      expect(await listed(token, query)).toEqual(["yard"]);
      expect(await listed(token, `${query}&page[size]=5`)).toEqual(["yard"]);
    }
  });

  test("it comes with the first such workspace and goes with the last", async () => {
    await make("/organizations", "organizations", { name: "dock", email: "a@example.test" });
    const token = await v1.tokenWith('workspace_prefix "dock/pay-" { policy = "write" }');
    const status = async () => (await v1.api("GET", "/organizations/dock", undefined, token)).status;
    await workspace("dock", "other");
    expect([await status(), await listed(token)]).toEqual([404, []]);
    const id = await workspace("dock", "pay-1");
    expect([await status(), await listed(token)]).toEqual([200, ["dock"]]);
    await v1.api("DELETE", `/workspaces/${id}`);
    expect([await status(), await listed(token)]).toEqual([404, []]);
  });

  test("one that is forbidden is answered as one that is missing, by as many statements", async () => {
    for (const rules of [
      'workspace_prefix "none/" { policy = "read" }',
      'workspace "harbour/none" { policy = "read" }',
    ]) {
      const token = await v1.tokenWith(rules);
      const ask = (name: string) => v1.api("GET", `/organizations/${name}`, undefined, token);
      const [forbidden, missing] = [await ask("harbour"), await ask("missing")];
      expect(told(forbidden)).toEqual(told(missing));
      await v1.expectSameStatements(
        () => ask("harbour"),
        () => ask("missing"),
      );
    }
  });

  test("thousands of rules are one question", async () => {
    const rules = Array.from({ length: 3000 }, (_, at) => `workspace "org-${at % 900}/w-${at}" { policy = "read" }`);
    const token = await v1.tokenWith([...rules, 'workspace "yard/gate" { policy = "read" }'].join("\n"));
    expect(await listed(token)).toEqual(["yard"]);
  });
});
