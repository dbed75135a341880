import { beforeAll, expect, test } from "vitest";
import { ids, useApi } from "../../test/support/api.ts";
import { forEachEngine } from "../../test/support/engines.ts";

const AT = "auto-destroy-at";
const DURATION = "auto-destroy-activity-duration";
const INHERITS = "inherits-project-auto-destroy";
const TIME = "2031-02-03T04:05:06.000Z";

const body = (attributes: object, relationships: object = {}) => ({
  data: { type: "workspaces", attributes, relationships },
});
const inProject = (id: string) => ({ project: { data: { type: "projects", id } } });

/** The three, as a workspace shows them. */
const own = (at: string | null, duration: string | null) => ({ [AT]: at, [DURATION]: duration, [INHERITS]: false });
const inherited = (duration: string | null) => ({ [AT]: null, [DURATION]: duration, [INHERITS]: true });

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);
  let organization = "";
  /** Its workspaces are destroyed after three days. */
  let project = "";
  let names = 0;
  beforeAll(async () => {
    organization = await api.organization();
    project = await newProject("3d");
  });

  const newProject = async (duration?: string) => {
    const attributes = { name: `project ${names++}`, [DURATION]: duration };
    const made = await api.post(`/organizations/${organization}/projects`, { data: { type: "projects", attributes } });
    expect(made.status, made.text).toBe(201);
    return made.body.data.id as string;
  };
  const create = (attributes: object, id = project) =>
    api.post(`/organizations/${organization}/workspaces`, body({ name: `w${names++}`, ...attributes }, inProject(id)));
  const made = async (attributes: object, id = project) => {
    const answer = await create(attributes, id);
    expect(answer.status, answer.text).toBe(201);
    return answer.body.data as { id: string; attributes: Record<string, unknown> & { name: string } };
  };
  const settings = async (id: string) => {
    const { attributes } = (await api.get(`/workspaces/${id}`)).body.data;
    return { [AT]: attributes[AT], [DURATION]: attributes[DURATION], [INHERITS]: attributes[INHERITS] };
  };

  test.each<[string, object, object]>([
    ["nothing", {}, inherited("3d")],
    ["that it inherits", { [INHERITS]: true }, inherited("3d")],
    ["that it inherits, and the project's duration", { [INHERITS]: true, [DURATION]: "3d" }, inherited("3d")],
    ["that it inherits nothing", { [INHERITS]: false }, own(null, null)],
    ["a time", { [AT]: TIME }, own(TIME, null)],
    ["a duration", { [DURATION]: "14d" }, own(null, "14d")],
    ["the duration of the project", { [DURATION]: "3d" }, own(null, "3d")],
    ["a duration and null for the time", { [AT]: null, [DURATION]: "14d" }, own(null, "14d")],
    ["a time and null for the rest", { [AT]: TIME, [DURATION]: null, [INHERITS]: null }, own(TIME, null)],
    ["null for the duration", { [DURATION]: null }, own(null, null)],
    ["null for the time", { [AT]: null }, inherited("3d")],
    ["null for all", { [AT]: null, [DURATION]: null, [INHERITS]: null }, inherited("3d")],
    ["that it inherits, and null for the rest", { [AT]: null, [DURATION]: null, [INHERITS]: true }, inherited("3d")],
  ])("a new workspace that is given %s", async (_what, attributes, expected) => {
    const workspace = await made(attributes);
    expect(workspace.attributes).toMatchObject(expected);
    expect(await settings(workspace.id)).toEqual(expected);
    const path = `/organizations/${organization}/workspaces`;
    expect((await api.get(`${path}/${workspace.attributes.name}`)).body.data).toEqual(workspace);
    expect((await api.get(`${path}?search[name]=${workspace.attributes.name}`)).body.data[0]).toEqual(workspace);
  });

  test.each<[string, object, object, object]>([
    ["a duration ends that it inherits", {}, { [DURATION]: "1d" }, own(null, "1d")],
    ["a time ends that it inherits", {}, { [AT]: TIME }, own(TIME, null)],
    ["null for the duration ends that it inherits", {}, { [DURATION]: null }, own(null, null)],
    ["null for the time does not", {}, { [AT]: null }, inherited("3d")],
    ["another attribute does not", {}, { description: "d" }, inherited("3d")],
    ["a duration takes the place of a time", { [AT]: TIME }, { [DURATION]: "1d" }, own(null, "1d")],
    ["a time takes the place of a duration", { [DURATION]: "1d" }, { [AT]: TIME }, own(TIME, null)],
    // A provider sends no more than that when the one or the other was removed.
    [
      "incident 82: null for the time alone takes the duration away",
      { [DURATION]: "1d" },
      { [AT]: null },
      inherited("3d"),
    ],
    ["incident 82: null for the time alone takes it away", { [AT]: TIME }, { [AT]: null }, inherited("3d")],
    ["incident 82: null for the time ends that it has none", { [INHERITS]: false }, { [AT]: null }, inherited("3d")],
    ["the empty text is as null", { [AT]: TIME }, { [AT]: "" }, inherited("3d")],
    ["null for both leaves none", { [AT]: TIME }, { [AT]: null, [DURATION]: null }, own(null, null)],
    ["null for the duration leaves the time", { [AT]: TIME }, { [DURATION]: null }, own(TIME, null)],
    ["null takes the duration away", { [DURATION]: "1d" }, { [DURATION]: null }, own(null, null)],
    ["to inherit takes the time away", { [AT]: TIME }, { [INHERITS]: true }, inherited("3d")],
    ["to inherit takes the duration away", { [DURATION]: "1d" }, { [INHERITS]: true }, inherited("3d")],
    ["null for inheriting is its default", { [DURATION]: "1d" }, { [INHERITS]: null }, inherited("3d")],
    ["to inherit no more leaves none", {}, { [INHERITS]: false }, own(null, null)],
    ["to inherit no more again leaves what is own", { [DURATION]: "1d" }, { [INHERITS]: false }, own(null, "1d")],
    ["another attribute leaves what is own", { [AT]: TIME }, { description: "d" }, own(TIME, null)],
  ])("of a change, %s", async (_what, before, change, expected) => {
    const { id } = await made(before);
    const answer = await api.patch(`/workspaces/${id}`, body(change));
    expect(answer.body.data?.attributes, answer.text).toMatchObject(expected);
    expect(await settings(id)).toEqual(expected);
    expect((await api.patch(`/workspaces/${id}`, body(change))).body).toEqual(answer.body);
  });

  // As go-tfe's tests ask for them, of workspaces as of projects.
  const WORDS =
    "Auto destroy activity duration has an incorrect format, we expect up to 4 numeric digits and 1 unit ('d' or 'h')";
  test.each<[string, object, string, detail?: string]>([
    ["a time and a duration", { [AT]: TIME, [DURATION]: "1d" }, DURATION],
    ["a time of one that inherits", { [AT]: TIME, [INHERITS]: true }, AT],
    ["a duration of one that inherits another", { [DURATION]: "1d", [INHERITS]: true }, DURATION],
    ["a duration that is none", { [DURATION]: "soon" }, DURATION, WORDS],
    ["a duration of too many digits", { [DURATION]: "12345h" }, DURATION, WORDS],
    ["a duration that is none of one that inherits", { [DURATION]: "3", [INHERITS]: true }, DURATION],
  ])("refused, and nothing changes: %s", async (_what, attributes, name, detail) => {
    const error = { source: { pointer: `/data/attributes/${name}` }, ...(detail !== undefined && { detail }) };
    const refusal = { status: 422, body: { errors: [error] } };
    expect(await create(attributes)).toMatchObject(refusal);
    const { id } = await made({ [AT]: TIME });
    expect(await api.patch(`/workspaces/${id}`, body({ ...attributes, description: "d" }))).toMatchObject(refusal);
    expect((await api.get(`/workspaces/${id}`)).body.data.attributes).toMatchObject({
      ...own(TIME, null),
      description: null,
    });
  });

  test("a project's duration shows at once in those that inherit it, and in no others, wherever they are read", async () => {
    const shared = await newProject();
    const tags = { tags: { data: [{ type: "tags", attributes: { name: "seen" } }] }, ...inProject(shared) };
    const post = async (attributes: object) => {
      const path = `/organizations/${organization}/workspaces`;
      return (await api.post(path, body({ name: `w${names++}`, ...attributes }, tags))).body.data;
    };
    // A workspace without settings, one with other settings, and one with its own duration.
    const all = [await post({}), await post({ description: "d" }), await post({ [DURATION]: "9d" })];
    const durations = async (): Promise<unknown[][]> => {
      const { body: carried } = await api.get(`/organizations/${organization}/tags?q=seen`);
      const lists = [
        (await api.get(`/organizations/${organization}/workspaces?filter[project][id]=${shared}`)).body.data,
        (await api.get(`/tags/${carried.data[0].id}/relationships/workspaces`)).body.data,
        await Promise.all(all.map(async ({ id }) => (await api.get(`/workspaces/${id}`)).body.data)),
      ];
      return lists.map((list) => list.map((each: (typeof all)[0]) => each.attributes[DURATION]));
    };
    const expectAll = async (...expected: (string | null)[]) =>
      expect(await durations()).toEqual([expected, expected, expected]);
    const change = (duration: string | null) =>
      api.patch(`/projects/${shared}`, { data: { type: "projects", attributes: { [DURATION]: duration } } });
    await expectAll(null, null, "9d");
    for (const duration of ["5d", "36h", null]) {
      expect((await change(duration)).body.data.attributes[DURATION]).toBe(duration);
      await expectAll(duration, duration, "9d");
    }
  });

  test("a workspace that is moved inherits from where it is", async () => {
    const [other, none] = [await newProject("7d"), await newProject()];
    const [follows, stays] = [await made({}), await made({ [DURATION]: "1d" })];
    const move = (id: string) =>
      api.post(`/projects/${id}/relationships/workspaces`, ids("workspaces", [follows.id, stays.id]));
    for (const [id, duration] of [
      [other, "7d"],
      [none, null],
      [project, "3d"],
    ] as const) {
      expect((await move(id)).status).toBe(204);
      expect(await settings(follows.id)).toEqual(inherited(duration));
      expect(await settings(stays.id)).toEqual(own(null, "1d"));
    }
    const patched = await api.patch(`/workspaces/${follows.id}`, body({}, inProject(other)));
    expect(patched.body.data.attributes).toMatchObject(inherited("7d"));
    // The new project of the workspace decides.
    const both = (id: string, duration: string) =>
      api.patch(`/workspaces/${stays.id}`, body({ [INHERITS]: true, [DURATION]: duration }, inProject(id)));
    expect((await both(other, "3d")).status).toBe(422);
    expect((await both(other, "7d")).body.data.attributes).toMatchObject(inherited("7d"));
  });

  test.each<[string, object, object]>([
    ["a time and a duration", { [AT]: TIME, [DURATION]: "1d" }, own(TIME, "1d")],
    ["a duration", { [DURATION]: "1d" }, own(null, "1d")],
    ["a duration beside that it inherits", { [DURATION]: "1d", [INHERITS]: true }, inherited("3d")],
    ["that it inherits nothing", { [INHERITS]: false }, own(null, null)],
  ])("what a program of before stored is its own: %s", async (_what, stored, expected) => {
    const { id } = await made({});
    await api.db.inTransaction({ kind: "root" }, (tx) => {
      const row = { settings: JSON.stringify(stored) };
      tx.write(tx.sql.updateTable("workspaces").set(row).where("id", "=", id));
      return Promise.resolve();
    });
    await api.patch(`/workspaces/${id}`, body({ description: "d" }));
    expect(await settings(id)).toEqual(expected);
    await api.patch(`/workspaces/${id}`, body({ [AT]: TIME }));
    expect(await settings(id)).toEqual(own(TIME, null));
  });
});
