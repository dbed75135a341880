import { expect, it } from "vitest";
import { tagNames, useApi, type Api } from "../../../test/support/api.ts";
import { forEachEngine } from "../../../test/support/engines.ts";

type TagResource = { id: string; attributes: { name: string } };

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

  it("the list of tags fills its pages with what is left when the tags of a workspace are left out", async () => {
    const org = await api.organization();
    const workspace = await api.workspace(org, "w", ["tag-a", "tag-b", "tag-d"]);
    await createTags(api, org, ["tag-c", "tag-e", "tag-f", "tag-g"]);
    for (const search of ["", "&q=tag", "&q=g-"]) {
      const path = `/organizations/${org}/tags?filter[exclude][taggable][id]=${workspace}&page[size]=2${search}`;
      const pages = [];
      for (const number of [1, 2, 3]) {
        const { body } = await api.get(`${path}&page[number]=${number}`);
        expect(body.meta.pagination).toMatchObject({ "total-count": 4, "total-pages": 2 });
        pages.push(body.data.map((tag: TagResource) => tag.attributes.name));
      }
      expect([search, pages]).toEqual([search, [["tag-c", "tag-e"], ["tag-f", "tag-g"], []]]);
    }
  });

  it("the list of tags leaves out the tags of a workspace, and none for one that is unknown or elsewhere", async () => {
    const org = await api.organization();
    const elsewhere = await api.organization();
    const workspace = await api.workspace(org, "w", ["one", "two"]);
    const foreign = await api.workspace(elsewhere, "w", ["one"]);
    const tags = await createTags(api, org, ["three", "one-more"]);
    const excluding = (id: string, more = "") =>
      namesIn(api, `/organizations/${org}/tags?filter[exclude][taggable][id]=${id}${more}`);
    expect(await excluding(workspace)).toEqual(["one-more", "three"]);
    expect(await excluding(workspace, "&q=one")).toEqual(["one-more"]);
    for (const id of [foreign, "ws-unknown", tags.get("three") ?? "", ""]) {
      expect(await excluding(id)).toEqual(["one", "one-more", "three", "two"]);
    }
    const blind = api.tokenWith(
      { kind: "organization", segment: org, policy: "read" },
      { kind: "workspace", segment: `${org}/w`, policy: "deny" },
    );
    const { body } = await api.get(`/organizations/${org}/tags?filter[exclude][taggable][id]=${workspace}`, blind);
    expect(body.meta.pagination["total-count"]).toBe(4);
  });
});
