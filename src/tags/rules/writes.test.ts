/** Every way in which workspaces and projects come to tags answers to the rules for them. */
import { describe, expect, it } from "vitest";
import { type Answer, tagNames, useApi } from "../../../test/support/api.ts";
import { forEachEngine } from "../../../test/support/engines.ts";

const RULES = [
  { name: "owners", "required-keys": ["owner"] },
  { name: "stages", key: "env", "allowed-values": ["dev", "prod"] },
  { name: "names", "naming-pattern": "[a-z]+" },
];

const pairs = (values: Record<string, string>) =>
  Object.entries(values).map(([key, value]) => ({ type: "tag-bindings", attributes: { key, value } }));
const bindings = (values: Record<string, string>) => ({ data: pairs(values) });

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);

  function put(organization: string, enforce: string, rules: object[] = RULES): Promise<Answer> {
    return api.put(`/organizations/${organization}/tag-policy`, {
      data: { type: "tag-policies", attributes: { enforce, rules } },
    });
  }

  function create(organization: string, name: string, values: Record<string, string>, more: object = {}) {
    const relationships = { "tag-bindings": bindings(values), ...more };
    return api.post(`/organizations/${organization}/workspaces`, {
      data: { type: "workspaces", attributes: { name }, relationships },
    });
  }

  const warned = ({ status, body }: Answer) => [
    status,
    body?.meta?.warnings?.map((each: { rule: string }) => each.rule),
  ];
  const refusedBy = ({ status, body }: Answer) => [
    status,
    /^Tag policy rule "(\w+)"/.exec(body?.errors?.[0]?.detail)?.[1],
  ];

  /** An organization with what the writes are about. */
  async function prepare() {
    const org = await api.organization();
    const made = await create(org, "one", { owner: "me", env: "dev" });
    const workspace = `/workspaces/${made.body.data.id}`;
    const projects = `/organizations/${org}/projects`;
    const project = await api.post(projects, { data: { type: "projects", attributes: { name: "other" } } });
    const id = String(project.body.data.id);
    const tag = await api.post(`/organizations/${org}/tags`, tagNames("net1", "net"));
    const [bad, good] = (tag.body.data as { id: string }[]).map(({ id: tagId }) => `/tags/${tagId}`);
    const workspaces = { data: [{ type: "workspaces", id: made.body.data.id }] };
    return { org, projects, workspace, project: `/projects/${id}`, id, bad, good, workspaces };
  }

  type Prepared = Awaited<ReturnType<typeof prepare>>;
  const WRITES: [what: string, rules: string[], status: number, write: (on: Prepared) => Promise<Answer>][] = [
    ["a new workspace", ["owners", "stages"], 201, ({ org }) => create(org, "new", { env: "test" })],
    [
      "a new workspace with flat tags",
      ["owners", "names"],
      201,
      ({ org }) => create(org, "new", {}, { tags: { data: [{ type: "tags", attributes: { name: "net1" } }] } }),
    ],
    [
      "what replaces the bindings of a workspace",
      ["owners", "stages"],
      200,
      ({ workspace }) => {
        const relationships = { "tag-bindings": bindings({ env: "test" }) };
        return api.patch(workspace, { data: { type: "workspaces", relationships } });
      },
    ],
    [
      "added bindings",
      ["stages"],
      200,
      ({ workspace }) => api.patch(`${workspace}/tag-bindings`, bindings({ env: "x" })),
    ],
    [
      "bindings put on by relationship",
      ["names"],
      204,
      ({ workspace }) => api.post(`${workspace}/relationships/tag-bindings`, bindings({ Zone: "x" })),
    ],
    [
      "bindings replaced by relationship",
      ["owners"],
      204,
      ({ workspace }) => api.patch(`${workspace}/relationships/tag-bindings`, bindings({ env: "prod" })),
    ],
    [
      "flat tags put on by name",
      ["names"],
      204,
      ({ workspace }) => api.post(`${workspace}/relationships/tags`, tagNames("net1")),
    ],
    [
      "flat tags put on by id",
      ["names"],
      204,
      ({ workspace, bad = "" }) =>
        api.post(`${workspace}/relationships/tags`, { data: [{ type: "tags", id: bad.slice("/tags/".length) }] }),
    ],
    [
      "a workspace added to a tag",
      ["names"],
      204,
      ({ bad, workspaces }) => api.post(`${bad}/relationships/workspaces`, workspaces),
    ],
    [
      "a key of a project",
      ["stages"],
      200,
      ({ project }) => api.patch(`${project}/tag-bindings`, bindings({ env: "x" })),
    ],
    [
      "a new project with keys",
      ["names"],
      201,
      ({ projects }) => {
        const relationships = { "tag-bindings": bindings({ UP: "1" }) };
        return api.post(projects, { data: { type: "projects", attributes: { name: "third" }, relationships } });
      },
    ],
  ];

  describe.each(WRITES)("%s", (_what, rules, status, write) => {
    it("is made with a warning where rules advise, and not at all where they refuse", async () => {
      const on = await prepare();
      const read = async () =>
        (await api.get(`/organizations/${on.org}/tags/export?format=jsonl`)).text + (await api.get(on.projects)).text;
      await put(on.org, "refuse");
      const before = await read();
      expect(refusedBy(await write(on))).toEqual([422, rules[0]]);
      expect(await read()).toBe(before);
      await put(on.org, "advise");
      expect(warned(await write(on))).toEqual([status === 204 ? 200 : status, rules]);
      expect(await read()).not.toBe(before);
    });
  });

  it("a required key that is taken away is one that was there, in whichever way it goes", async () => {
    const { org, workspace, workspaces } = await prepare();
    await api.post(`${workspace}/relationships/tags`, tagNames("owner"));
    await put(org, "refuse");
    const replace = (values: Record<string, string>) =>
      api.patch(`${workspace}/relationships/tag-bindings`, bindings(values));
    expect((await replace({})).status, "the flat tag is left").toBe(204);
    const tags = await api.get(`${workspace}/relationships/tags`);
    const owner = `/tags/${tags.body.data[0].id}/relationships/workspaces`;
    expect(refusedBy(await api.delete(owner, workspaces))).toEqual([422, "owners"]);
    expect(refusedBy(await api.delete(`${workspace}/relationships/tags`, tagNames("owner")))).toEqual([422, "owners"]);
    await put(org, "advise");
    expect(warned(await api.delete(owner, workspaces))).toEqual([200, ["owners"]]);
    await put(org, "refuse");
    expect((await replace({ env: "dev" })).status, "what was missing before stays missing").toBe(204);
  });

  it("what is inherited counts, and what an own value covers", async () => {
    const { org, project, id } = await prepare();
    await api.patch(`${project}/tag-bindings`, bindings({ owner: "us", env: "old" }));
    await put(org, "refuse");
    const inProject = { project: { data: { type: "projects", id } } };
    expect(refusedBy(await create(org, "covering", { env: "x" }, inProject))).toEqual([422, "stages"]);
    expect(refusedBy(await create(org, "bare", {}, inProject)), "the value of the project").toEqual([422, "stages"]);
    const made = await create(org, "covered", { env: "dev" }, inProject);
    expect(made.status).toBe(201);
    const path = `/workspaces/${made.body.data.id}/relationships/tag-bindings`;
    expect(refusedBy(await api.patch(path, bindings({}))), "uncovers the project's").toEqual([422, "stages"]);
  });

  it("a move answers for what the workspace comes to break", async () => {
    const { org, workspace, project, id, workspaces } = await prepare();
    const rules = [{ name: "there", project: id, "required-keys": ["cost"] }];
    await put(org, "refuse", rules);
    const moved = { data: { type: "workspaces", relationships: { project: { data: { type: "projects", id } } } } };
    expect(refusedBy(await api.patch(workspace, moved))).toEqual([422, "there"]);
    expect(refusedBy(await api.post(`${project}/relationships/workspaces`, workspaces))).toEqual([422, "there"]);
    const names = [{ name: "letters", project: id, "naming-pattern": "[a-z]+" }];
    await put(org, "refuse", names);
    await api.post(`${workspace}/relationships/tags`, tagNames("net1"));
    expect(refusedBy(await api.patch(workspace, moved)), "by what it carries").toEqual([422, "letters"]);
    await put(org, "advise", [...rules, ...names]);
    const arrived = await api.post(`${project}/relationships/workspaces`, workspaces);
    expect(warned(arrived)).toEqual([200, ["there", "letters"]]);
    expect(warned(await api.patch(workspace, moved)), "it is there already").toEqual([200, undefined]);
  });

  it("what a request gives is judged though the workspace has it already", async () => {
    const { org, workspace, bad = "" } = await prepare();
    const reference = { data: [{ type: "tags", id: bad.slice("/tags/".length) }] };
    expect((await api.post(`${workspace}/relationships/tags`, reference)).status).toBe(204);
    await put(org, "advise");
    expect(warned(await api.post(`${workspace}/relationships/tags`, reference))).toEqual([200, ["names"]]);
    expect((await api.post(`${workspace}/relationships/tags`, tagNames("net"))).status, "another one").toBe(204);
  });

  it("nothing is said where all is well", async () => {
    const { org, workspace, good, workspaces } = await prepare();
    await put(org, "refuse");
    const made = await create(org, "new", { owner: "me", env: "prod" });
    expect(made.status).toBe(201);
    expect(made.body).not.toHaveProperty("meta");
    const added = await api.post(`${good}/relationships/workspaces`, workspaces);
    expect([added.status, added.text]).toEqual([204, ""]);
    const patched = await api.patch(`${workspace}/tag-bindings`, bindings({ env: "prod" }));
    expect([patched.status, "meta" in patched.body]).toEqual([200, false]);
  });

  it("a project keeps a required key while its workspaces have it from there alone", async () => {
    const { org, project, id } = await prepare();
    await api.patch(`${project}/tag-bindings`, bindings({ owner: "us" }));
    const inProject = { project: { data: { type: "projects", id } } };
    await create(org, "own", { owner: "me" }, inProject);
    await put(org, "refuse");
    const clear = () => api.patch(`${project}/relationships/tag-bindings`, bindings({}));
    expect((await clear()).status, "its workspaces have one of their own").toBe(204);
    await api.patch(`${project}/tag-bindings`, bindings({ owner: "us" }));
    await create(org, "bare", {}, inProject);
    expect(refusedBy(await clear())).toEqual([422, "owners"]);
    await put(org, "advise");
    expect(warned(await clear())).toEqual([200, ["owners"]]);
  });

  it("a key that is required does not leave the pool, and none gets values that it may not have", async () => {
    const { org, workspace } = await prepare();
    await api.patch(`${workspace}/tag-bindings`, bindings({ stage: "test" }));
    const pool = `/organizations/${org}/tags`;
    const found = (await api.get(pool)).body.data as { id: string; attributes: { name: string } }[];
    const tag = (name: string) => found.find(({ attributes }) => attributes.name === name)?.id;
    const gone = (name: string) => api.delete(pool, { data: [{ type: "tags", id: tag(name) }] });
    const rename = (name: string, to: string) =>
      api.patch(`/tags/${tag(name)}`, { data: { type: "tags", attributes: { name: to } } });
    await api.delete(pool, { data: [{ type: "tags", id: tag("env") }] });
    await put(org, "refuse");
    expect(refusedBy(await gone("owner"))).toEqual([422, "owners"]);
    expect(refusedBy(await rename("owner", "boss"))).toEqual([422, "owners"]);
    expect(refusedBy(await rename("stage", "env"))).toEqual([422, "stages"]);
    expect((await gone("net1")).status).toBe(204);
    await put(org, "advise");
    expect(warned(await rename("stage", "env"))).toEqual([200, ["stages"]]);
    expect(warned(await gone("owner"))).toEqual([200, ["owners"]]);
  });

  it("rules for a project that is gone can be put back as they are, and none for another", async () => {
    const { org, project, id } = await prepare();
    const rules = [{ name: "there", project: id, "required-keys": ["cost"] }];
    await put(org, "refuse", rules);
    expect((await api.delete(project)).status).toBe(204);
    expect((await put(org, "advise", rules)).status).toBe(200);
    await put(org, "advise", []);
    expect((await put(org, "advise", rules)).status).toBe(422);
    const misspelt = await put(org, "advise", [{ name: "a", "required-keys": ["cost"], "naming-patern": "a" }]);
    expect(misspelt.status).toBe(422);
  });

  it("a policy that is put as it is stays as it was, and what changes of it is on record", async () => {
    const org = await api.organization();
    const first = await put(org, "advise");
    expect((await put(org, "advise")).body).toEqual(first.body);
    await put(org, "refuse", []);
    await api.delete(`/organizations/${org}/tag-policy`);
    const rows = await api.db.sql
      .selectFrom("changes")
      .select(["action", "details"])
      .where("kind", "=", "tag-policy")
      .where("object_id", "=", first.body.data.id)
      .orderBy("position")
      .execute();
    expect(rows.map(({ action, details }) => [action, JSON.parse(details)])).toEqual([
      ["created", { enforce: "advise", rules: RULES }],
      ["updated", { from: { enforce: "advise", rules: RULES }, to: { enforce: "refuse", rules: [] } }],
      ["deleted", { enforce: "refuse", rules: [] }],
    ]);
  });
});
