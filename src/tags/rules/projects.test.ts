import { expect, it } from "vitest";
import { useApi, type Api } from "../../../test/support/api.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { PROJECT_COVERAGE } from "./projects.ts";

async function put(api: Api, organization: string, rules: object[]): Promise<void> {
  const data = { type: "tag-policies", attributes: { enforce: "advise", rules } };
  const { status, text } = await api.put(`/organizations/${organization}/tag-policy`, { data });
  expect(status, text).toBe(200);
}

async function projectOf(api: Api, organization: string, name: string, workspaces: string[]): Promise<string> {
  const data = { type: "projects", attributes: { name } };
  const id = String((await api.post(`/organizations/${organization}/projects`, { data })).body.data.id);
  const moved = { data: workspaces.map((workspace) => ({ type: "workspaces", id: workspace })) };
  expect((await api.post(`/projects/${id}/relationships/workspaces`, moved)).status).toBe(204);
  return id;
}

/** As `project: missing of workspaces`. */
async function projects(api: Api, organization: string, query = "", token?: string): Promise<string[]> {
  const { status, body, text } = await api.get(`/organizations/${organization}/tag-policy/projects${query}`, token);
  expect(status, text).toBe(200);
  return (body.data as { id: string; attributes: { missing: number; workspaces: number } }[]).map(
    ({ id, attributes: { missing, workspaces } }) => `${id}: ${missing} of ${workspaces}`,
  );
}

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);

  it("projects are listed by the workspaces without a required key, of one key or of all", async () => {
    const org = await api.organization();
    const [tagged, bare, both] = [
      await api.workspace(org, "tagged", ["owner"]),
      await api.workspace(org, "bare"),
      await api.workspace(org, "both", ["owner", "cost"]),
    ];
    await api.workspace(org, "home");
    const home = String((await api.get(`/organizations/${org}/projects`)).body.data[0].id);
    const [one, two] = [await projectOf(api, org, "one", [tagged, bare]), await projectOf(api, org, "two", [both])];
    expect(await projects(api, org)).toEqual([]);
    await put(api, org, [
      { name: "owners", "required-keys": ["owner"] },
      { name: "costs", project: one, "required-keys": ["cost"] },
    ]);
    expect(await projects(api, org)).toEqual([`${one}: 2 of 2`, `${home}: 1 of 1`, `${two}: 0 of 1`]);
    const ofOwner = [`${one}: 1 of 2`, `${home}: 1 of 1`, `${two}: 0 of 1`];
    expect(await projects(api, org, "?filter[key]=owner")).toEqual(ofOwner);
    expect(await projects(api, org, "?filter[key]=cost")).toEqual([`${one}: 2 of 2`]);
    expect(await projects(api, org, "?filter[key]=other")).toEqual([]);
    const { body } = await api.get(`/organizations/${org}/tag-policy/projects?page[size]=1&page[number]=2`);
    expect(body.meta).toMatchObject({ "is-complete": true, pagination: { "total-count": 3, "total-pages": 3 } });
    expect(body.data).toEqual([
      {
        id: home,
        type: "tag-policy-projects",
        attributes: { workspaces: 1, missing: 1 },
        relationships: { project: { data: { id: home, type: "projects" } } },
      },
    ]);
    const { id } = await api.db.sql
      .selectFrom("organizations")
      .select("id")
      .where("name", "=", org)
      .executeTakeFirstOrThrow();
    const walk = { organization: id, visibility: undefined, key: undefined };
    const rules = [{ name: "owners", requiredKeys: ["owner"] }];
    const [list] = await api.db.apart(PROJECT_COVERAGE, { ...walk, rules, most: 2 });
    expect([list?.isWhole, list?.ends.length]).toEqual([false, 2]);
  });

  it("projects count no workspace that the caller may not see, and need organization read", async () => {
    const org = await api.organization();
    const [seen] = [await api.workspace(org, "app-one"), await api.workspace(org, "app-two")];
    const hidden = await projectOf(api, org, "hidden", [await api.workspace(org, "secret")]);
    await put(api, org, [{ name: "owners", "required-keys": ["owner"] }]);
    const home = (await api.get(`/workspaces/${seen}`)).body.data.relationships.project.data.id as string;
    const some = api.tokenWith(
      { kind: "organization", segment: org, policy: "read" },
      { kind: "workspace", segment: `${org}/secret`, policy: "deny" },
    );
    const other = api.tokenWith({ kind: "workspace_prefix", segment: `${org}/app-`, policy: "read" });
    expect(await projects(api, org)).toEqual([`${home}: 2 of 2`, `${hidden}: 1 of 1`]);
    expect(await projects(api, org, "", some)).toEqual([`${home}: 2 of 2`]);
    const ask = (name: string) => async () => api.get(`/organizations/${name}/tag-policy/projects`, other);
    expect([(await ask(org)()).status, (await ask("missing")()).status]).toEqual([404, 404]);
    await api.expectSameStatements(ask(org), ask("missing"));
  });
});
