import { describe, expect, it } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { ids, tagNames, useApi, type Api } from "../../../test/support/api.ts";

type TagResource = { id: string; attributes: { name: string; "instance-count": number } };

async function namesIn(api: Api, path: string): Promise<string[]> {
  const { body } = await api.get(path);
  return (body.data as TagResource[]).map((tag) => tag.attributes.name);
}

async function createTags(api: Api, organization: string, names: string[]): Promise<Map<string, string>> {
  const answer = await api.post(`/organizations/${organization}/tags`, tagNames(...names));
  expect(answer.status, answer.text).toBe(201);
  return new Map((answer.body.data as TagResource[]).map((tag) => [tag.attributes.name, tag.id]));
}

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);

  describe("the list of tags", () => {
    it("answers tags in the shape of the API, in order of names, with where the page lies", async () => {
      const org = await api.organization();
      await api.workspace(org, "one", ["beta", "alpha"]);
      await createTags(api, org, ["a-b", "ab", "zed", "1st"]);
      const { status, body, headers } = await api.get(`/organizations/${org}/tags`);
      expect(status).toBe(200);
      expect(headers["content-type"]).toContain("application/vnd.api+json");
      expect(body.data.map((tag: TagResource) => tag.attributes.name)).toEqual([
        "1st",
        "a-b",
        "ab",
        "alpha",
        "beta",
        "zed",
      ]);
      expect(body.data[3]).toEqual({
        id: expect.stringMatching(/^tag-[1-9A-Za-z]{16}$/),
        type: "tags",
        attributes: {
          name: "alpha",
          "created-at": expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          "instance-count": 1,
        },
        relationships: { organization: { data: { id: org, type: "organizations" } } },
      });
      expect(body.meta.pagination).toEqual({
        "current-page": 1,
        "page-size": 20,
        "prev-page": null,
        "next-page": null,
        "total-pages": 1,
        "total-count": 6,
      });
    });

    it("gives every page from either end, each tag once", async () => {
      const org = await api.organization();
      const names = Array.from({ length: 45 }, (_, i) => `tag-${String(i).padStart(3, "0")}`);
      await createTags(api, org, names.toReversed());
      const seen: string[] = [];
      for (const page of [1, 2, 3, 4, 5]) {
        const { body } = await api.get(`/organizations/${org}/tags?page[number]=${page}&page%5Bsize%5D=10`);
        expect(body.meta.pagination).toMatchObject({ "current-page": page, "total-count": 45, "total-pages": 5 });
        seen.push(...body.data.map((tag: TagResource) => tag.attributes.name));
      }
      expect(seen).toEqual(names);
      const beyond = await api.get(`/organizations/${org}/tags?page[number]=999`);
      expect(beyond.body).toMatchObject({ data: [], meta: { pagination: { "current-page": 999, "total-count": 45 } } });
      const links = (await api.get(`/organizations/${org}/tags?page[number]=2&page[size]=10&q=tag`)).body.links;
      expect(links.next).toBe(
        `http://localhost/api/v2/organizations/${org}/tags?q=tag&page%5Bnumber%5D=3&page%5Bsize%5D=10`,
      );
    });

    it.each([
      ["page[number]=0", 1, 20],
      ["page[number]=-1", 1, 20],
      ["page[number]=abc", 1, 20],
      ["page[size]=0", 1, 20],
      ["page[size]=101", 1, 100],
      ["page[number]=1000000000000", 1_000_000_000_000, 20],
    ])("takes %s", async (query, number, size) => {
      const org = await api.organization();
      await createTags(api, org, ["one"]);
      const { status, body } = await api.get(`/organizations/${org}/tags?${query}`);
      expect(status).toBe(200);
      expect(body.meta.pagination).toMatchObject({ "current-page": number, "page-size": size, "total-count": 1 });
    });

    it("searches by a part of the name, in any case, with no character special", async () => {
      const org = await api.organization();
      await createTags(api, org, ["network", "net_work", "net-work", "net-x", "internet", "a:b"]);
      const found = (q: string) => namesIn(api, `/organizations/${org}/tags?q=${encodeURIComponent(q)}`);
      expect(await found("net")).toEqual(["internet", "net-work", "net-x", "net_work", "network"]);
      expect(await found("NETW")).toEqual(["network"]);
      expect(await found("t_w")).toEqual(["net_work"]);
      expect(await found("_w")).toEqual(["net_work"]);
      expect(await found("e")).toEqual(["internet", "net-work", "net-x", "net_work", "network"]);
      expect(await found("a:b")).toEqual(["a:b"]);
      expect(await found("%")).toEqual([]);
      expect(await found('"')).toEqual([]);
      expect(await found("tag0")).toEqual([]);
      expect(await found("")).toHaveLength(6);
    });

    it("finds the same by its index and by a scan, whatever other organizations hold", async () => {
      const org = await api.organization();
      const other = await api.organization();
      const many = Array.from({ length: 600 }, (_, i) => `common-${i}`);
      await createTags(api, other, many);
      await createTags(api, org, many);
      const { body } = await api.get(`/organizations/${org}/tags?q=common&page[size]=3&page[number]=2`);
      expect(body.data.map((tag: TagResource) => tag.attributes.name)).toEqual([
        "common-100",
        "common-101",
        "common-102",
      ]);
      expect(body.meta.pagination["total-count"]).toBe(600);
      await createTags(
        api,
        other,
        many.map((name) => `${name}-more`),
      );
      await createTags(api, org, ["mine-1-more"]);
      const last = await api.get(`/organizations/${org}/tags?q=-more`);
      expect(last.body.data.map((tag: TagResource) => tag.attributes.name)).toEqual(["mine-1-more"]);
      const behind = await createTags(
        api,
        await api.organization(),
        many.slice(0, 500).map((name) => `${name}-more`),
      );
      expect(behind.size).toBe(500);
      const lonely = await api.organization();
      await createTags(api, lonely, ["lonely-more"]);
      expect((await api.get(`/organizations/${lonely}/tags?q=y-more`)).body.meta.pagination["total-count"]).toBe(1);
      expect((await api.get(`/organizations/${lonely}/tags?q=-more`)).body.meta.pagination["total-count"]).toBe(1);
      expect((await api.get(`/organizations/${lonely}/tags?q=common`)).body.meta.pagination["total-count"]).toBe(0);
      const rare = await api.get(`/organizations/${org}/tags?q=common-59`);
      expect(rare.body.meta.pagination["total-count"]).toBe(11);
    });
  });

  describe("creating tags", () => {
    it("gives back tags that exist, folds upper case, and keeps what it created without uses", async () => {
      const org = await api.organization();
      const workspace = await api.workspace(org, "w", ["born"]);
      const created = await createTags(api, org, ["Born", "NEW", "new"]);
      expect([...created.keys()]).toEqual(["born", "new"]);
      await api.delete(`/workspaces/${workspace}/relationships/tags`, tagNames("born"));
      expect(await namesIn(api, `/organizations/${org}/tags`)).toEqual(["born", "new"]);
      await api.delete(`/workspaces/${workspace}`);
      expect(await namesIn(api, `/organizations/${org}/tags`)).toEqual(["born", "new"]);
    });

    it.each([
      ["an empty name", ""],
      ["a name of 256 characters", "a".repeat(256)],
      ["a hyphen in front", "-a"],
      ["a colon behind", "a:"],
      ["a blank", "a b"],
      ["letters outside ASCII", "café"],
      ["a letter that folds into ASCII elsewhere", "\u212Aelvin"],
      ["a NUL", "a\u0000b"],
      ["a lone surrogate", "a\ud800"],
      ["an emoji", "😀"],
    ])("refuses %s and creates nothing", async (_, name) => {
      const org = await api.organization();
      const answer = await api.post(`/organizations/${org}/tags`, tagNames("good", name));
      expect(answer.status).toBe(422);
      expect(answer.body.errors[0].source.pointer).toMatch(/^\/data\/1\/attributes\/name/);
      expect(await namesIn(api, `/organizations/${org}/tags`)).toEqual([]);
    });

    it("takes names that mean something to JavaScript as the names they are", async () => {
      const org = await api.organization();
      await createTags(api, org, ["constructor", "tostring", "a".repeat(255)]);
      expect(await namesIn(api, `/organizations/${org}/tags`)).toEqual(["a".repeat(255), "constructor", "tostring"]);
      expect((await api.post(`/organizations/${org}/tags`, tagNames("__proto__"))).status).toBe(422);
    });
  });

  describe("renaming a tag", () => {
    it("keeps its workspaces and refuses a name that is taken", async () => {
      const org = await api.organization();
      const workspace = await api.workspace(org, "w", ["old", "other"]);
      const [, old] = (await api.get(`/organizations/${org}/tags`)).body.data.toReversed();
      const { id } = (await api.get(`/organizations/${org}/tags?q=old`)).body.data[0];
      expect(old).toBeDefined();
      const rename = (name: string) => api.patch(`/tags/${id}`, { data: { type: "tags", id, attributes: { name } } });
      expect((await rename("Renamed")).body.data.attributes.name).toBe("renamed");
      expect((await api.get(`/workspaces/${workspace}`)).body.data.attributes["tag-names"]).toEqual([
        "renamed",
        "other",
      ]);
      expect(await namesIn(api, `/organizations/${org}/tags?q=renam`)).toEqual(["renamed"]);
      expect(await namesIn(api, `/organizations/${org}/tags?q=old`)).toEqual([]);
      const taken = await rename("other");
      expect(taken.status).toBe(422);
      expect(taken.body.errors[0]).toMatchObject({
        title: "invalid attribute",
        detail: "Name has already been taken",
        source: { pointer: "/data/attributes/name" },
      });
      expect((await rename("renamed")).status).toBe(200);
      expect((await rename("-bad")).status).toBe(422);
    });
  });

  describe("deleting tags", () => {
    it("takes them from the pool, from every workspace, from names and from searches at once", async () => {
      const org = await api.organization();
      const one = await api.workspace(org, "one", ["a", "b", "c"]);
      const two = await api.workspace(org, "two", ["b", "c"]);
      const all = (await api.get(`/organizations/${org}/tags`)).body.data as TagResource[];
      const [a, b] = all.map((tag) => tag.id) as [string, string];
      const answer = await api.delete(`/organizations/${org}/tags`, ids("tags", [a, b, a]));
      expect(answer).toMatchObject({ status: 204, text: "" });
      expect(await namesIn(api, `/organizations/${org}/tags`)).toEqual(["c"]);
      for (const id of [one, two]) {
        expect((await api.get(`/workspaces/${id}`)).body.data.attributes["tag-names"]).toEqual(["c"]);
        expect(await namesIn(api, `/workspaces/${id}/relationships/tags`)).toEqual(["c"]);
      }
      const search = await api.get(`/organizations/${org}/workspaces?search[tags]=b`);
      expect(search.body.meta.pagination["total-count"]).toBe(0);
      expect((await api.get(`/tags/${a}`)).status).toBe(404);
      // The name is free at once, and what carried the old tag does not carry the new one.
      await createTags(api, org, ["b"]);
      expect((await api.get(`/workspaces/${one}`)).body.data.attributes["tag-names"]).toEqual(["c"]);
    });

    it("deletes nothing when one id is unknown or of another organization", async () => {
      const org = await api.organization();
      const other = await api.organization();
      const mine = await createTags(api, org, ["a", "b"]);
      const foreign = await createTags(api, other, ["c"]);
      for (const stranger of ["tag-unknown", foreign.get("c") ?? "", "ws-1234567890123456"]) {
        const answer = await api.delete(`/organizations/${org}/tags`, ids("tags", [mine.get("a") ?? "", stranger]));
        expect(answer.status).toBe(404);
      }
      expect(await namesIn(api, `/organizations/${org}/tags`)).toEqual(["a", "b"]);
      expect(await namesIn(api, `/organizations/${other}/tags`)).toEqual(["c"]);
    });

    it.each([
      ["no data", {}],
      ["an empty list", { data: [] }],
      ["an object for a list", { data: { type: "tags", id: "tag-1" } }],
      ["another type", { data: [{ type: "workspaces", id: "tag-1" }] }],
      ["no id", { data: [{ type: "tags" }] }],
      ["a number for an id", { data: [{ type: "tags", id: 5 }] }],
      ["1,001 entries", { data: Array.from({ length: 1001 }, () => ({ type: "tags", id: "tag-1" })) }],
    ])("refuses %s", async (_, body) => {
      const org = await api.organization();
      const answer = await api.delete(`/organizations/${org}/tags`, body);
      expect(answer.status).toBe(422);
      expect(answer.body.errors[0]).toMatchObject({ status: "422", source: { pointer: expect.any(String) } });
    });

    it("keeps the counts right when clients delete and add the same tags at once", async () => {
      const org = await api.organization();
      const workspaces = await Promise.all(
        Array.from({ length: 8 }, (_, i) => api.workspace(org, `w${i}`, ["x", "y"])),
      );
      const tags = (await api.get(`/organizations/${org}/tags`)).body.data as TagResource[];
      await Promise.all([
        ...tags.map((tag) => api.delete(`/organizations/${org}/tags`, ids("tags", [tag.id]))),
        ...workspaces.map((id) => api.post(`/workspaces/${id}/relationships/tags`, tagNames("x", "z"))),
      ]);
      const after = await api.get(`/organizations/${org}/tags`);
      expect(after.body.meta.pagination["total-count"]).toBe(after.body.data.length);
      for (const tag of after.body.data as TagResource[]) {
        const carriers = await api.get(`/tags/${tag.id}/relationships/workspaces`);
        expect(carriers.body.data).toHaveLength(tag.attributes["instance-count"]);
      }
    });
  });
});
