/** A key without a value, put on as terraform does: it is seen as a flat tag, and goes as a key. */
import { expect, it } from "vitest";
import { bindings, tagNames, useApi } from "../../../../test/support/api.ts";
import { forEachEngine } from "../../../../test/support/engines.ts";

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);

  async function workspace() {
    const org = await api.organization();
    const path = `/workspaces/${await api.workspace(org, "one")}`;
    const add = async (...given: Parameters<typeof bindings>) =>
      expect((await api.patch(`${path}/tag-bindings`, bindings(...given))).status).toBe(200);
    const names = async () => (await api.get(path)).body.data.attributes["tag-names"];
    const keys = async () =>
      (await api.get(`${path}/tag-bindings`)).body.data.map(
        ({ attributes: { key, value } }: { attributes: Record<string, string> }) => `${key}=${value}`,
      );
    const clear = async () =>
      expect((await api.patch(`${path}/relationships/tag-bindings`, bindings())).status).toBe(204);
    const pool = async () => (await api.get(`/organizations/${org}/tags`)).body.data.length;
    return { path, add, names, keys, clear, pool };
  }

  it("goes with the key when all keys are cleared, and leaves the pool", async () => {
    const { add, names, keys, clear, pool } = await workspace();
    await add(["lent", ""], ["env", "prod"]);
    expect([await names(), await keys()]).toEqual([["lent"], ["lent=", "env=prod"]]);
    await clear();
    expect([await names(), await keys(), await pool()]).toEqual([[], [], 0]);
  });

  it("stays where somebody asked for the flat tag, before or after", async () => {
    const { path, add, names, clear } = await workspace();
    await api.post(`${path}/relationships/tags`, tagNames("before"));
    await add(["before", ""], ["after", ""]);
    await api.post(`${path}/relationships/tags`, tagNames("after"));
    await clear();
    expect(await names()).toEqual(["before", "after"]);
  });

  it("ends with a value, and a key alone can be taken off as a flat tag", async () => {
    const { path, add, names, keys } = await workspace();
    await add(["lent", ""], ["other", ""]);
    await add(["lent", "v"]);
    expect([await names(), await keys()]).toEqual([["other"], ["lent=v", "other="]]);
    await api.delete(`${path}/relationships/tags`, tagNames("other"));
    expect([await names(), await keys()]).toEqual([[], ["lent=v", "other="]]);
  });

  it("keys have room though a workspace carries all the flat tags that it may", async () => {
    const { path, add, names, keys } = await workspace();
    const all = Array.from({ length: 1000 }, (_, index) => `t${index}`);
    expect((await api.post(`${path}/relationships/tags`, tagNames(...all))).status).toBe(204);
    await add(["lent", ""]);
    expect([(await names()).length, await keys()]).toEqual([1000, ["lent="]]);
    expect((await api.post(`${path}/relationships/tags`, tagNames("lent"))).status).toBe(422);
  });
});
