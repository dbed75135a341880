import { expect, test } from "vitest";
import { tagNames, useApi } from "../../test/support/api.ts";
import { forEachEngine } from "../../test/support/engines.ts";

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);

  test("incident 13: what is deleted is gone at once, and nothing of it comes back under its name", async () => {
    const name = await api.organization();
    const workspace = await api.workspace(name, "doomed", ["doomed"]);
    const tag = (await api.get(`/organizations/${name}/tags`)).body.data[0].id;
    const project = (await api.get(`/organizations/${name}/projects`)).body.data[0].id;
    const before = (await api.get(`/organizations/${name}`)).body.data;

    expect((await api.delete(`/organizations/${name.toUpperCase()}`)).status).toBe(204);
    for (const path of [
      `/organizations/${name}`,
      `/organizations/${name}/projects`,
      `/organizations/${name}/workspaces`,
      `/organizations/${name}/tags`,
      `/organizations/${name}/entitlement-set`,
      `/organizations/${name}/workspaces/doomed`,
      `/workspaces/${workspace}`,
      `/projects/${project}`,
      `/tags/${tag}`,
    ]) {
      expect({ path, status: (await api.get(path)).status }).toEqual({ path, status: 404 });
    }
    expect((await api.delete(`/organizations/${name}`)).status).toBe(404);
    expect((await api.patch(`/projects/${project}`, { data: { type: "projects" } })).status).toBe(404);
    expect((await api.delete(`/projects/${project}`)).status).toBe(404);

    const attributes = { name, email: "again@example.test" };
    const again = await api.post("/organizations", { data: { type: "organizations", attributes } });
    expect(again.body.data.attributes["external-id"]).not.toBe(before.attributes["external-id"]);
    for (const kind of ["workspaces", "tags"]) {
      expect((await api.get(`/organizations/${name}/${kind}`)).body.data).toEqual([]);
    }
    const projects = (await api.get(`/organizations/${name}/projects`)).body.data;
    expect(projects).toHaveLength(1);
    expect(projects[0].id).not.toBe(project);
    await api.workspace(name, "doomed", ["doomed"]);
    expect((await api.get(`/organizations/${name}/tags`)).body.data[0].attributes["instance-count"]).toBe(1);
  });

  test("a delete among writes of the organization lets each of them happen before it or not at all", async () => {
    for (let round = 0; round < 5; round++) {
      const name = await api.organization();
      const write = (index: number) =>
        api.post(`/organizations/${name}/${index % 2 === 0 ? "projects" : "workspaces"}`, {
          data: { type: index % 2 === 0 ? "projects" : "workspaces", attributes: { name: `made-${index}` } },
        });
      const rename = api.patch(`/organizations/${name}`, {
        data: { type: "organizations", attributes: { email: "x@y.z" } },
      });
      const early = Array.from({ length: 12 }, (_, index) => write(index));
      const gone = api.delete(`/organizations/${name}`);
      const late = Array.from({ length: 12 }, (_, index) => write(index + 12));
      const answers = await Promise.all([...early, ...late]);
      expect((await gone).status).toBe(204);
      expect((await rename).status).toBeOneOf([200, 404]);
      for (const answer of answers) expect(answer.status).toBeOneOf([201, 404]);
      expect((await api.get(`/organizations/${name}`)).status).toBe(404);
    }
  });

  test("the background removes every row of it and leaves others alone", async () => {
    const kept = await api.organization();
    await api.workspace(kept, "kept", ["kept"]);
    const name = await api.organization();
    const id = (await api.get(`/organizations/${name}`)).body.data.attributes["external-id"];
    for (let i = 0; i < 5; i++) await api.workspace(name, `w${i}`, [`a${i}`, "shared"]);
    const created = await api.post(`/organizations/${name}/projects`, {
      data: { type: "projects", attributes: { name: "more" } },
    });
    expect(created.status).toBe(201);
    await api.post(`/organizations/${name}/tags`, tagNames(...Array.from({ length: 120 }, (_, index) => `t${index}`)));
    await api.delete(`/organizations/${name}`);

    const { sql } = api.db;
    const count = async (table: "projects" | "workspaces" | "tags" | "changes") =>
      (await sql.selectFrom(table).select("organization_id").where("organization_id", "=", id).execute()).length;
    const left = async () => [
      await count("projects"),
      await count("workspaces"),
      await count("tags"),
      await count("changes"),
      (await sql.selectFrom("purges").select("id").where("target", "=", id).execute()).length,
      (await sql.selectFrom("counters").select("name").where("name", "=", `organization/${id}`).execute()).length,
    ];
    await expect.poll(left).toEqual([0, 0, 0, 0, 0, 0]);
    const orphans = await sql
      .selectFrom("workspace_tags")
      .select("tag_id")
      .where("workspace_id", "not in", sql.selectFrom("workspaces").select("id"))
      .execute();
    expect(orphans).toEqual([]);
    const tags = await api.get(`/organizations/${kept}/tags`);
    expect(tags.body.data[0].attributes).toMatchObject({ name: "kept", "instance-count": 1 });
  });
});
