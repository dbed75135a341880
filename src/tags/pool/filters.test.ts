import { expect, it } from "vitest";
import { tagNames, useApi, type Api } from "../../../test/support/api.ts";
import { forEachEngine } from "../../../test/support/engines.ts";

type TagResource = { id: string; attributes: { name: string; "instance-count": number } };

async function namesIn(api: Api, path: string): Promise<string[]> {
  const { status, body, text } = await api.get(path);
  expect(status, text).toBe(200);
  return (body.data as TagResource[]).map((tag) => tag.attributes.name);
}

async function bind(api: Api, holder: string, bindings: Record<string, string>): Promise<void> {
  const data = Object.entries(bindings).map(([key, value]) => ({ type: "tag-bindings", attributes: { key, value } }));
  const answer = await api.patch(`/${holder}/tag-bindings`, { data });
  expect(answer.status, answer.text).toBe(200);
}

async function project(api: Api, organization: string): Promise<string> {
  const data = { type: "projects", attributes: { name: "project" } };
  return String((await api.post(`/organizations/${organization}/projects`, { data })).body.data.id);
}

/** a on three workspaces, b and c on two, d on one, e on a project, f and g on nothing; made in another order. */
async function pool(api: Api): Promise<{ org: string; list: string; first: string }> {
  const org = await api.organization();
  const at = Date.parse("2026-02-03T00:00:00.000Z");
  api.setNow(at);
  await api.post(`/organizations/${org}/tags`, tagNames("f"));
  api.setNow(at + 1000);
  const first = await api.workspace(org, "one", ["b", "a"]);
  api.setNow(at + 2000);
  await api.workspace(org, "two", ["c", "b", "a"]);
  await api.workspace(org, "three", ["d", "c", "a"]);
  api.setNow(at + 3000);
  await bind(api, `projects/${await project(api, org)}`, { e: "" });
  await api.post(`/organizations/${org}/tags`, tagNames("g"));
  api.setNow(undefined);
  return { org, list: `/organizations/${org}/tags`, first };
}

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);

  it("the list of tags is given in each order, with the names deciding between equal ones, on every page", async () => {
    const { list } = await pool(api);
    const orders = {
      name: "abcdefg",
      "-name": "gfedcba",
      count: "efgdbca",
      "-count": "acbdgfe",
      "instance-count": "efgdbca",
      "-instance-count": "acbdgfe",
      "created-at": "fabcdeg",
      "-created-at": "gedcbaf",
    };
    for (const [sort, expected] of Object.entries(orders)) {
      const pages = await Promise.all(
        [1, 2, 3, 4].map((number) => namesIn(api, `${list}?sort=${sort}&page[size]=3&page[number]=${number}`)),
      );
      expect([sort, pages.flat().join("")]).toEqual([sort, expected]);
      expect(pages.map(({ length }) => length)).toEqual([3, 3, 1, 0]);
    }
  });

  it("tags without uses, and those of a range of uses, are found, counted and combined with the other filters", async () => {
    const { list, first } = await pool(api);
    const found = async (query: string) => {
      const { body } = await api.get(`${list}?${query}`);
      const names = (body.data as TagResource[]).map((tag) => tag.attributes.name);
      return [names.join(""), body.meta.pagination["total-count"]];
    };
    expect(await found("filter[unused]=true")).toEqual(["fg", 2]);
    expect(await found("filter[unused]=false")).toEqual(["abcde", 5]);
    expect(await found("filter[unused]=true&sort=-name&page[size]=1")).toEqual(["g", 2]);
    expect(await found("filter[instance-count][gte]=2")).toEqual(["abc", 3]);
    expect(await found("filter[instance-count][lte]=1")).toEqual(["defg", 4]);
    expect(await found("filter[instance-count][gte]=1&filter[instance-count][lte]=2&sort=-count")).toEqual(["cbd", 3]);
    expect(await found("filter[instance-count][gte]=3&filter[instance-count][lte]=2")).toEqual(["", 0]);
    expect(await found(`filter[instance-count][gte]=1&filter[exclude][taggable][id]=${first}`)).toEqual(["cd", 2]);
    expect(await found(`sort=-created-at&filter[exclude][taggable][id]=${first}`)).toEqual(["gedcf", 5]);
    expect(await found("filter[unused]=true&q=G")).toEqual(["g", 1]);
    expect(await found("q=%25&sort=count")).toEqual(["", 0]);
    expect(await found("sort=count&page[number]=9")).toEqual(["", 7]);
    expect(await found("filter[instance-count][gte]=2&page[number]=9")).toEqual(["", 3]);
  });

  it("keys, and tags that are none, are found, counted and combined with the other filters", async () => {
    const { list, first } = await pool(api);
    await bind(api, `workspaces/${first}`, { a: "1", h: "" });
    const found = async (query: string) => {
      const { body } = await api.get(`${list}?${query}`);
      const names = (body.data as TagResource[]).map((tag) => tag.attributes.name);
      return [names.join(""), body.meta.pagination["total-count"]];
    };
    expect(await found("filter[key]=true")).toEqual(["aeh", 3]);
    expect(await found("filter[key]=false")).toEqual(["bcdfg", 5]);
    expect(await found("filter[key]=true&sort=-name&page[size]=2&page[number]=2")).toEqual(["a", 3]);
    expect(await found("filter[key]=true&q=H&filter[unused]=false")).toEqual(["h", 1]);
    expect(await found("filter[key]=false&filter[unused]=true")).toEqual(["fg", 2]);
    expect(await found("filter[key]=true&filter[instance-count][gte]=2")).toEqual(["a", 1]);
    await api.patch(`/workspaces/${first}/relationships/tag-bindings`, { data: [] });
    expect(await found("filter[key]=true")).toEqual(["e", 1]);
    expect(await found("filter[key]=false")).toEqual(["abcdfg", 6]);
  });

  it("a tag is no key for who may not see the workspace where it is one", async () => {
    const { list, org, first } = await pool(api);
    await bind(api, `workspaces/${first}`, { a: "1" });
    const reader = (...hidden: string[]) =>
      api.tokenWith(
        { kind: "organization", segment: org, policy: "read" },
        ...hidden.map((name) => ({ kind: "workspace" as const, segment: `${org}/${name}`, policy: "deny" as const })),
      );
    const keysOf = async (token: string) => (await api.get(`${list}?filter[key]=true`, token)).body.data.length;
    expect([await keysOf(reader("two")), await keysOf(reader("one"))]).toEqual([2, 1]);
    const { body } = await api.get(`${list}?filter[key]=false&q=a`, reader("one"));
    expect(body.data).toMatchObject([{ attributes: { name: "a" } }]);
  });

  it.each([
    "filter[unused]=",
    "filter[key]=1",
    "filter[unused]=yes",
    "filter[instance-count][gte]=-1",
    "filter[instance-count][gte]=1.5",
    "filter[instance-count][lte]=",
    "filter[instance-count][lte]=many",
    "filter[instance-count][lte]=1000000000000000",
    "sort=size",
    "sort=--name",
    "include=value",
  ])("the list of tags refuses %s as a parameter", async (query) => {
    const org = await api.organization();
    const { status, body } = await api.get(`/organizations/${org}/tags?${query}`);
    expect([status, body.errors.length]).toEqual([400, 1]);
    const stranger = api.tokenWith({ kind: "workspace", segment: `${org}/one`, policy: "write" });
    const unseen = await api.get(`/organizations/${org}/tags?${query}`, stranger);
    const missing = await api.get(`/organizations/none/tags?${query}`, stranger);
    expect(unseen.text).toBe(missing.text);
  });

  it("who may not read the organization is told of no filter, order or value whether it exists", async () => {
    const { org } = await pool(api);
    const stranger = api.tokenWith({ kind: "workspace", segment: `${org}/one`, policy: "write" });
    for (const query of ["filter[unused]=true", "sort=-count", "include=values", "filter[instance-count][gte]=1"]) {
      const unseen = await api.get(`/organizations/${org}/tags?${query}`, stranger);
      const missing = await api.get(`/organizations/none/tags?${query}`, stranger);
      expect([unseen.status, unseen.text]).toEqual([404, missing.text]);
    }
  });

  it("a search finds keys of any case and with all characters that they may have, whatever the case of the search", async () => {
    const org = await api.organization();
    const workspace = await api.workspace(org, "one", ["cost-center"]);
    await bind(api, `workspaces/${workspace}`, { "Cost-Center": "1", "x@Y.Z=1+2": "", ENV: "prod" });
    const found = (q: string, more = "") =>
      namesIn(api, `/organizations/${org}/tags?q=${encodeURIComponent(q)}${more}`);
    expect(await found("COST")).toEqual(["Cost-Center", "cost-center"]);
    expect(await found("t-cen")).toEqual(["Cost-Center", "cost-center"]);
    expect(await found("cen", "&sort=-name")).toEqual(["cost-center", "Cost-Center"]);
    expect(await found("@y.z=")).toEqual(["x@Y.Z=1+2"]);
    expect(await found("1+2")).toEqual(["x@Y.Z=1+2"]);
    expect(await found("en")).toEqual(["Cost-Center", "ENV", "cost-center"]);
    expect(await found("en", "&filter[unused]=false")).toEqual(["Cost-Center", "ENV", "cost-center"]);
    const { body } = await api.get(`/organizations/${org}/tags?q=env`);
    expect((await api.patch(`/tags/${body.data[0].id}`, rename("stage"))).status).toBe(200);
    expect([await found("env"), await found("STAG")]).toEqual([[], ["stage"]]);
  });

  it("the values of keys come with a page: each with its workspaces and projects, the most used first", async () => {
    const org = await api.organization();
    const [one, two, three] = [
      await api.workspace(org, "one", ["flat", "env"]),
      await api.workspace(org, "two"),
      await api.workspace(org, "three", ["env"]),
    ];
    await bind(api, `workspaces/${one}`, { env: "prod", owner: "a" });
    await bind(api, `workspaces/${two}`, { env: "prod" });
    await bind(api, `workspaces/${three}`, { Env: "", env: "dev" });
    const holder = await project(api, org);
    await bind(api, `projects/${holder}`, { env: "dev", owner: "b" });
    const list = `/organizations/${org}/tags`;
    const values = async () => {
      const { body } = await api.get(`${list}?include=values`);
      const entries = body.data as { attributes: Record<string, unknown> }[];
      return entries.map(({ attributes }) => [attributes["name"], attributes["values"], attributes["value-count"]]);
    };
    const use = (value: string, count: number, projects: number) => ({ value, count, "project-count": projects });
    expect(await values()).toEqual([
      ["Env", [use("", 1, 0)], 1],
      ["env", [use("prod", 2, 0), use("dev", 1, 1)], 2],
      ["flat", [], 0],
      ["owner", [use("a", 1, 0), use("b", 0, 1)], 2],
    ]);
    await bind(api, `workspaces/${two}`, { env: "dev" });
    expect((await values())[1]).toEqual(["env", [use("dev", 2, 1), use("prod", 1, 0)], 2]);
    const { body } = await api.get(`${list}?sort=-name&page[size]=1&include=values`);
    expect(body.data).toMatchObject([{ attributes: { name: "owner", "value-count": 2 } }]);
    expect((await api.get(list)).body.data[0].attributes).not.toHaveProperty("values");
  });

  it("a key shows the hundred values that most have, and says how many there are", async () => {
    const org = await api.organization();
    const numbers = Array.from({ length: 105 }, (_, index) => index);
    for (const number of numbers) {
      const workspace = await api.workspace(org, `w${number}`);
      await bind(api, `workspaces/${workspace}`, { number: `v${String(number).padStart(3, "0")}`, parity: "x" });
    }
    await bind(api, `workspaces/${await api.workspace(org, "again")}`, { number: "v104" });
    const { body } = await api.get(`/organizations/${org}/tags?include=values&q=number`);
    const [{ attributes }] = body.data;
    expect([attributes["value-count"], attributes.values.length]).toEqual([105, 100]);
    expect(attributes.values[0]).toEqual({ value: "v104", count: 2, "project-count": 0 });
    expect(attributes.values[99]).toEqual({ value: "v098", count: 1, "project-count": 0 });
  });
});

function rename(name: string) {
  return { data: { type: "tags", attributes: { name } } };
}
