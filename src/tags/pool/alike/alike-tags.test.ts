import { expect, it } from "vitest";
import { ids, tagNames, useApi, type Api } from "../../../../test/support/api.ts";
import { forEachEngine } from "../../../../test/support/engines.ts";
import { ALIKE_TAGS } from "./groups.ts";

interface Group {
  id: string;
  attributes: { "tag-count": number; tags: { id: string; name: string; "instance-count": number }[] };
  relationships: { keep: { data: { id: string; type: string } } };
}

async function groupsIn(api: Api, path: string): Promise<string[][]> {
  const { status, body, text } = await api.get(path);
  expect(status, text).toBe(200);
  return (body.data as Group[]).map(({ attributes }) => attributes.tags.map(({ name }) => name));
}

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);

  it("tags that are alike come in groups, the one to keep first, as they are after every write", async () => {
    const org = await api.organization();
    const list = `/organizations/${org}/tags`;
    expect(await groupsIn(api, `${list}/alike`)).toEqual([]);
    await api.post(list, tagNames("costcenter", "cost_center", "alone", "zone-1", "zone-11", "zones-1", "zone"));
    await api.workspace(org, "one", ["cost-centers"]);
    const { body, headers } = await api.get(`${list}/alike`);
    const groups = body.data as Group[];
    expect(body.meta).toMatchObject({ pagination: { "total-count": 2 }, "is-complete": true });
    expect(groups.map(({ id, attributes }) => [id, attributes["tag-count"]])).toEqual([
      ["costcenter", 3],
      ["zone1", 2],
    ]);
    expect(groups.map(({ attributes }) => attributes.tags.map(({ name }) => name))).toEqual([
      ["cost-centers", "costcenter", "cost_center"],
      ["zone-1", "zones-1"],
    ]);
    expect(groups[0]).toEqual({
      id: "costcenter",
      type: "alike-tags",
      attributes: {
        "tag-count": 3,
        tags: [
          { id: expect.stringMatching(/^tag-/), name: "cost-centers", "instance-count": 1 },
          { id: expect.stringMatching(/^tag-/), name: "costcenter", "instance-count": 0 },
          { id: expect.stringMatching(/^tag-/), name: "cost_center", "instance-count": 0 },
        ],
      },
      relationships: { keep: { data: { id: groups[0]?.attributes.tags[0]?.id, type: "tags" } } },
    });
    expect((await api.get(`${list}/alike`)).headers["etag"]).toBe(headers["etag"]);
    const others = groups.flatMap(({ attributes }) => attributes.tags.slice(1).map(({ id }) => id));
    expect((await api.delete(list, ids("tags", others.slice(0, 1)))).status).toBe(204);
    expect(await groupsIn(api, `${list}/alike`)).toEqual([
      ["cost-centers", "cost_center"],
      ["zone-1", "zones-1"],
    ]);
  });

  it("of tags that are used alike the shortest is to be kept, then the oldest", async () => {
    const org = await api.organization();
    const list = `/organizations/${org}/tags`;
    for (const [number, name] of ["a_b", "a-b", "ab", "a:b"].entries()) {
      api.setNow(Date.parse("2026-03-04T00:00:00.000Z") + number);
      await api.post(list, tagNames(name));
    }
    api.setNow(undefined);
    expect(await groupsIn(api, `${list}/alike`)).toEqual([["ab", "a_b", "a-b", "a:b"]]);
  });

  it("pages hold each group once in the same order, and other organizations are not looked at", async () => {
    const org = await api.organization();
    const other = await api.organization();
    const numbers = Array.from({ length: 25 }, (_, index) => String(index + 100));
    await api.post(`/organizations/${other}/tags`, tagNames("team-x", "word-x100"));
    await api.post(`/organizations/${org}/tags`, tagNames(...numbers.map((number) => `word-x${number}`), "team_x"));
    await api.post(`/organizations/${org}/tags`, tagNames(...numbers.map((number) => `words_x${number}`)));
    const seen: string[][] = [];
    for (const number of [1, 2, 3, 4]) {
      const path = `/organizations/${org}/tags/alike?page[size]=10&page[number]=${number}`;
      const { body } = await api.get(path);
      expect(body.meta.pagination).toMatchObject({ "total-count": 25, "total-pages": 3 });
      seen.push(...(await groupsIn(api, path)));
    }
    expect(seen).toEqual(numbers.map((number) => [`word-x${number}`, `words_x${number}`]));
  });

  it("a group of more than a hundred tags says how many it has", async () => {
    const org = await api.organization();
    const names = Array.from({ length: 128 }, (_, bits) =>
      Array.from({ length: 8 }, (__, at) => "abcdefgh"[at] + (at < 7 && ((bits >> at) & 1) === 1 ? "-" : "")).join(""),
    );
    await api.post(`/organizations/${org}/tags`, tagNames(...names));
    const { body } = await api.get(`/organizations/${org}/tags/alike`);
    const [{ attributes }] = body.data as [Group];
    expect([attributes["tag-count"], attributes.tags.length, attributes.tags[0]?.name]).toEqual([128, 100, "abcdefgh"]);
  });

  it("a list that leaves tags out says so", async () => {
    const org = await api.organization();
    await api.post(`/organizations/${org}/tags`, tagNames("a-b", "ab", "other", "c-d", "cd"));
    const [{ id: organization }] = (await api.db.sql
      .selectFrom("organizations")
      .select("id")
      .where("name", "=", org)
      .execute()) as [{ id: string }];
    const [all] = await api.db.apart(ALIKE_TAGS, { organization });
    const [cut] = await api.db.apart(ALIKE_TAGS, { organization, most: 3 });
    expect([all?.isWhole, all?.ends.length, cut?.isWhole, cut?.ends.length]).toEqual([true, 2, false, 1]);
  });

  it("who may not read the organization is not told of alike tags", async () => {
    const org = await api.organization();
    await api.post(`/organizations/${org}/tags`, tagNames("a-b", "ab"));
    const stranger = api.tokenWith({ kind: "workspace_prefix", segment: `${org}/`, policy: "write" });
    const reader = api.tokenWith({ kind: "organization", segment: org, policy: "read" });
    const path = (name: string) => `/organizations/${name}/tags/alike`;
    const [unseen, missing] = [await api.get(path(org), stranger), await api.get(path("none"), stranger)];
    expect([unseen.status, unseen.text]).toEqual([404, missing.text]);
    expect((await api.get(path(org), reader)).body.data).toHaveLength(1);
    await api.expectSameStatements(
      () => api.get(path(org), stranger),
      () => api.get(path("none"), stranger),
    );
  });
});
