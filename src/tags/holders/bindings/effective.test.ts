import { describe, expect, it } from "vitest";
import { bindings, ids, useApi, type Answer } from "../../../../test/support/api.ts";
import { forEachEngine } from "../../../../test/support/engines.ts";

interface Effective {
  id: string;
  attributes: { key: string; value: string };
  links?: { "inherited-from": string };
  relationships?: { "inherited-from": { data: { id: string } } };
}

/** Returns the keys that apply as `key=value`, with `^` in front of inherited ones. */
function shown(list: Effective[]): string[] {
  return list.map(({ attributes: { key, value }, links }) => `${links === undefined ? "" : "^"}${key}=${value}`);
}

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);

  /** An organization with a project and a workspace in it, bound to these. */
  async function inherited(ofProject: [string, string?][], own: [string, string?][]) {
    const org = await api.organization();
    const relationships = { "tag-bindings": bindings(...ofProject) };
    const data = { type: "projects", attributes: { name: "Platform" }, relationships };
    const project = (await api.post(`/organizations/${org}/projects`, { data })).body.data.id as string;
    const made = await api.post(`/organizations/${org}/workspaces`, {
      data: {
        type: "workspaces",
        attributes: { name: "one" },
        relationships: { project: { data: { type: "projects", id: project } }, "tag-bindings": bindings(...own) },
      },
    });
    expect(made.status).toBe(201);
    return { org, project, workspace: made.body.data.id as string };
  }

  const list = async (workspace: string, token?: string) =>
    (await api.get(`/workspaces/${workspace}/effective-tag-bindings`, token)).body.data as Effective[];

  describe("what applies to a workspace", () => {
    it("is its own, and of its project what it does not say otherwise, which names the project", async () => {
      const { project, workspace } = await inherited(
        [
          ["env", "prod"],
          ["team", "net"],
        ],
        [
          ["env", "dev"],
          ["own", ""],
        ],
      );
      const found = await list(workspace);
      expect(shown(found)).toEqual(["env=dev", "own=", "^team=net"]);
      const [direct, , from] = found;
      expect(direct?.relationships).toBeUndefined();
      expect(from?.links?.["inherited-from"]).toBe(`/api/v2/projects/${project}`);
      expect(from?.relationships?.["inherited-from"].data).toEqual({ type: "projects", id: project });
      expect(shown((await api.get(`/projects/${project}/effective-tag-bindings`)).body.data)).toEqual([
        "env=prod",
        "team=net",
      ]);
    });

    it("follows a move to another project, and a change of it, at once", async () => {
      const { org, project, workspace } = await inherited([["env", "prod"]], []);
      expect(shown(await list(workspace))).toEqual(["^env=prod"]);
      await api.patch(`/projects/${project}/tag-bindings`, bindings(["env", "stage"]));
      expect(shown(await list(workspace))).toEqual(["^env=stage"]);
      const data = {
        type: "projects",
        attributes: { name: "Other" },
        relationships: { "tag-bindings": bindings(["zone", "b"]) },
      };
      const other = (await api.post(`/organizations/${org}/projects`, { data })).body.data.id;
      expect(
        (await api.post(`/projects/${other}/relationships/workspaces`, ids("workspaces", [workspace]))).status,
      ).toBe(204);
      expect(shown(await list(workspace))).toEqual(["^zone=b"]);
      const move = { type: "workspaces", relationships: { project: { data: { type: "projects", id: project } } } };
      expect((await api.patch(`/workspaces/${workspace}`, { data: move })).status).toBe(200);
      expect(shown(await list(workspace))).toEqual(["^env=stage"]);
    });

    it("is what its project says where the organization allows nothing else", async () => {
      const { org, workspace } = await inherited(
        [["env", "prod"]],
        [
          ["env", "dev"],
          ["cost", "1"],
        ],
      );
      const reserve = (key: string, disables: boolean) => ({
        data: { type: "reserved-tag-keys", attributes: { key, "disable-overrides": disables } },
      });
      const made = await api.post(`/organizations/${org}/reserved-tag-keys`, reserve("env", true));
      await api.post(`/organizations/${org}/reserved-tag-keys`, reserve("cost", true));
      expect(shown(await list(workspace))).toEqual(["cost=1", "^env=prod"]);
      const find = async (value: string) =>
        (await api.get(`/organizations/${org}/workspaces?filter[tagged][0][key]=env&filter[tagged][0][value]=${value}`))
          .body.data.length;
      expect(await Promise.all([find("prod"), find("dev")])).toEqual([1, 0]);
      expect((await api.patch(`/reserved-tag-keys/${made.body.data.id}`, reserve("env", false))).status).toBe(200);
      expect(shown(await list(workspace))).toEqual(["env=dev", "cost=1"]);
      expect(await Promise.all([find("prod"), find("dev")])).toEqual([0, 1]);
    });

    it("does not name the project to who may not read it", async () => {
      const { org, workspace } = await inherited([["env", "prod"]], []);
      const token = api.tokenWith({ kind: "workspace", segment: `${org}/one`, policy: "read" });
      const [binding] = await list(workspace, token);
      expect(binding?.attributes).toEqual({ key: "env", value: "prod" });
      expect(binding?.links).toBeUndefined();
      expect(binding?.relationships).toBeUndefined();
    });

    it("comes with workspaces and projects that include it", async () => {
      const { org, project, workspace } = await inherited([["env", "prod"]], [["own", "1"]]);
      const second = await api.workspace(org, "two");
      const check = (answer: Answer, holder: string, wanted: string[]) => {
        expect(answer.status).toBe(200);
        const resources = [answer.body.data].flat() as {
          id: string;
          relationships: Record<string, { data: { id: string }[] }>;
        }[];
        const related = resources.find(({ id }) => id === holder)?.relationships["effective-tag-bindings"]?.data ?? [];
        const included = new Map((answer.body.included as Effective[]).map((each) => [each.id, each]));
        expect(shown(related.flatMap(({ id }) => included.get(id) ?? []))).toEqual(wanted);
      };
      const include = "include=effective_tag_bindings";
      check(await api.get(`/workspaces/${workspace}?${include}`), workspace, ["own=1", "^env=prod"]);
      const all = await api.get(`/organizations/${org}/workspaces?${include}`);
      check(all, workspace, ["own=1", "^env=prod"]);
      check(all, second, []);
      check(
        await api.get(`/organizations/${org}/workspaces/one?include=effective-tag-bindings,organization`),
        workspace,
        ["own=1", "^env=prod"],
      );
      check(await api.get(`/projects/${project}?${include}`), project, ["env=prod"]);
      check(await api.get(`/organizations/${org}/projects?${include}`), project, ["env=prod"]);
      const plain = (await api.get(`/workspaces/${workspace}`)).body.data.relationships["effective-tag-bindings"];
      expect(Object.keys(plain)).toEqual(["links"]);
    });
  });

  describe("lists by keys and values", () => {
    it("find what applies, all or any of it, with a value, any or none", async () => {
      const org = await api.organization();
      const project = (
        await api.post(`/organizations/${org}/projects`, {
          data: {
            type: "projects",
            attributes: { name: "Keyed" },
            relationships: { "tag-bindings": bindings(["env", "prod"]) },
          },
        })
      ).body.data.id;
      const make = async (name: string, inProject: boolean, ...own: [string, string?][]) => {
        const relationships = {
          "tag-bindings": bindings(...own),
          ...(inProject && { project: { data: { type: "projects", id: project } } }),
        };
        await api.post(`/organizations/${org}/workspaces`, {
          data: { type: "workspaces", attributes: { name }, relationships },
        });
      };
      await make("a-inherits", true);
      await make("b-overrides", true, ["env", "dev"], ["net", ""]);
      await make("c-own", false, ["env", "prod"], ["net", "x"]);
      await make("d-none", false);
      const asked = async (kind: string, ...filters: string[]) =>
        (await api.get(`/organizations/${org}/${kind}?${filters.join("&")}`)).body.data
          .map(({ attributes }: { attributes: { name: string } }) => attributes.name[0])
          .join("");
      const find = (...filters: string[]) => asked("workspaces", ...filters);
      const key = (n: number, name: string) => `filter[tagged][${n}][key]=${name}`;
      const value = (n: number, text: string) => `filter[tagged][${n}][value]=${text}`;
      expect(await find(key(0, "env"))).toBe("abc");
      expect(await find(key(0, "env"), value(0, "prod"))).toBe("ac");
      expect(await find(key(0, "env"), value(0, "dev"))).toBe("b");
      expect(await find(key(0, "Env"))).toBe("");
      expect(await find(key(0, "env"), value(0, "prod"), key(1, "net"))).toBe("c");
      expect(await find(key(0, "env"), value(0, "dev"), key(7, "net"), "filter[tag-union]=true")).toBe("bc");
      expect(await find(key(0, "env"), value(0, "dev"), key(7, "nowhere"), "filter[tag-union]=true")).toBe("b");
      expect(await find(key(0, "env"), key(1, "nowhere"))).toBe("");
      expect(await find(key(0, "net"), "filter[tag-value-default-null]=true")).toBe("b");
      // As the official client asks for a key, which it also writes under the name of its own field.
      expect(await find(key(0, "net"), value(0, ""))).toBe("bc");
      expect(await find("TagBindings=%7Benv+%7D", "TagBindings=%7Bnet+%7D", key(0, "env"), key(1, "net"))).toBe("bc");
      expect(await find(key(0, "net"), value(0, ""), "filter[tag-value-default-null]=true")).toBe("b");
      expect(await find(key(0, "env"), "search[tags]=net", "search[name]=own")).toBe("c");
      expect(await find(key(0, "env"), "search[exclude-tags]=net", "sort=-name")).toBe("a");
      expect(await find(key(0, "env"), `filter[project][id]=${project}`, "sort=-name")).toBe("ba");
      expect(await asked("projects", key(0, "env"), value(0, "prod"))).toBe("K");
      expect(await asked("projects", key(0, "env"), value(0, "dev"))).toBe("");
      const page = await api.get(`/organizations/${org}/workspaces?${key(0, "env")}&page[size]=1&page[number]=2`);
      expect(page.body.meta.pagination["total-count"]).toBe(3);
      expect(page.body.data[0].attributes.name).toBe("b-overrides");
      const token = api.tokenWith({ kind: "workspace", segment: `${org}/c-own`, policy: "read" });
      const few = await api.get(`/organizations/${org}/workspaces?${key(0, "env")}`, token);
      expect(few.body.meta.pagination["total-count"]).toBe(1);
      for (const bad of [value(0, "x"), Array.from({ length: 21 }, (_, n) => key(n, "k")).join("&")]) {
        expect((await api.get(`/organizations/${org}/workspaces?${bad}`)).status).toBe(400);
      }
    });

    it("give all of an organization, with who has each and how many do", async () => {
      const { org, project, workspace } = await inherited(
        [["env", "prod"]],
        [
          ["env", "prod"],
          ["b", "1"],
        ],
      );
      const path = `/organizations/${org}/tag-bindings`;
      const all = await api.get(path);
      expect(all.body.meta.pagination["total-count"]).toBe(3);
      const rows = all.body.data.map((each: { attributes: object; relationships: { target: { data: object } } }) => [
        each.attributes,
        each.relationships.target.data,
      ]);
      expect(rows).toMatchObject([
        [
          { key: "b", value: "1", counts: { workspaces: 1, projects: 0 } },
          { type: "workspaces", id: workspace },
        ],
        [
          { key: "env", value: "prod", counts: { workspaces: 1, projects: 1 } },
          { type: "projects", id: project },
        ],
        [
          { key: "env", value: "prod" },
          { type: "workspaces", id: workspace },
        ],
      ]);
      const total = async (query: string, token?: string) =>
        (await api.get(`${path}?${query}`, token)).body.meta.pagination["total-count"];
      expect(await total("filter[taggable-type]=workspace")).toBe(2);
      expect(await total("filter[taggable-type]=projects")).toBe(1);
      expect(await total("filter[tagged][0][key]=b&filter[tagged][1][key]=env&filter[tagged][1][value]=x")).toBe(1);
      expect(await total("filter[tagged][0][key]=none")).toBe(0);
      const some = await api.get(`${path}?fields[tag-binding]=key,created_at&page[size]=1`);
      expect(Object.keys(some.body.data[0].attributes)).toEqual(["key", "created-at"]);
      expect((await api.get(`${path}?filter[taggable-type]=teams`)).status).toBe(400);
      const reader = api.tokenWith(
        { kind: "organization", segment: org, policy: "read" },
        { kind: "workspace", segment: `${org}/one`, policy: "deny" },
      );
      expect(await total("", reader)).toBe(1);
      const stranger = api.tokenWith({ kind: "workspace", segment: `${org}/one`, policy: "write" });
      expect((await api.get(path, stranger)).status).toBe(404);
    });
  });
});
