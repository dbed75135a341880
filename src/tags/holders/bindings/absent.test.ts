/** A key without a value: it says nothing of the value where bindings are added, and empties it where they are replaced. */
import { expect, it } from "vitest";
import { useApi } from "../../../../test/support/api.ts";
import { forEachEngine } from "../../../../test/support/engines.ts";

const keyOnly = (...keys: string[]) => ({ data: keys.map((key) => ({ type: "tag-bindings", attributes: { key } })) });
const withValue = (key: string, value: string | null) => ({
  data: [{ type: "tag-bindings", attributes: { key, value } }],
});

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);

  async function holders() {
    const org = await api.organization();
    const make = async (type: string, attributes: object, relationships = {}) => {
      const answer = await api.post(`/organizations/${org}/${type}`, { data: { type, attributes, relationships } });
      expect(answer.status, JSON.stringify(answer.body)).toBe(201);
      return String(answer.body.data.id);
    };
    const id = await make("projects", { name: "north" });
    const one = await make("workspaces", { name: "one" }, { project: { data: { type: "projects", id } } });
    return { org, project: `/projects/${id}`, workspace: `/workspaces/${one}` };
  }

  const valuesOf = async (path: string) => {
    const { body } = await api.get(path);
    const pairs = body.data.map(({ attributes }: { attributes: { key: string; value: string } }) => attributes);
    return Object.fromEntries(pairs.map(({ key, value }: { key: string; value: string }) => [key, value]));
  };
  const ok = async (answer: Promise<{ status: number; body: unknown }>) => {
    const { status, body } = await answer;
    expect([200, 204], JSON.stringify(body)).toContain(status);
    return body as { data: { attributes: { key: string; value: string } }[] };
  };

  it("incident 73: keeps the value that is there where bindings are added, on workspaces and projects, in both forms", async () => {
    const { workspace, project } = await holders();
    for (const holder of [workspace, project]) {
      await ok(api.patch(`${holder}/tag-bindings`, withValue("tier", "gold")));
      const { data } = await ok(api.patch(`${holder}/tag-bindings`, keyOnly("tier", "new")));
      expect(data.map(({ attributes: { key, value } }) => [key, value])).toEqual([
        ["tier", "gold"],
        ["new", ""],
      ]);
      await ok(api.post(`${holder}/relationships/tag-bindings`, keyOnly("tier")));
      await ok(api.patch(`${holder}/tag-bindings`, withValue("tier", null)));
      expect(await valuesOf(`${holder}/tag-bindings`)).toEqual({ tier: "gold", new: "" });
      await ok(api.patch(`${holder}/tag-bindings`, withValue("tier", "")));
      expect(await valuesOf(`${holder}/tag-bindings`)).toEqual({ tier: "", new: "" });
    }
  });

  it("incident 73: `terraform init` finds its tag, though the key has a value, the second time too", async () => {
    const { workspace } = await holders();
    await ok(api.patch(`${workspace}/tag-bindings`, withValue("repo", "core")));
    for (let time = 0; time < 2; time++) {
      await ok(api.patch(`${workspace}/tag-bindings`, keyOnly("repo")));
      expect(await valuesOf(`${workspace}/tag-bindings`)).toEqual({ repo: "core" });
      expect((await api.get(workspace)).body.data.attributes["tag-names"]).toEqual(["repo"]);
    }
  });

  it("incident 73: overrides nothing that is inherited, and is found as a flat tag", async () => {
    const { workspace, project } = await holders();
    await ok(api.patch(`${project}/tag-bindings`, withValue("unit", "north")));
    expect((await ok(api.patch(`${workspace}/tag-bindings`, keyOnly("unit")))).data).toEqual([]);
    await ok(api.post(`${workspace}/relationships/tag-bindings`, keyOnly("unit")));
    expect(await valuesOf(`${workspace}/effective-tag-bindings`)).toEqual({ unit: "north" });
    expect(await valuesOf(`${workspace}/tag-bindings`)).toEqual({});
    expect((await api.get(workspace)).body.data.attributes["tag-names"]).toEqual(["unit"]);
    await ok(api.patch(`${workspace}/tag-bindings`, withValue("unit", "")));
    expect(await valuesOf(`${workspace}/effective-tag-bindings`)).toEqual({ unit: "" });
  });

  it("is empty where a request says the whole, so that plans converge", async () => {
    const { org, workspace, project } = await holders();
    for (const [holder, type] of [
      [workspace, "workspaces"],
      [project, "projects"],
    ] as const) {
      await ok(api.patch(`${holder}/tag-bindings`, withValue("tier", "gold")));
      await ok(api.patch(`${holder}/relationships/tag-bindings`, keyOnly("tier")));
      expect(await valuesOf(`${holder}/tag-bindings`)).toEqual({ tier: "" });
      await ok(api.patch(`${holder}/tag-bindings`, withValue("tier", "gold")));
      await ok(api.patch(holder, { data: { type, relationships: { "tag-bindings": keyOnly("tier") } } }));
      expect(await valuesOf(`${holder}/tag-bindings`)).toEqual({ tier: "" });
    }
    const made = await api.post(`/organizations/${org}/workspaces`, {
      data: { type: "workspaces", attributes: { name: "new" }, relationships: { "tag-bindings": keyOnly("tier") } },
    });
    expect(made.status).toBe(201);
    expect(await valuesOf(`/workspaces/${made.body.data.id}/tag-bindings`)).toEqual({ tier: "" });
  });
});
