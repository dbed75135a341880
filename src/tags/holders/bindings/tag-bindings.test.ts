import { describe, expect, it } from "vitest";
import { bindings, tagNames, useApi, type Answer } from "../../../../test/support/api.ts";
import { forEachEngine } from "../../../../test/support/engines.ts";

/** Returns the bindings of a response as `key=value`. */
function pairs(answer: Answer): string[] {
  return answer.body.data.map(
    ({ attributes }: { attributes: Record<string, string> }) => `${attributes["key"]}=${attributes["value"]}`,
  );
}

const relationship = (...given: Parameters<typeof bindings>) => ({ "tag-bindings": bindings(...given) });

function body(type: string, attributes: object, relationships?: object) {
  return { data: { type, attributes, relationships } };
}

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);

  async function projectIn(org: string, name: string, ...given: Parameters<typeof bindings>): Promise<string> {
    const made = await api.post(`/organizations/${org}/projects`, body("projects", { name }, relationship(...given)));
    expect(made.status).toBe(201);
    return made.body.data.id;
  }

  const holders = [
    ["a workspace", "workspaces", (org: string) => api.workspace(org, "one")],
    ["a project", "projects", (org: string) => projectIn(org, "One of them")],
  ] as const;

  describe.each(holders)("keys and values of %s", (_name, type, make) => {
    it("are added, given other values, replaced and cleared, by each path that clients use", async () => {
      const id = await make(await api.organization());
      const path = `/${type}/${id}`;
      const added = await api.patch(`${path}/tag-bindings`, bindings(["env", "prod"], ["Team", ""]));
      expect(added.status).toBe(200);
      expect(pairs(added)).toEqual(["env=prod", "Team="]);
      expect(added.body.data[0]).toMatchObject({ id: expect.stringMatching(/^tb-/), type: "tag-bindings" });
      expect(added.body.data[0].links).toBeUndefined();
      const more = await api.patch(`${path}/tag-bindings`, bindings(["zone", "a"], ["env", "dev"]));
      expect(pairs(more)).toEqual(["zone=a", "env=dev"]);
      expect(more.body.data[1].id).toBe(added.body.data[0].id);
      expect(pairs(await api.get(`${path}/tag-bindings`))).toEqual(["env=dev", "Team=", "zone=a"]);
      expect((await api.post(`${path}/relationships/tag-bindings`, bindings(["x", "1"]))).status).toBe(204);
      expect(pairs(await api.get(`${path}/relationships/tag-bindings`))).toEqual(["env=dev", "Team=", "zone=a", "x=1"]);
      expect((await api.patch(`${path}/relationships/tag-bindings`, bindings(["x", "2"], ["y", ""]))).status).toBe(204);
      expect(pairs(await api.get(`${path}/tag-bindings`))).toEqual(["x=2", "y="]);
      const replaced = await api.patch(path, body(type, {}, relationship(["y", "3"])));
      expect(replaced.status).toBe(200);
      expect(pairs(await api.get(`${path}/tag-bindings`))).toEqual(["y=3"]);
      expect((await api.patch(path, body(type, {}, {}))).status).toBe(200);
      expect(pairs(await api.get(`${path}/effective-tag-bindings`))).toEqual(["y=3"]);
      expect((await api.patch(path, body(type, {}, relationship()))).status).toBe(200);
      expect(pairs(await api.get(`${path}/tag-bindings`))).toEqual([]);
    });

    it("are at most ten, each key once, and of the characters that are allowed", async () => {
      const id = await make(await api.organization());
      const path = `/${type}/${id}/tag-bindings`;
      const many = (count: number) =>
        bindings(...Array.from({ length: count }, (_, n) => [`k${n}`, "v"] as [string, string]));
      expect((await api.patch(path, many(26))).body.errors[0].detail).toContain(
        "cannot exceed 10 bindings per resource",
      );
      expect((await api.patch(path, many(10))).status).toBe(200);
      const eleventh = await api.patch(path, bindings(["k10", ""]));
      expect(eleventh.status).toBe(422);
      expect(eleventh.body.errors[0].detail).toContain("cannot exceed 10 bindings per resource");
      expect((await api.patch(path, bindings(["k9", "other"]))).status).toBe(200);
      const refused: [string, string, string][] = [
        ["", "v", "/data/0/attributes/key"],
        ["k".repeat(129), "v", "/data/0/attributes/key"],
        ["sp ace", "v", "/data/0/attributes/key"],
        ["ключ", "v", "/data/0/attributes/key"],
        ["hc:owner", "v", "/data/0/attributes/key"],
        ["HCP:owner", "v", "/data/0/attributes/key"],
        ["k", "v".repeat(257), "/data/0/attributes/value"],
        ["k", "a/b", "/data/0/attributes/value"],
      ];
      for (const [key, value, pointer] of refused) {
        const answer = await api.patch(path, bindings([key, value]));
        expect(answer.status).toBe(422);
        expect(answer.body.errors[0].source.pointer).toBe(pointer);
      }
      expect((await api.patch(path, bindings(["a", "1"], ["a", "2"]))).status).toBe(422);
      for (const data of [[{ type: "tag-bindings" }], [{ type: "tags", attributes: { key: "a" } }], {}, null]) {
        expect((await api.patch(path, { data })).status).toBe(422);
      }
      expect(pairs(await api.get(path))).toHaveLength(10);
      const longest = bindings(["k".repeat(128), "Az0_.=+-@:".repeat(25)]);
      expect((await api.patch(path.replace("/tag-", "/relationships/tag-"), longest)).status).toBe(204);
      expect(pairs(await api.get(path))).toHaveLength(1);
    });

    it("are two where they differ in case, and missing where who asks may not read", async () => {
      const org = await api.organization();
      const id = await make(org);
      const path = `/${type}/${id}`;
      expect(pairs(await api.patch(`${path}/tag-bindings`, bindings(["env", "a"], ["Env", "b"])))).toHaveLength(2);
      const other = api.tokenWith({ kind: "organization", segment: "elsewhere", policy: "write" });
      const reader = api.tokenWith({ kind: "organization", segment: org, policy: "read" });
      for (const end of ["tag-bindings", "effective-tag-bindings", "relationships/tag-bindings"]) {
        expect((await api.get(`${path}/${end}`, other)).status).toBe(404);
        expect((await api.get(`/${type}/no-such/${end}`)).status).toBe(404);
      }
      for (const token of [other, reader]) {
        expect((await api.patch(`${path}/tag-bindings`, bindings(["a", "b"]), token)).status).toBe(404);
        expect((await api.post(`${path}/relationships/tag-bindings`, bindings(["a", "b"]), token)).status).toBe(404);
      }
    });
  });

  describe("flat tags and keys of one name", () => {
    it("are one tag of the pool, and each is put on and taken off alone", async () => {
      const org = await api.organization();
      const id = await api.workspace(org, "one", ["env", "flat"]);
      const path = `/workspaces/${id}`;
      expect(
        (await api.post(`${path}/relationships/tag-bindings`, bindings(["env", "prod"], ["zone", "a"]))).status,
      ).toBe(204);
      const pool = async () =>
        (await api.get(`/organizations/${org}/tags`)).body.data.map(
          ({ attributes }: { attributes: Record<string, string | number> }) =>
            `${attributes["name"]} ${attributes["instance-count"]}`,
        );
      expect(await pool()).toEqual(["env 1", "flat 1", "zone 1"]);
      const read = async () => (await api.get(path)).body.data.attributes["tag-names"];
      expect(await read()).toEqual(["env", "flat"]);
      expect((await api.delete(`${path}/relationships/tags`, tagNames("env", "zone"))).status).toBe(204);
      expect(await read()).toEqual(["flat"]);
      expect(pairs(await api.get(`${path}/tag-bindings`))).toEqual(["env=prod", "zone=a"]);
      expect((await api.post(`${path}/relationships/tags`, tagNames("zone"))).status).toBe(204);
      expect((await api.patch(path, body("workspaces", {}, relationship()))).status).toBe(200);
      expect(await read()).toEqual(["flat", "zone"]);
      expect(await pool()).toEqual(["flat 1", "zone 1"]);
    });

    it("are given in one request, and worked out together", async () => {
      const org = await api.organization();
      const relationships = { tags: tagNames("a", "b"), ...relationship(["a", "1"], ["c", "2"]) };
      const made = await api.post(`/organizations/${org}/workspaces`, body("workspaces", { name: "w" }, relationships));
      expect(made.status).toBe(201);
      expect(made.body.data.attributes["tag-names"]).toEqual(["a", "b"]);
      const path = `/workspaces/${made.body.data.id}`;
      expect(pairs(await api.get(`${path}/tag-bindings`))).toEqual(["a=1", "c=2"]);
      const swapped = { tags: tagNames("c"), ...relationship(["b", "1"]) };
      expect((await api.patch(path, body("workspaces", {}, swapped))).body.data.attributes["tag-names"]).toEqual(["c"]);
      expect(pairs(await api.get(`${path}/tag-bindings`))).toEqual(["b=1"]);
      const list = await api.get(`/organizations/${org}/tags`);
      expect(list.body.data.map((tag: { attributes: { name: string } }) => tag.attributes.name)).toEqual(["b", "c"]);
      expect((await api.delete(path)).status).toBe(204);
      expect((await api.get(`/organizations/${org}/tags`)).body.data).toEqual([]);
    });

    it("are both there after the additive path was given a key alone, as terraform looks for them", async () => {
      const org = await api.organization();
      const id = await api.workspace(org, "one");
      expect((await api.patch(`/workspaces/${id}/tag-bindings`, bindings(["net"], ["Upper"]))).status).toBe(200);
      expect((await api.get(`/workspaces/${id}`)).body.data.attributes["tag-names"]).toEqual(["net"]);
      const search = async (tags: string) =>
        (await api.get(`/organizations/${org}/workspaces?search[tags]=${tags}`)).body.data.length;
      expect(await search("net")).toBe(1);
      expect(await search("Upper")).toBe(1);
      expect(await search("upper")).toBe(0);
    });

    it("are not mixed up: a key in upper case is put on nothing as a flat tag", async () => {
      const org = await api.organization();
      const id = await api.workspace(org, "one");
      await api.post(`/workspaces/${id}/relationships/tag-bindings`, bindings(["Env", "x"]));
      const tag = (await api.get(`/organizations/${org}/tags`)).body.data[0];
      expect(tag.attributes.name).toBe("Env");
      const byId = { data: [{ type: "tags", id: tag.id }] };
      expect((await api.post(`/workspaces/${id}/relationships/tags`, byId)).status).toBe(422);
      const onTag = { data: [{ type: "workspaces", id }] };
      expect((await api.post(`/tags/${tag.id}/relationships/workspaces`, onTag)).status).toBe(422);
      await api.workspace(org, "two", ["env"]);
      const found = await api.get(`/organizations/${org}/workspaces?search[tags]=Env`);
      expect(found.body.data).toHaveLength(2);
    });

    it("are renamed together, to what both may be called", async () => {
      const org = await api.organization();
      const id = await api.workspace(org, "one", ["env"]);
      await api.post(`/workspaces/${id}/relationships/tag-bindings`, bindings(["env", "x"], ["Team", "y"]));
      const found = (await api.get(`/organizations/${org}/tags`)).body.data as {
        id: string;
        attributes: { name: string };
      }[];
      const idOf = (name: string) => found.find(({ attributes }) => attributes.name === name)?.id ?? "";
      const rename = async (name: string, to: string) =>
        (await api.patch(`/tags/${idOf(name)}`, body("tags", { name: to }))).status;
      expect(await rename("env", "e".repeat(129))).toBe(422);
      expect(await rename("env", "hcp:env")).toBe(422);
      expect(await rename("env", "Stage")).toBe(200);
      expect(await rename("Team", "sp ace")).toBe(422);
      expect(await rename("Team", "Squad.A")).toBe(200);
      expect((await api.get(`/workspaces/${id}`)).body.data.attributes["tag-names"]).toEqual(["stage"]);
      expect(pairs(await api.get(`/workspaces/${id}/tag-bindings`))).toEqual(["stage=x", "Squad.A=y"]);
    });

    it("go with their tag, when it is deleted from the pool", async () => {
      const org = await api.organization();
      const project = await projectIn(org, "Keyed", ["env", "prod"]);
      const id = await api.workspace(org, "one");
      await api.patch(`/workspaces/${id}/tag-bindings`, bindings(["env", "dev"]));
      const [tag] = (await api.get(`/organizations/${org}/tags`)).body.data;
      expect(tag.attributes["instance-count"]).toBe(1);
      expect((await api.delete(`/organizations/${org}/tags`, { data: [{ type: "tags", id: tag.id }] })).status).toBe(
        204,
      );
      for (const path of [`/workspaces/${id}`, `/projects/${project}`]) {
        expect(pairs(await api.get(`${path}/tag-bindings`))).toEqual([]);
        expect(pairs(await api.get(`${path}/effective-tag-bindings`))).toEqual([]);
      }
    });
  });
});
