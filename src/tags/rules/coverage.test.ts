import { expect, it } from "vitest";
import { useApi, type Api } from "../../../test/support/api.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { KEY_COVERAGE } from "./coverage.ts";

interface Coverage {
  id: string;
  attributes: { key: string; missing: number; workspaces: number };
}

const bodyOf = (rules: object[]) => ({ data: { type: "tag-policies", attributes: { enforce: "advise", rules } } });

async function put(api: Api, organization: string, rules: object[]): Promise<void> {
  const { status, text } = await api.put(`/organizations/${organization}/tag-policy`, bodyOf(rules));
  expect(status, text).toBe(200);
}

async function bind(api: Api, holder: string, bindings: Record<string, string>): Promise<void> {
  const data = Object.entries(bindings).map(([key, value]) => ({ type: "tag-bindings", attributes: { key, value } }));
  const answer = await api.patch(`/${holder}/tag-bindings`, { data });
  expect(answer.status, answer.text).toBe(200);
}

async function projectOf(api: Api, organization: string, workspaces: string[]): Promise<string> {
  const data = { type: "projects", attributes: { name: "project" } };
  const id = String((await api.post(`/organizations/${organization}/projects`, { data })).body.data.id);
  const moved = { data: workspaces.map((workspace) => ({ type: "workspaces", id: workspace })) };
  expect((await api.post(`/projects/${id}/relationships/workspaces`, moved)).status).toBe(204);
  return id;
}

/** As `key: missing of workspaces`. */
async function coverage(api: Api, organization: string, query = "", token?: string): Promise<string[]> {
  const { status, body, text } = await api.get(`/organizations/${organization}/tag-policy/keys${query}`, token);
  expect(status, text).toBe(200);
  return (body.data as Coverage[]).map(
    ({ attributes: { key, missing, workspaces } }) => `${key}: ${missing} of ${workspaces}`,
  );
}

async function check(api: Api, organization: string, rules: object[], token?: string) {
  const { status, body, text } = await api.post(
    `/organizations/${organization}/tag-policy/check`,
    bodyOf(rules),
    token,
  );
  expect(status, text).toBe(200);
  return body.data.attributes as Record<string, unknown>;
}

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);

  it("a required key is counted by its values, own and inherited, without a value, missing, and by project", async () => {
    const org = await api.organization();
    const [one, two, inherits] = [
      await api.workspace(org, "one"),
      await api.workspace(org, "two"),
      await api.workspace(org, "inherits"),
    ];
    await api.workspace(org, "flat", ["owner"]);
    await api.workspace(org, "empty");
    const bare = await api.workspace(org, "bare");
    const project = await projectOf(api, org, [inherits, bare]);
    const home = (await api.get(`/workspaces/${one}`)).body.data.relationships.project.data.id as string;
    await bind(api, `projects/${project}`, { owner: "us" });
    await bind(api, `workspaces/${one}`, { owner: "us", env: "prod" });
    await bind(api, `workspaces/${two}`, { owner: "me" });
    await put(api, org, [
      { name: "owners", "required-keys": ["owner"] },
      { name: "more owners", project, "required-keys": ["owner", "cost"] },
      { name: "stages", key: "env", "allowed-values": ["dev"] },
    ]);
    const { body } = await api.get(`/organizations/${org}/tag-policy/keys`);
    expect(body.meta).toMatchObject({ "is-complete": true, pagination: { "total-count": 2 } });
    expect(body.data).toEqual([
      {
        id: "cost",
        type: "tag-policy-keys",
        attributes: {
          key: "cost",
          rules: ["more owners"],
          workspaces: 2,
          missing: 2,
          "without-value": 0,
          "value-count": 0,
          values: [],
          other: 0,
          projects: [{ id: project, workspaces: 2, missing: 2 }],
        },
      },
      {
        id: "owner",
        type: "tag-policy-keys",
        attributes: {
          key: "owner",
          rules: ["owners", "more owners"],
          workspaces: 6,
          missing: 1,
          "without-value": 1,
          "value-count": 2,
          values: [
            { value: "us", workspaces: 3 },
            { value: "me", workspaces: 1 },
          ],
          other: 0,
          projects: [
            { id: home, workspaces: 4, missing: 1 },
            { id: project, workspaces: 2, missing: 0 },
          ],
        },
      },
    ]);
    expect(await coverage(api, org, `?filter[project][id]=${home}`)).toEqual(["owner: 1 of 4", "cost: 0 of 0"]);
    await bind(api, `workspaces/${bare}`, { cost: "1" });
    expect(await coverage(api, org)).toEqual(["cost: 1 of 2", "owner: 1 of 6"]);
  });

  it("the ten most frequent values are shown, and the workspaces with others counted", async () => {
    const org = await api.organization();
    for (let n = 0; n < 13; n++) {
      const workspace = await api.workspace(org, `w${String(n).padStart(2, "0")}`);
      await bind(api, `workspaces/${workspace}`, { owner: n < 2 ? "zz" : `o${String(n).padStart(2, "0")}` });
    }
    await put(api, org, [{ name: "owners", "required-keys": ["owner"] }]);
    const { body } = await api.get(`/organizations/${org}/tag-policy/keys`);
    const [{ attributes }] = body.data as [{ attributes: { values: { value: string }[] } }];
    expect(attributes).toMatchObject({ "value-count": 12, other: 2 });
    expect(attributes.values.map(({ value }) => value)).toEqual([
      "zz",
      "o02",
      "o03",
      "o04",
      "o05",
      "o06",
      "o07",
      "o08",
      "o09",
      "o10",
    ]);
  });

  it("values beyond those that are counted are others, and the list says that it is not whole", async () => {
    const org = await api.organization();
    for (const value of ["a", "b", "c"]) {
      await bind(api, `workspaces/${await api.workspace(org, value)}`, { owner: value });
    }
    const { body } = await api.get(`/organizations/${org}`);
    const { db } = api;
    const found = await db.sql
      .selectFrom("organizations")
      .select("id")
      .where("name", "=", String(body.data.id))
      .executeTakeFirstOrThrow();
    const rules = [{ name: "owners", requiredKeys: ["owner"] }];
    const walk = { organization: found.id, visibility: undefined, rules };
    const [list] = await db.apart(KEY_COVERAGE, { ...walk, most: 2 });
    const { attributes } = JSON.parse(Buffer.from(list?.bytes ?? []).toString()) as { attributes: object };
    expect(list?.isWhole).toBe(false);
    expect(attributes).toMatchObject({ workspaces: 3, missing: 0, "value-count": 2, other: 1 });
    expect((await db.apart(KEY_COVERAGE, { ...walk, most: 3 }))[0]?.isWhole).toBe(true);
  });

  it("rules are checked before they are saved: how many workspaces violate each, now, and newly", async () => {
    const org = await api.organization();
    const both = await api.workspace(org, "both");
    await api.workspace(org, "flat", ["owner"]);
    await api.workspace(org, "empty");
    await bind(api, `workspaces/${both}`, { owner: "me", env: "test" });
    const draft = [
      { name: "owners", "required-keys": ["owner"] },
      { name: "stages", key: "env", "allowed-values": ["dev"] },
      { name: "elsewhere", project: "prj-none", "required-keys": ["cost"] },
    ];
    const byRule = [
      { name: "owners", "non-compliant": 1 },
      { name: "stages", "non-compliant": 1 },
      { name: "elsewhere", "non-compliant": 0 },
    ];
    const counts = { workspaces: 3, "non-compliant": 2, rules: byRule };
    expect(await check(api, org, draft)).toEqual({ ...counts, "non-compliant-now": 0, "newly-non-compliant": 2 });
    expect((await api.get(`/organizations/${org}/tag-policy`)).status).toBe(404);
    await put(api, org, draft.slice(0, 1));
    expect(await check(api, org, draft)).toEqual({ ...counts, "non-compliant-now": 1, "newly-non-compliant": 1 });
    await api.workspace(org, "another");
    expect(await check(api, org, [])).toMatchObject({ workspaces: 4, "non-compliant": 0, "non-compliant-now": 2 });
    const wrong = bodyOf([{ name: "names", "naming-pattern": "(" }]);
    const refused = await api.post(`/organizations/${org}/tag-policy/check`, wrong);
    expect([refused.status, refused.body.errors[0].source.pointer]).toEqual([
      422,
      "/data/attributes/rules/0/naming-pattern",
    ]);
  });

  it("coverage and checks count no workspace that the caller may not see, and need organization read", async () => {
    const org = await api.organization();
    for (const name of ["app-one", "app-two", "secret"]) await api.workspace(org, name);
    const rules = [{ name: "owners", "required-keys": ["owner"] }];
    await put(api, org, rules);
    const reader = { kind: "organization", segment: org, policy: "read" } as const;
    const some = api.tokenWith(reader, { kind: "workspace", segment: `${org}/secret`, policy: "deny" });
    const other = api.tokenWith({ kind: "workspace_prefix", segment: `${org}/app-`, policy: "read" });
    expect(await coverage(api, org)).toEqual(["owner: 3 of 3"]);
    expect(await coverage(api, org, "", some)).toEqual(["owner: 2 of 2"]);
    expect(await coverage(api, org)).toEqual(["owner: 3 of 3"]);
    expect(await check(api, org, rules)).toMatchObject({ workspaces: 3, "non-compliant": 3 });
    expect(await check(api, org, rules, some)).toMatchObject({ workspaces: 2, "non-compliant": 2 });
    const keysOf = async (name: string) => api.get(`/organizations/${name}/tag-policy/keys`, other);
    const checkOf = async (name: string) => api.post(`/organizations/${name}/tag-policy/check`, bodyOf(rules), other);
    for (const ask of [keysOf, checkOf]) {
      expect([(await ask(org)).status, (await ask("missing")).status]).toEqual([404, 404]);
      await api.expectSameStatements(
        async () => ask(org),
        async () => ask("missing"),
      );
    }
  });

  it("without a policy no key is required", async () => {
    const org = await api.organization();
    await api.workspace(org, "one");
    expect(await coverage(api, org)).toEqual([]);
  });
});
