/** Tags that are deleted from the pool are taken off at once where few have them, and each is told what it lost. */
import { expect, it } from "vitest";
import { bindings, tagNames, useApi } from "../../../test/support/api.ts";
import { forEachEngine } from "../../../test/support/engines.ts";

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);

  async function recordsOf(organization: string) {
    const { id } = await api.db.sql
      .selectFrom("organizations")
      .select("id")
      .where("name", "=", organization)
      .executeTakeFirstOrThrow();
    const rows = await api.db.sql
      .selectFrom("changes")
      .select(["kind", "name", "action", "details"])
      .where("organization_id", "=", id)
      .orderBy("position")
      .execute();
    return rows.map(({ kind, name, action, details }) => [`${kind}.${action}`, name, JSON.parse(details)] as const);
  }

  /** Links of workspaces, also to tags that are gone. */
  async function linksOf(workspaces: string[]): Promise<number> {
    const links = api.db.sql.selectFrom("workspace_tags").select("tag_id").where("workspace_id", "in", workspaces);
    return (await links.execute()).length;
  }

  async function poolOf(organization: string): Promise<{ type: string; id: string }[]> {
    return (await api.get(`/organizations/${organization}/tags`)).body.data.map(({ id }: { id: string }) => ({
      type: "tags",
      id,
    }));
  }

  it("from workspaces and projects, one record for each of them", async () => {
    const org = await api.organization();
    const one = await api.workspace(org, "one", ["a", "b"]);
    await api.workspace(org, "two", ["b"]);
    const project = (await api.get(`/organizations/${org}/projects`)).body.data[0].id;
    await api.patch(`/workspaces/${one}/tag-bindings`, bindings(["b", "x"]));
    await api.patch(`/projects/${project}/tag-bindings`, bindings(["a", "y"]));
    const before = (await recordsOf(org)).length;
    expect((await api.delete(`/organizations/${org}/tags`, { data: await poolOf(org) })).status).toBe(204);
    const records = (await recordsOf(org)).slice(before);
    const removed = (name: string) => records.find((record) => record[1] === name)?.[2];
    expect(records.map(([kind, name]) => `${kind} ${name}`).toSorted()).toEqual([
      "project.tags-changed Default Project",
      "tag.deleted a",
      "tag.deleted b",
      "workspace.tags-changed one",
      "workspace.tags-changed two",
    ]);
    expect(
      removed("one")
        .tags.removed.map(({ name }: { name: string }) => name)
        .toSorted(),
    ).toEqual(["a", "b"]);
    expect(removed("one").bindings.removed).toEqual([{ key: "b", value: "x" }]);
    expect(removed("Default Project").bindings.removed).toEqual([{ key: "a", value: "y" }]);
    expect(await linksOf([one])).toBe(0);
  });

  it("who may see one workspace alone is told what that one lost", async () => {
    const org = await api.organization();
    for (const name of ["hidden", "seen"]) await api.workspace(org, name, ["a"]);
    const token = api.tokenWith({ kind: "workspace", segment: `${org}/seen`, policy: "read" });
    const [tag] = await poolOf(org);
    await api.delete(`/organizations/${org}/tags`, { data: [tag] });
    const { body } = await api.get(`/organizations/${org}/workspaces`, token);
    expect(body.data.map(({ attributes }: { attributes: object }) => attributes)).toMatchObject([
      { name: "seen", "tag-names": [] },
    ]);
    expect(
      (await recordsOf(org)).filter(([kind]) => kind === "workspace.tags-changed").map(([, name]) => name),
    ).toEqual(["hidden", "seen", "hidden", "seen"]);
  });

  it("in the background where more than a thousand have them", async () => {
    const org = await api.organization();
    const ids = await Promise.all(
      Array.from({ length: 21 }, (_, index) =>
        api.workspace(
          org,
          `w${index}`,
          Array.from({ length: 48 }, (_tag, at) => `t${at}`),
        ),
      ),
    );
    const data = [...(await poolOf(org)), ...(await api.get(`/organizations/${org}/tags?page[number]=2`)).body.data]
      .concat((await api.get(`/organizations/${org}/tags?page[number]=3`)).body.data)
      .map(({ id }: { id: string }) => ({ type: "tags", id }));
    expect(data).toHaveLength(48);
    expect((await api.delete(`/organizations/${org}/tags`, { data })).status).toBe(204);
    expect((await api.get(`/workspaces/${ids[0]}`)).body.data.attributes["tag-names"]).toEqual([]);
    expect((await recordsOf(org)).at(-1)?.[0]).toBe("tag.deleted");
    await expect.poll(() => linksOf(ids), { timeout: 20_000 }).toBe(0);
  });

  it("values of hidden workspaces are not shown with their keys", async () => {
    const org = await api.organization();
    const [hidden, seen] = [await api.workspace(org, "hidden"), await api.workspace(org, "seen")];
    await api.patch(`/workspaces/${hidden}/tag-bindings`, bindings(["secret", "s3"], ["env", "prod"]));
    await api.patch(`/workspaces/${seen}/tag-bindings`, bindings(["env", "prod"]));
    const token = api.tokenWith(
      { kind: "organization", segment: org, policy: "read" },
      { kind: "workspace", segment: `${org}/hidden`, policy: "deny" },
    );
    const valuesFor = async (secret?: string) => {
      const { body } = await api.get(`/organizations/${org}/tags?include=values`, secret);
      return body.data.map(({ attributes }: { attributes: object }) => attributes);
    };
    expect(JSON.stringify(await valuesFor(token))).not.toContain("s3");
    expect(await valuesFor(token)).toMatchObject([
      { name: "env", values: [{ value: "prod", count: 1 }] },
      { name: "secret" },
    ]);
    expect(await valuesFor()).toMatchObject([
      { name: "env", values: [{ value: "prod", count: 2 }] },
      { name: "secret", values: [{ value: "s3", count: 1 }] },
    ]);
  });

  it("a tag's workspaces are those that have it as a flat tag", async () => {
    const org = await api.organization();
    const [flat, key] = [await api.workspace(org, "flat", ["env"]), await api.workspace(org, "key")];
    await api.post(`/workspaces/${key}/relationships/tag-bindings`, bindings(["env", "x"]));
    const [tag] = await poolOf(org);
    const path = `/tags/${tag?.id}/relationships/workspaces`;
    const { body } = await api.get(path);
    expect([body.data.map(({ id }: { id: string }) => id), body.meta.pagination["total-count"]]).toEqual([[flat], 1]);
    await api.post(`/workspaces/${key}/relationships/tags`, tagNames("env"));
    expect((await api.get(path)).body.data).toHaveLength(2);
  });
});
