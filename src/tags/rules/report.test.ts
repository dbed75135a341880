import { expect, it } from "vitest";
import { useApi, type Api } from "../../../test/support/api.ts";
import { forEachEngine } from "../../../test/support/engines.ts";

interface Shortcoming {
  id: string;
  attributes: { "workspace-name": string; "violation-count": number; violations: { rule: string; detail: string }[] };
}

async function put(api: Api, organization: string, rules: object[]): Promise<void> {
  const { status, text } = await api.put(`/organizations/${organization}/tag-policy`, {
    data: { type: "tag-policies", attributes: { enforce: "advise", rules } },
  });
  expect(status, text).toBe(200);
}

async function bind(api: Api, holder: string, bindings: Record<string, string>): Promise<void> {
  const data = Object.entries(bindings).map(([key, value]) => ({ type: "tag-bindings", attributes: { key, value } }));
  const answer = await api.patch(`/${holder}/tag-bindings`, { data });
  expect(answer.status, answer.text).toBe(200);
}

/** As `workspace: rules`. */
async function report(api: Api, organization: string, query = "", token?: string): Promise<string[]> {
  const { status, body, text } = await api.get(`/organizations/${organization}/tag-policy/report${query}`, token);
  expect(status, text).toBe(200);
  return (body.data as Shortcoming[]).map(
    ({ attributes }) => `${attributes["workspace-name"]}: ${attributes.violations.map(({ rule }) => rule).join()}`,
  );
}

async function projectOf(api: Api, organization: string, workspaces: string[]): Promise<string> {
  const data = { type: "projects", attributes: { name: "project" } };
  const id = String((await api.post(`/organizations/${organization}/projects`, { data })).body.data.id);
  const moved = { data: workspaces.map((workspace) => ({ type: "workspaces", id: workspace })) };
  expect((await api.post(`/projects/${id}/relationships/workspaces`, moved)).status).toBe(204);
  return id;
}

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);

  it("the report says who falls short of what, by what is carried, bound and inherited, after every write", async () => {
    const org = await api.organization();
    const [empty, flat, bound, inherits] = [
      await api.workspace(org, "Empty"),
      await api.workspace(org, "flat", ["owner", "env"]),
      await api.workspace(org, "bound"),
      await api.workspace(org, "inherits"),
    ];
    const project = await projectOf(api, org, [inherits]);
    await bind(api, `projects/${project}`, { owner: "us", env: "prod" });
    await bind(api, `workspaces/${bound}`, { owner: "me", env: "test" });
    await put(api, org, [
      { name: "owners", "required-keys": ["owner"] },
      { name: "stages", key: "env", "allowed-values": ["dev", "prod"] },
    ]);
    const answer = await api.get(`/organizations/${org}/tag-policy/report`);
    expect(answer.body.meta.pagination["total-count"]).toBe(2);
    expect(answer.body.data[1]).toEqual({
      id: empty,
      type: "tag-policy-shortcomings",
      attributes: {
        "workspace-name": "Empty",
        "violation-count": 1,
        violations: [{ rule: "owners", detail: "The key owner is missing" }],
      },
      relationships: { workspace: { data: { id: empty, type: "workspaces" } } },
    });
    expect(await report(api, org)).toEqual(["bound: stages", "Empty: owners"]);
    await bind(api, `workspaces/${inherits}`, { env: "test" });
    await bind(api, `workspaces/${bound}`, { env: "dev" });
    expect(await report(api, org)).toEqual(["Empty: owners", "inherits: stages"]);
    await api.post(`/workspaces/${empty}/relationships/tags`, {
      data: [{ type: "tags", attributes: { name: "owner" } }],
    });
    await put(api, org, [
      { name: "stages", project, key: "env", "allowed-values": ["dev", "prod"] },
      { name: "names", "naming-pattern": "own.*" },
    ]);
    expect(await report(api, org)).toEqual(["bound: names", "flat: names", "inherits: stages,names"]);
    expect((await api.delete(`/workspaces/${flat}`)).status).toBe(204);
    await put(api, org, []);
    expect(await report(api, org)).toEqual([]);
  });

  it("pages of the report hold each workspace once, in order of names, with all their number", async () => {
    const org = await api.organization();
    const names = Array.from({ length: 107 }, (_, index) => `w${String(index).padStart(3, "0")}`);
    for (const name of names) await api.workspace(org, name, name.endsWith("5") ? ["owner"] : []);
    await put(api, org, [{ name: "owners", "required-keys": ["owner"] }]);
    const expected = names.filter((name) => !name.endsWith("5")).map((name) => `${name}: owners`);
    const seen: string[] = [];
    for (const number of [1, 2, 3, 4]) {
      const query = `?page[size]=40&page[number]=${number}`;
      const { body } = await api.get(`/organizations/${org}/tag-policy/report${query}`);
      expect(body.meta.pagination).toMatchObject({ "total-count": expected.length, "total-pages": 3 });
      seen.push(...(await report(api, org, query)));
    }
    expect(seen).toEqual(expected);
  });

  it("the report is asked for by name, project, rule, kind and key; the last three hold of one violation", async () => {
    const org = await api.organization();
    const [both] = [await api.workspace(org, "Web-both", ["odd-1"]), await api.workspace(org, "web-other", ["owner"])];
    const moved = await api.workspace(org, "db", ["owner"]);
    const project = await projectOf(api, org, [moved]);
    await bind(api, `workspaces/${both}`, { env: "test" });
    await bind(api, `workspaces/${moved}`, { env: "test" });
    await put(api, org, [
      { name: "owners", "required-keys": ["owner"] },
      { name: "stages", key: "env", "allowed-values": ["dev"] },
      { name: "names", "naming-pattern": "[a-z]*" },
      { name: "costs", project, "required-keys": ["cost"] },
    ]);
    const asked = async (query: Record<string, string>) => {
      const answer = await report(api, org, `?${new URLSearchParams(query).toString()}`);
      return answer.map((line) => line.split(":")[0]);
    };
    expect(await asked({})).toEqual(["db", "Web-both"]);
    expect(await asked({ q: "WEB" })).toEqual(["Web-both"]);
    expect(await asked({ "filter[project][id]": project })).toEqual(["db"]);
    expect(await asked({ "filter[rule]": "costs" })).toEqual(["db"]);
    expect(await asked({ "filter[rule]": "stages" })).toEqual(["db", "Web-both"]);
    expect(await asked({ "filter[kind]": "name" })).toEqual(["Web-both"]);
    expect(await asked({ "filter[kind]": "required" })).toEqual(["db", "Web-both"]);
    expect(await asked({ "filter[kind]": "required", "filter[key]": "owner" })).toEqual(["Web-both"]);
    expect(await asked({ "filter[key]": "odd-1" })).toEqual(["Web-both"]);
    // It breaks the rule, and falls short in this way, though not by that rule.
    expect(await asked({ "filter[rule]": "stages", "filter[kind]": "name" })).toEqual([]);
    expect(await asked({ q: "nobody" })).toEqual([]);
    expect(await asked({ q: "" })).toEqual(["db", "Web-both"]);
    const { body } = await api.get(`/organizations/${org}/tag-policy/report?filter[kind]=name`);
    expect(body.meta.pagination["total-count"]).toBe(1);
  });

  it("the report shows no workspace that the caller may not see, and counts none", async () => {
    const org = await api.organization();
    for (const name of ["app-one", "app-two", "secret"]) await api.workspace(org, name);
    await put(api, org, [{ name: "owners", "required-keys": ["owner"] }]);
    const some = api.tokenWith(
      { kind: "organization", segment: org, policy: "read" },
      { kind: "workspace_prefix", segment: `${org}/`, policy: "read" },
      { kind: "workspace", segment: `${org}/secret`, policy: "deny" },
    );
    const none = api.tokenWith(
      { kind: "organization", segment: org, policy: "read" },
      { kind: "workspace_prefix", segment: `${org}/`, policy: "deny" },
    );
    expect(await report(api, org)).toEqual(["app-one: owners", "app-two: owners", "secret: owners"]);
    expect(await report(api, org, "", some)).toEqual(["app-one: owners", "app-two: owners"]);
    const { body } = await api.get(`/organizations/${org}/tag-policy/report?page[size]=1`, some);
    expect(body.meta.pagination["total-count"]).toBe(2);
    expect(await report(api, org, "", none)).toEqual([]);
    expect(await report(api, org)).toHaveLength(3);
  });

  it("a workspace of very many tags is looked at whole, and shows twenty of what it breaks", async () => {
    const org = await api.organization();
    const tags = Array.from({ length: 1000 }, (_, index) => `t${String(index).padStart(4, "0")}`);
    for (const name of ["a", "b", "c", "d", "e", "f"]) {
      const workspace = await api.workspace(org, name);
      const data = tags.map((tag) => ({ type: "tags", attributes: { name: tag } }));
      expect((await api.post(`/workspaces/${workspace}/relationships/tags`, { data })).status).toBe(204);
    }
    await put(api, org, [{ name: "names", "naming-pattern": "t0{3}[0-9]|u.*" }]);
    const { body } = await api.get(`/organizations/${org}/tag-policy/report?page[size]=2`);
    const [first] = body.data as [Shortcoming];
    expect([body.meta.pagination["total-count"], first.attributes["violation-count"]]).toEqual([6, 990]);
    expect(first.attributes.violations).toHaveLength(20);
    expect(first.attributes.violations[0]?.detail).toBe("The name t0010 must match t0{3}[0-9]|u.*");
  });

  it("without a policy no workspace falls short", async () => {
    const org = await api.organization();
    const { status, body } = await api.get(`/organizations/${org}/tag-policy/report`);
    expect([status, body.data, body.meta.pagination["total-count"]]).toEqual([200, [], 0]);
  });
});
