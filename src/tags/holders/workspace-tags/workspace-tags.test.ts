import { describe, expect, it } from "vitest";
import { forEachEngine } from "../../../../test/support/engines.ts";
import { ids, tagNames, useApi, type Api } from "../../../../test/support/api.ts";

type TagResource = { id: string; attributes: { name: string; "instance-count": number } };

async function namesOn(api: Api, workspace: string): Promise<string[]> {
  return (await api.get(`/workspaces/${workspace}`)).body.data.attributes["tag-names"];
}

async function pool(api: Api, organization: string): Promise<Map<string, TagResource>> {
  const { body } = await api.get(`/organizations/${organization}/tags?page[size]=100`);
  expect(body.meta.pagination["total-count"]).toBe(body.data.length);
  return new Map((body.data as TagResource[]).map((tag) => [tag.attributes.name, tag]));
}

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);

  describe("tags of a workspace", () => {
    it("are added by name and by id, in the order given, once each", async () => {
      const org = await api.organization();
      const one = await api.workspace(org, "one");
      const two = await api.workspace(org, "two", ["by-id"]);
      const path = `/workspaces/${one}/relationships/tags`;
      expect((await api.post(path, tagNames("tag1", "TAG2", "tag3", "tag1"))).status).toBe(204);
      expect(await namesOn(api, one)).toEqual(["tag1", "tag2", "tag3"]);
      const { id } = (await pool(api, org)).get("by-id") ?? { id: "" };
      const both = {
        data: [
          { type: "tags", id, attributes: { name: "ignored" } },
          { type: "tags", attributes: { name: "tag4" } },
        ],
      };
      expect((await api.post(path, both)).status).toBe(204);
      expect((await api.post(path, both)).status).toBe(204);
      expect(await namesOn(api, one)).toEqual(["tag1", "tag2", "tag3", "by-id", "tag4"]);
      const list = await api.get(`${path}?page[size]=2&page[number]=2`);
      expect(list.body.data.map((tag: TagResource) => tag.attributes.name)).toEqual(["tag3", "by-id"]);
      expect(list.body.meta.pagination["total-count"]).toBe(5);
      expect((await api.get(`${path}?name=TAG`)).body.meta.pagination["total-count"]).toBe(4);
      expect((await pool(api, org)).get("by-id")?.attributes["instance-count"]).toBe(2);
      expect(await namesOn(api, two)).toEqual(["by-id"]);
    });

    it("are added and taken away to the last one, also where they are many", async () => {
      const org = await api.organization();
      const one = await api.workspace(org, "one");
      const path = `/workspaces/${one}/relationships/tags`;
      const names = Array.from({ length: 37 }, (_, i) => `many-${i}`);
      for (let round = 0; round < 2; round++) {
        expect((await api.post(path, tagNames(...names))).status).toBe(204);
        expect(await namesOn(api, one)).toEqual(names);
      }
      expect((await api.delete(path, tagNames(...names))).status).toBe(204);
      expect(await namesOn(api, one)).toEqual([]);
    });

    it("leave the pool with their last use, unless they were created in it", async () => {
      const org = await api.organization();
      await api.post(`/organizations/${org}/tags`, tagNames("pinned"));
      const one = await api.workspace(org, "one", ["pinned", "shared", "own", "other"]);
      const two = await api.workspace(org, "two", ["shared"]);
      const path = `/workspaces/${one}/relationships/tags`;
      const { id } = (await pool(api, org)).get("own") ?? { id: "" };
      const mixed = { data: [{ type: "tags", id }, ...tagNames("pinned", "shared", "unknown", "No Name").data] };
      expect((await api.delete(path, mixed)).status).toBe(204);
      expect([...(await pool(api, org)).keys()]).toEqual(["other", "pinned", "shared"]);
      expect((await pool(api, org)).get("shared")?.attributes["instance-count"]).toBe(1);
      expect(await namesOn(api, one)).toEqual(["other"]);
      // A tag of the pool that is not on the workspace: nothing to do.
      expect((await api.delete(path, tagNames("shared"))).status).toBe(204);
      expect(await namesOn(api, two)).toEqual(["shared"]);
      expect((await api.delete(`/workspaces/${two}`)).status).toBe(204);
      expect([...(await pool(api, org)).keys()]).toEqual(["other", "pinned"]);
      await api.post(path, tagNames("own"));
      expect((await pool(api, org)).get("own")?.id).not.toBe(id);
    });

    it("an unknown id, or one of another organization, changes nothing", async () => {
      const org = await api.organization();
      const foreign = await api.organization();
      await api.workspace(foreign, "w", ["theirs"]);
      const stranger = (await pool(api, foreign)).get("theirs")?.id ?? "";
      const workspace = await api.workspace(org, "w", ["mine"]);
      const path = `/workspaces/${workspace}/relationships/tags`;
      for (const id of ["tag-unknown", stranger]) {
        const body = { data: [...tagNames("new", "mine").data, { type: "tags", id }] };
        expect((await api.post(path, body)).status).toBe(404);
        expect((await api.delete(path, body)).status).toBe(404);
      }
      expect([...(await pool(api, org)).keys()]).toEqual(["mine"]);
      expect(await namesOn(api, workspace)).toEqual(["mine"]);
    });

    it.each([
      ["an empty list", { data: [] }],
      ["neither id nor name", { data: [{ type: "tags" }] }],
      ["attributes without a name", { data: [{ type: "tags", attributes: {} }] }],
      ["another type", { data: [{ type: "workspaces", id: "tag-1" }] }],
      ["1,001 names", tagNames(...Array.from({ length: 1001 }, (_, i) => `t${i}`))],
      ["a bad name", tagNames("good", "-bad")],
    ])("refuse %s", async (_, body) => {
      const org = await api.organization();
      const workspace = await api.workspace(org, "w");
      expect((await api.post(`/workspaces/${workspace}/relationships/tags`, body)).status).toBe(422);
      expect((await pool(api, org)).size).toBe(0);
    });

    it("50 clients that add the same new name at once make one tag", async () => {
      const org = await api.organization();
      const workspaces = await Promise.all(Array.from({ length: 50 }, (_, i) => api.workspace(org, `w${i}`)));
      const answers = await Promise.all(
        workspaces.map((id) => api.post(`/workspaces/${id}/relationships/tags`, tagNames("fresh"))),
      );
      expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 50 }, () => 204));
      const tags = await pool(api, org);
      expect([...tags.keys()]).toEqual(["fresh"]);
      expect(tags.get("fresh")?.attributes["instance-count"]).toBe(50);
    });

    it("more than a thousand are listed of several workspaces, counted and taken off with them", async () => {
      const org = await api.organization();
      const names = (part: number) => Array.from({ length: 700 }, (_, i) => `t${part}-${i}`);
      const workspaces = [await api.workspace(org, "w0", names(0)), await api.workspace(org, "w1", names(1))];
      const { body } = await api.get(`/organizations/${org}/workspaces`);
      const listed = body.data as { attributes: { "tag-names": string[] } }[];
      expect(listed.map(({ attributes }) => attributes["tag-names"])).toEqual([names(0), names(1)]);
      for (const workspace of workspaces) expect((await api.delete(`/workspaces/${workspace}`)).status).toBe(204);
      expect((await pool(api, org)).size).toBe(0);
    });
  });

  describe("workspaces of a tag", () => {
    it("are added in bulk, again without effect, and come first on each workspace's list", async () => {
      const org = await api.organization();
      await api.post(`/organizations/${org}/tags`, tagNames("t"));
      const { id } = (await pool(api, org)).get("t") ?? { id: "" };
      const workspaces = await Promise.all(["c", "a", "b"].map((name) => api.workspace(org, name)));
      const path = `/tags/${id}/relationships/workspaces`;
      for (let times = 0; times < 2; times++) {
        expect((await api.post(path, ids("workspaces", [...workspaces, ...workspaces]))).status).toBe(204);
      }
      expect((await pool(api, org)).get("t")?.attributes["instance-count"]).toBe(3);
      const list = await api.get(`${path}?page[size]=2`);
      expect(list.body.data.map((w: { attributes: { name: string } }) => w.attributes.name)).toEqual(["a", "b"]);
      expect(list.body.meta.pagination["total-count"]).toBe(3);
      for (const workspace of workspaces) {
        const { body } = await api.get(`/workspaces/${workspace}/relationships/tags`);
        expect(body.data[0].id).toBe(id);
      }
      expect((await api.delete(path, ids("workspaces", workspaces.slice(0, 2)))).status).toBe(204);
      expect((await pool(api, org)).get("t")?.attributes["instance-count"]).toBe(1);
    });

    it("are refused as a whole where one of them has 1,000 tags, and one with 999 gets its last", async () => {
      const org = await api.organization();
      const [full, other] = [await api.workspace(org, "full"), await api.workspace(org, "other")];
      const path = `/workspaces/${full}/relationships/tags`;
      const names = Array.from({ length: 999 }, (_, at) => `t${at}`);
      expect((await api.post(path, tagNames(...names))).status).toBe(204);
      const made = await api.post(`/organizations/${org}/tags`, tagNames("last", "over"));
      const [last, over] = (made.body.data as TagResource[]).map((tag) => `/tags/${tag.id}/relationships/workspaces`);
      expect((await api.post(last ?? "", ids("workspaces", [full, other]))).status).toBe(204);
      const refused = await api.post(over ?? "", ids("workspaces", [other, full]));
      expect([refused.status, refused.text]).toEqual([422, expect.stringContaining("at most 1000 tags")]);
      const { body } = await api.get(`/workspaces/${other}/relationships/tags`);
      expect(body.data.map((tag: { attributes: { name: string } }) => tag.attributes.name)).toEqual(["last"]);
    });

    it("incident 34: of another organization, unknown or doubled ids: all or nothing", async () => {
      const org = await api.organization();
      const other = await api.organization();
      await api.post(`/organizations/${org}/tags`, tagNames("t"));
      const { id } = (await pool(api, org)).get("t") ?? { id: "" };
      const mine = await api.workspace(org, "mine");
      const theirs = await api.workspace(other, "theirs");
      for (const stranger of [theirs, "ws-unknown"]) {
        const answer = await api.post(`/tags/${id}/relationships/workspaces`, ids("workspaces", [mine, stranger]));
        expect(answer.status).toBe(404);
      }
      expect(await namesOn(api, mine)).toEqual([]);
      expect((await api.post(`/tags/tag-unknown/relationships/workspaces`, ids("workspaces", [mine]))).status).toBe(
        404,
      );
    });

    it("incident 17: need the tag visible and workspace:write on every one, as each entry alone would", async () => {
      const org = await api.organization();
      await api.post(`/organizations/${org}/tags`, tagNames("t"));
      const { id } = (await pool(api, org)).get("t") ?? { id: "" };
      const open = await api.workspace(org, "open");
      const closed = await api.workspace(org, "closed");
      const path = `/tags/${id}/relationships/workspaces`;
      const token = api.tokenWith(
        { kind: "organization", segment: org, policy: "read" },
        { kind: "workspace", segment: `${org}/OPEN`, policy: "write" },
      );
      expect((await api.post(path, ids("workspaces", [open]), token)).status).toBe(204);
      const refused = await api.post(path, ids("workspaces", [open, closed]), token);
      const missing = await api.post(path, ids("workspaces", [open, "ws-none"]), token);
      expect(refused.status).toBe(404);
      expect(refused.text).toBe(missing.text);
      const blind = api.tokenWith({ kind: "workspace_prefix", segment: `${org}/`, policy: "write" });
      expect((await api.post(path, ids("workspaces", [open]), blind)).status).toBe(404);
      expect(await namesOn(api, closed)).toEqual([]);
    });

    it("lists and totals hold what the token may see, while the count holds all", async () => {
      const org = await api.organization();
      for (const name of ["prod-a", "prod-b", "dev-a"]) await api.workspace(org, name, ["t"]);
      const token = api.tokenWith(
        { kind: "organization", segment: org, policy: "read" },
        { kind: "workspace_prefix", segment: `${org}/prod`, policy: "deny" },
        { kind: "workspace", segment: `${org}/prod-b`, policy: "read" },
      );
      const { id } = (await pool(api, org)).get("t") ?? { id: "" };
      const { body } = await api.get(`/tags/${id}/relationships/workspaces`, token);
      expect(body.data.map((w: { attributes: { name: string } }) => w.attributes.name)).toEqual(["dev-a", "prod-b"]);
      expect(body.meta.pagination["total-count"]).toBe(2);
      expect((await api.get(`/tags/${id}`, token)).body.data.attributes["instance-count"]).toBe(3);
    });
  });

  describe("rights to the tags of a workspace", () => {
    it("read lists, write changes, and write may make the tag in the pool", async () => {
      const org = await api.organization();
      const id = await api.workspace(org, "Prod", ["a"]);
      const path = `/workspaces/${id}/relationships/tags`;
      const reader = api.tokenWith({ kind: "workspace", segment: `${org}/prod`, policy: "read" });
      const writer = api.tokenWith({ kind: "workspace", segment: `${org}/PROD`, policy: "write" });
      expect((await api.get(path, reader)).status).toBe(200);
      const refused = await api.post(path, tagNames("b"), reader);
      const missing = await api.post(`/workspaces/ws-none/relationships/tags`, tagNames("b"), reader);
      expect(refused.status).toBe(404);
      expect(refused.text).toBe(missing.text);
      expect((await api.delete(path, tagNames("a"), reader)).status).toBe(404);
      expect((await api.post(path, tagNames("b"), writer)).status).toBe(204);
      expect((await api.get(`/organizations/${org}/tags`, writer)).status).toBe(404);
      expect([...(await pool(api, org)).keys()]).toEqual(["a", "b"]);
    });
  });
});
