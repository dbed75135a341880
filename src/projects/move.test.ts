import { beforeAll, expect, test } from "vitest";
import { ids, useApi } from "../../test/support/api.ts";
import { forEachEngine } from "../../test/support/engines.ts";

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);
  let organization = "";
  let home = "";
  let target = "";
  let made: string[] = [];
  beforeAll(async () => {
    organization = await api.organization();
    target = await project("Target");
    home = (await api.get(`/organizations/${organization}`)).body.data.relationships["default-project"].data.id;
    made = [];
    for (const name of ["one", "two", "three"]) made.push(await api.workspace(organization, name));
  });

  const project = async (name: string, owner = organization) => {
    const data = { type: "projects", attributes: { name } };
    return (await api.post(`/organizations/${owner}/projects`, { data })).body.data.id as string;
  };
  const count = async (id: string) =>
    (await api.get(`/projects/${id}`)).body.data.attributes["workspace-count"] as number;
  const projectOf = async (id: string) =>
    (await api.get(`/workspaces/${id}`)).body.data.relationships.project.data.id as string;
  const move = (to: string, list: readonly string[], token?: string) =>
    api.post(`/projects/${to}/relationships/workspaces`, ids("workspaces", list), token);

  test("moves workspaces, each once, and keeps the counts", async () => {
    const [one = "", two = ""] = made;
    expect([await count(home), await count(target)]).toEqual([3, 0]);
    expect((await move(target, [one, one])).status).toBe(204);
    expect((await move(target, [one, two])).status).toBe(204);
    expect([await count(home), await count(target)]).toEqual([1, 2]);
    expect(await Promise.all(made.map(projectOf))).toEqual([target, target, home]);
    expect((await api.get(`/workspaces/${one}`)).body.data.attributes["updated-at"]).toEqual(expect.any(String));
    const listed = await api.get(`/organizations/${organization}/workspaces?filter[project][id]=${target}`);
    expect(listed.body.data.map((each: { id: string }) => each.id)).toEqual([one, two]);
  });

  test("a project that holds workspaces is not deleted", async () => {
    const answer = await api.delete(`/projects/${target}`);
    expect(answer).toMatchObject({ status: 409, body: { errors: [{ status: "409", title: "conflict" }] } });
    expect(await count(target)).toBe(2);
    expect((await move(home, made)).status).toBe(204);
    expect([await count(home), await count(target)]).toEqual([3, 0]);
  });

  test("one that is unknown, of another organization or invisible, and none is moved", async () => {
    const [one = ""] = made;
    const other = await api.organization();
    const foreign = await api.workspace(other, "foreign");
    const elsewhere = await project("Elsewhere", other);
    const missing = await move(target, [one, "ws-unknownunknown00"]);
    expect(missing.status).toBe(404);
    expect((await move(target, [one, foreign])).text).toBe(missing.text);
    expect((await move(elsewhere, [one])).text).toBe(missing.text);
    const unknown = await move("prj-unknownunknown00", [one]);
    expect(unknown.status).toBe(404);
    expect(await Promise.all(made.map(projectOf))).toEqual([home, home, home]);
    expect([await count(home), await count(target)]).toEqual([3, 0]);
  });

  test("needs workspace write on each, and the project visible", async () => {
    const [one = "", two = "", three = ""] = made;
    const some = api.tokenWith(
      { kind: "organization", segment: organization, policy: "read" },
      { kind: "workspace", segment: `${organization}/ONE`, policy: "write" },
      { kind: "workspace", segment: `${organization}/two`, policy: "read" },
      { kind: "workspace", segment: `${organization}/three`, policy: "deny" },
    );
    const refused = await move(target, [one, three], some);
    expect(refused.status).toBe(404);
    const unknown = () => move(target, [one, "ws-unknownunknown00"], some);
    expect((await unknown()).text).toBe(refused.text);
    await api.expectSameStatements(() => move(target, [one, three], some), unknown);
    expect((await move(target, [one, two, three], some)).text).toBe(refused.text);
    expect(await projectOf(one)).toBe(home);
    expect((await move(target, [one], some)).status).toBe(204);
    const blind = api.tokenWith({ kind: "workspace_prefix", segment: `${organization}/`, policy: "write" });
    const unseen = await move(home, [one], blind);
    expect(unseen.status).toBe(404);
    const nowhere = () => move("prj-unknownunknown00", [one], blind);
    expect((await nowhere()).text).toBe(unseen.text);
    await api.expectSameStatements(() => move(home, [one], blind), nowhere);
    expect((await move(home, [one])).status).toBe(204);
  });

  test("those that may be seen and not written are named by 403, and none is moved", async () => {
    const [one = "", two = "", three = ""] = made;
    await move(home, made);
    const some = api.tokenWith(
      { kind: "organization", segment: organization, policy: "read" },
      { kind: "workspace", segment: `${organization}/one`, policy: "write" },
      { kind: "workspace_prefix", segment: `${organization}/t`, policy: "read" },
    );
    const refused = await move(target, made, some);
    const [error] = refused.body.errors;
    expect(error).toMatchObject({ status: "403", title: "forbidden", detail: expect.stringContaining(two) });
    expect(error.detail).toContain(three);
    expect(error.detail).not.toContain(one);
    expect((await move(target, [one, two, "ws-unknownunknown00"], some)).status).toBe(404);
    // Also where they are there already: the right is asked for, not what would change.
    expect((await move(home, [two], some)).status).toBe(403);
    expect(await Promise.all(made.map(projectOf))).toEqual([home, home, home]);
    expect([await count(home), await count(target)]).toEqual([3, 0]);
  });

  test.each<[string, unknown]>([
    ["nothing", undefined],
    ["no data", {}],
    ["an empty list", { data: [] }],
    ["an object", { data: { type: "workspaces", id: "ws-1" } }],
    ["another type", { data: [{ type: "tags", id: "ws-1" }] }],
    ["no id", { data: [{ type: "workspaces" }] }],
    ["an empty id", { data: [{ type: "workspaces", id: "" }] }],
    ["an id that is a number", { data: [{ type: "workspaces", id: 7 }] }],
    ["1,001 entries", ids("workspaces", Array<string>(1001).fill("ws-1"))],
  ])("a malformed list is 422: %s", async (_name, payload) => {
    expect((await api.post(`/projects/${target}/relationships/workspaces`, payload)).status).toBe(422);
  });

  test("1,000 entries are taken", async () => {
    const [one = ""] = made;
    expect((await move(target, Array<string>(1000).fill(one))).status).toBe(204);
    expect([await count(home), await count(target)]).toEqual([2, 1]);
  });

  test("moves that cross keep the counts right", async () => {
    const there = Array.from({ length: 10 }, () => move(target, made));
    const back = Array.from({ length: 10 }, () => move(home, made));
    for (const answer of await Promise.all([...there, ...back])) expect(answer.status).toBe(204);
    const inTarget = (await Promise.all(made.map(projectOf))).filter((id) => id === target).length;
    expect([await count(home), await count(target)]).toEqual([3 - inTarget, inTarget]);
  });
});
