import { beforeAll, expect, test } from "vitest";
import { ids, tagNames, useApi } from "../support/api.ts";
import { forEachEngine } from "../support/engines.ts";

const MOST = 1000;

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);
  let organization: string;
  /** Carries as many tags as one may. */
  let full: string;
  beforeAll(async () => {
    organization = await api.organization();
    full = await api.workspace(organization, "full");
    expect((await attach(full, namesFrom(0, MOST))).status).toBe(204);
  });

  const namesFrom = (first: number, count: number) =>
    Array.from({ length: count }, (_, number) => `tag-${first + number}`);
  const attach = (workspace: string, names: readonly string[]) =>
    api.post(`/workspaces/${workspace}/relationships/tags`, tagNames(...names));

  async function carried(workspace: string): Promise<number> {
    const { body } = await api.get(`/workspaces/${workspace}/relationships/tags?page[size]=1`);
    return body.meta.pagination["total-count"];
  }

  function expectRefused({ status, body }: { status: number; body: { errors: unknown } }): void {
    expect([status, body.errors]).toEqual([
      422,
      [{ status: "422", title: "unprocessable entity", detail: "A workspace can have at most 1000 tags" }],
    ]);
  }

  test("incident 43: a workspace carries at most 1,000 tags, whichever route adds one", async () => {
    expectRefused(await attach(full, ["one-more"]));
    expectRefused(await attach(full, [...namesFrom(0, 5), "one-more"]));
    const other = await api.workspace(organization, "other", ["of-another"]);
    const { body } = await api.get(`/workspaces/${other}/relationships/tags`);
    const tag = body.data[0].id as string;
    expectRefused(await api.post(`/workspaces/${full}/relationships/tags`, { data: [{ type: "tags", id: tag }] }));
    // All or nothing, and the one that has room gets none either.
    const third = await api.workspace(organization, "third");
    expectRefused(await api.post(`/tags/${tag}/relationships/workspaces`, ids("workspaces", [third, full])));
    expect([await carried(full), await carried(third)]).toEqual([MOST, 0]);
  });

  test("what it carries already is no more, and what is taken off makes room", async () => {
    expect((await attach(full, namesFrom(0, MOST))).status).toBe(204);
    const pool = (await api.get(`/organizations/${organization}/tags?q=tag-7`)).body.data as { id: string }[];
    const [{ id } = { id: "" }] = pool;
    // Links to a deleted tag are removed later, and do not count meanwhile.
    await api.delete(`/organizations/${organization}/tags`, ids("tags", [id]));
    expect((await attach(full, ["in-its-place"])).status).toBe(204);
    expectRefused(await attach(full, ["one-more"]));
    const path = `/workspaces/${full}/relationships/tags`;
    expect((await api.delete(path, tagNames("in-its-place", "tag-1"))).status).toBe(204);
    expect((await attach(full, ["two", "more"])).status).toBe(204);
    expect(await carried(full)).toBe(MOST);
  });

  test("all of them can be replaced at once", async () => {
    const workspace = await api.workspace(organization, "replaced", namesFrom(0, MOST));
    const tags = { data: namesFrom(MOST / 2, MOST).map((name) => ({ type: "tags", attributes: { name } })) };
    const body = { type: "workspaces", relationships: { tags } };
    expect((await api.patch(`/workspaces/${workspace}`, { data: body })).status).toBe(200);
    expect(await carried(workspace)).toBe(MOST);
  });
});
