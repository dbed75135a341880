/** Members that are present and empty: the rule, every body of the family by it, and what settings become by it. */
import { Type, type TSchema } from "typebox";
import { describe, expect, it } from "vitest";
import { useApi, type Answer } from "../../../test/support/api.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { inlined, readOperations, type Document } from "../../../test/support/openapi-document.ts";
import { emptierOf } from "./empty-members.ts";
import { compileValidator } from "./body.ts";

type Members = Record<string, unknown>;

const maybe = <T extends TSchema>(type: T) => Type.Optional(Type.Union([type, Type.Null()]));

describe("empty members", () => {
  const empties = { note: "", mode: "", one: "", place: {}, any: {} };
  const schema = Type.Intersect([
    Type.Object({ note: maybe(Type.String()), mode: maybe(Type.Enum(["soft"])), one: maybe(Type.Literal("a")) }),
    Type.Object({
      place: maybe(Type.Object({ id: Type.String() })),
      any: Type.Optional(Type.Unknown()),
      list: Type.Optional(Type.Array(Type.Object({ note: maybe(Type.String()) }))),
      within: Type.Optional(Type.Object({ deep: maybe(Type.Object({ note: maybe(Type.String()) })) })),
      // All of these are values, or refused as such.
      text: Type.Optional(Type.String()),
      counts: maybe(Type.String({ minLength: 0 })),
      needed: maybe(Type.String({ minLength: 1 })),
      flag: maybe(Type.Boolean()),
      object: Type.Optional(Type.Object({})),
      names: maybe(Type.Array(Type.String())),
    }),
  ]);
  const emptied = (value: unknown) => (emptierOf(schema)?.(value), value);

  it("are null where they may be, at any depth", () => {
    expect(emptied({ ...empties })).toEqual({ note: null, mode: null, one: null, place: null, any: null });
    expect(emptied({ any: "", list: [{ note: "" }, { note: "x" }, 1], within: { deep: {} } })).toEqual({
      any: null,
      list: [{ note: null }, { note: "x" }, 1],
      within: { deep: null },
    });
    expect(emptied({ within: { deep: { note: "", other: "" } } })).toEqual({
      within: { deep: { note: null, other: "" } },
    });
  });

  it("stay where they are values, or of another kind than the member", () => {
    const kept = {
      text: "",
      counts: "",
      needed: "",
      flag: "",
      object: {},
      names: [""],
      unknown: "",
      place: "",
      note: {},
      any: { a: "" },
      within: [],
      list: {},
    };
    expect(emptied(structuredClone(kept))).toEqual(kept);
    for (const value of [undefined, null, "", 1, [], [{ note: "" }]]) expect(emptied(value)).toEqual(value);
    expect(emptierOf(Type.Object({ text: Type.Optional(Type.String()) }))).toBeUndefined();
  });
});

interface Case {
  /** Leads to the member that is empty. */
  path: string;
  body: unknown;
  /** Whether it has a least length, and so decides for itself. */
  decides: boolean;
}

/** The example with one member in it empty, for each that may be null. */
function* withEmpty(schema: TSchema, example: unknown, path = ""): Generator<Case> {
  const { anyOf, properties = {}, items } = schema as { anyOf?: TSchema[]; properties?: Members; items?: TSchema };
  for (const form of anyOf ?? []) yield* withEmpty(form, example, path);
  if (items !== undefined && Array.isArray(example)) {
    for (const [at, entry] of example.entries())
      for (const made of withEmpty(items, entry, `${path}/${at}`)) yield { ...made, body: example.with(at, made.body) };
  }
  const holder = example as Members;
  for (const [name, member] of Object.entries(properties)) {
    const at = `${path}/${name}`;
    const forms = (member as { anyOf?: Members[] }).anyOf ?? [member as Members];
    const isAny = forms.some((form) => form["type"] === undefined && form["enum"] === undefined);
    const takes = (type: string) => isAny || forms.some((form) => [form["type"]].flat().includes(type));
    const isText = takes("string") || forms.some((form) => Array.isArray(form["enum"]));
    const decides = forms.some((form) => form["minLength"] !== undefined);
    if (takes("null") && isText) yield { path: at, body: { ...holder, [name]: "" }, decides };
    if (takes("null") && takes("object")) yield { path: at, body: { ...holder, [name]: {} }, decides: false };
    if (holder[name] === undefined) continue;
    for (const made of withEmpty(member as TSchema, holder[name], at))
      yield { ...made, body: { ...holder, [name]: made.body } };
  }
}

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);

  it("incident 75: every body takes every member empty that it takes as null, and no pattern speaks for it", async () => {
    const document = (await api.send({ method: "GET", url: "/openapi.json" })).body as Document;
    const [seen, decided]: [string[], Set<string>] = [[], new Set()];
    for (const { name, path, operation } of readOperations(document)) {
      const media = operation.requestBody?.content["application/vnd.api+json"];
      if (!path.startsWith("/api/v2/") || media?.schema === undefined) continue;
      const schema = inlined(document, media.schema) as TSchema;
      // Their refusals would say no more than that it is invalid.
      expect([name, JSON.stringify(schema).match(/"(?:pattern|format)":/)]).toEqual([name, null]);
      const check = compileValidator({ schema, httpPart: "body", method: "POST", url: path });
      for (const { path: member, body, decides } of withEmpty(schema, media.example ?? {})) {
        if (decides) decided.add(`${path.split("/")[3]} ${member.replaceAll(/\/\d+/g, "")}`);
        else expect([name, member, check(structuredClone(body))]).toEqual([name, member, true]);
        seen.push(`${name} ${member}`);
      }
    }
    expect(seen).toEqual(expect.arrayContaining([expect.stringContaining("/data/attributes/vcs-repo")]));
    expect(seen.length).toBeGreaterThan(50);
    expect([...decided].sort()).toEqual([
      "organizations /data/attributes/email",
      "organizations /data/attributes/name",
      "organizations /data/attributes/rules/project",
      "projects /data/attributes/name",
      "projects /data/attributes/value",
      "workspaces /data/attributes/value",
    ]);
  });

  it("a relationship without data says nothing, and one with empty data empties", async () => {
    const organization = await api.organization();
    const project = { type: "projects", attributes: { name: "Kept" } };
    const home = (await api.post(`/organizations/${organization}/projects`, { data: project })).body.data.id as string;
    const tags = { data: [{ type: "tags", attributes: { name: "flat" } }] };
    const bound = { data: [{ type: "tag-bindings", attributes: { key: "env", value: "prod" } }] };
    const ofHome = { data: { type: "projects", id: home } };
    const given = { project: ofHome, tags, "tag-bindings": bound };
    const create = async (kind: string, name: string, relationships: object) =>
      api.post(`/organizations/${organization}/${kind}`, { data: { type: kind, attributes: { name }, relationships } });
    const shown = async (path: string) => {
      const { body } = await api.get(path);
      const bindings = (await api.get(`${path}/tag-bindings`)).body.data as { attributes: Members }[];
      return [
        body.data.relationships.project?.data.id,
        body.data.attributes["tag-names"],
        bindings.map(({ attributes: { key, value } }) => `${String(key)}=${String(value)}`),
      ];
    };
    const workspace = `/workspaces/${(await create("workspaces", "whole", given)).body.data.id}`;
    const holder = `/projects/${(await create("projects", "Whole", { "tag-bindings": bound })).body.data.id}`;
    const [atFirst, ofHolder] = [await shown(workspace), await shown(holder)];
    expect(atFirst).toEqual([home, expect.arrayContaining(["flat"]), ["env=prod"]]);
    // As a client sends back what it has read, or what its user has made and not filled.
    const silent = [{}, { links: { related: "/x" } }, { meta: {} }];
    for (const [number, nothing] of silent.entries()) {
      const relationships = { project: nothing, tags: nothing, "tag-bindings": nothing };
      for (const [path, type] of [
        [workspace, "workspaces"],
        [holder, "projects"],
      ] as const) {
        const { status, text } = await api.patch(path, { data: { type, relationships } });
        expect([status, text]).toEqual([200, expect.anything()]);
      }
      expect([await shown(workspace), await shown(holder)]).toEqual([atFirst, ofHolder]);
      expect((await create("workspaces", `new-${number}`, relationships)).status).toBe(201);
      expect((await create("projects", `New ${number}`, relationships)).status).toBe(201);
    }
    const none = { tags: { data: [] }, "tag-bindings": { data: [] } };
    await api.patch(workspace, { data: { type: "workspaces", relationships: none } });
    await api.patch(holder, { data: { type: "projects", relationships: none } });
    expect([await shown(workspace), await shown(holder)]).toEqual([
      [home, [], []],
      [undefined, undefined, []],
    ]);
    // A PATCH adds tag bindings: without data it has nothing to add.
    for (const path of [workspace, holder]) expect((await api.patch(`${path}/tag-bindings`, {})).status).toBe(422);
  });

  const GIVEN: Members = {
    "auto-destroy-at": "2031-02-03T04:05:06.000Z",
    "auto-destroy-activity-duration": "9d",
    description: "d",
    "execution-mode": "local",
    "default-execution-mode": "local",
    "setting-overwrites": {},
    "terraform-version": "1.5.7",
    "collaborator-auth-policy": "two_factor_mandatory",
  };
  /** The settings of a kind that may be null and are texts or objects. */
  async function settingsOf(operationId: string): Promise<string[]> {
    const document = (await api.send({ method: "GET", url: "/openapi.json" })).body as Document;
    const { operation } = readOperations(document).find((each) => each.operation.operationId === operationId) ?? {};
    const schema = inlined(document, operation?.requestBody?.content["application/vnd.api+json"]?.schema);
    const { data } = schema["properties"] as Record<string, TSchema>;
    const cases = [...withEmpty(data as TSchema, { attributes: {} })].filter(({ decides }) => !decides);
    const paths = cases.map(({ path }) => path.split("/"));
    return [...new Set(paths.flatMap(([, holder, name = ""]) => (holder === "attributes" ? [name] : [])))];
  }

  it.each([
    ["workspaces", "updateWorkspace", 12],
    ["projects", "updateProject", 5],
    ["organizations", "updateOrganization", 3],
  ])("incident 75: settings of %s that are given empty are as those that are null", async (kind, operation, least) => {
    const organization = await api.organization();
    const settings = await settingsOf(operation);
    expect(settings.length).toBeGreaterThanOrEqual(least);
    let made = 0;
    async function changed(name: string, to: unknown): Promise<[number, Members]> {
      const data = (attributes: object) => ({ data: { type: kind, attributes } });
      const create = (list: string, attributes: Members): Promise<Answer> => api.post(list, data(attributes));
      const isOrganization = kind === "organizations";
      const item = isOrganization
        ? { name: `${organization}-${made++}`, email: "a@b.test" }
        : { name: `item ${made++}` };
      if (kind === "workspaces") item.name = item.name.replace(" ", "-");
      const { body, text } = await create(
        isOrganization ? "/organizations" : `/organizations/${organization}/${kind}`,
        item,
      );
      expect(body.data?.id, text).toBeDefined();
      const path = `/${kind}/${body.data.id}`;
      const cannot = ["agent-pool-id", "default-agent-pool-id", "vcs-repo"].includes(name);
      if (!cannot) expect((await api.patch(path, data({ [name]: GIVEN[name] ?? "x" }))).status, name).toBe(200);
      const answer = await api.patch(path, data({ [name]: to }));
      const { attributes = {} } = answer.body.data ?? {};
      for (const own of ["name", "created-at", "updated-at", "latest-change-at", "external-id"]) delete attributes[own];
      return [answer.status, attributes];
    }
    for (const name of settings) {
      const isObject = ["vcs-repo", "setting-overwrites"].includes(name);
      const [status, attributes] = await changed(name, null);
      expect([name, status]).toEqual([name, 200]);
      expect([name, await changed(name, isObject ? {} : "")]).toEqual([name, [200, attributes]]);
    }
  });

  it("incident 75: what cannot be emptied is refused, and the value of a key that is added is the empty one", async () => {
    const organization = await api.organization();
    const data = (type: string, attributes: object) => ({ data: { type, attributes } });
    const path = `/organizations/${organization}`;
    for (const name of ["name", "email"])
      expect((await api.patch(path, data("organizations", { [name]: "" }))).status).toBe(422);
    const project = (await api.post(`${path}/projects`, data("projects", { name: "Kept" }))).body.data.id;
    expect((await api.patch(`/projects/${project}`, data("projects", { name: "" }))).status).toBe(422);
    const repository = await api.post(
      `${path}/workspaces`,
      data("workspaces", { name: "w", "vcs-repo": { branch: "" } }),
    );
    expect(repository).toMatchObject({
      status: 422,
      body: { errors: [{ detail: "VCS connections are not supported" }] },
    });
  });
});
