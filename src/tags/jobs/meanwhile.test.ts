/** Changes by others while a job runs. */
import { expect, test } from "vitest";
import { tagNames, useApi } from "../../../test/support/api.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { ask, carried, doJobs, expectCounted, pool, read, run } from "../../../test/support/jobs.ts";

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);

  async function filled(tags: string[] = []) {
    const org = await api.organization();
    const ids: string[] = [];
    for (let at = 0; at < 6; at++) ids.push(await api.workspace(org, `ws-${at}`, tags));
    return { org, ids };
  }

  const idOf = async (org: string, attributes: object) => String((await ask(api, org, attributes)).body.data.id);

  test("a workspace that is deleted, renamed or moved before its slice is passed over, found or left out", async () => {
    const { org, ids } = await filled();
    const home = (await api.get(`/workspaces/${ids[0]}`)).body.data.relationships.project.data.id as string;
    const made = { data: { type: "projects", attributes: { name: "elsewhere" } } };
    const project = String((await api.post(`/organizations/${org}/projects`, made)).body.data.id);
    const filter = { workspaces: { project: home } };
    const id = await idOf(org, { action: "add", tags: [{ name: "new" }], filter });
    await doJobs(api, { rows: 2, slices: 1 });
    await api.delete(`/workspaces/${ids[2]}`);
    await api.patch(`/workspaces/${ids[3]}`, { data: { type: "workspaces", attributes: { name: "zz" } } });
    await api.post(`/projects/${project}/relationships/workspaces`, { data: [{ type: "workspaces", id: ids[4] }] });
    await doJobs(api, { rows: 2 });
    expect(await read(api, id)).toMatchObject({ status: "done", total: 6, done: 4, changed: 4 });
    expect(Object.keys(await carried(api, org))).toEqual(["ws-0", "ws-1", "ws-5", "zz"]);
    await expectCounted(api);
  });

  test("a workspace that goes between the search of a slice and its transaction is passed over", async () => {
    const { org, ids } = await filled();
    const id = await idOf(org, { action: "add", tags: [{ name: "new" }] });
    await doJobs(api, {
      rows: 2,
      found: async ({ done }) => void (done === 2 && (await api.delete(`/workspaces/${ids[2]}`))),
    });
    expect(await read(api, id)).toMatchObject({ status: "done", done: 6, changed: 5 });
    await expectCounted(api);
  });

  test("a tag that a client puts on workspaces while it is deleted is off them in the end", async () => {
    const { org, ids } = await filled(["base"]);
    const late = await api.workspace(org, "aaa");
    const id = await idOf(org, { action: "delete", tags: [{ name: "base" }] });
    await doJobs(api, {
      rows: 2,
      found: async ({ done }) => {
        if (done > 2) return;
        await api.post(`/workspaces/${late}/relationships/tags`, tagNames("base"));
        await api.post(`/workspaces/${ids[0]}/relationships/tags`, tagNames("base"));
      },
    });
    expect(await read(api, id)).toMatchObject({ status: "done", refused: {} });
    expect(await pool(api, org)).toEqual([]);
    expect(await carried(api, org)).toEqual({});
    await expectCounted(api);
  });

  test("a tag that leaves the pool, or gets another name, while it is merged is no fault", async () => {
    const { org } = await filled(["a", "b", "c"]);
    const list = (await api.get(`/organizations/${org}/tags`)).body.data as {
      id: string;
      attributes: { name: string };
    }[];
    const tagId = (name: string) => list.find(({ attributes }) => attributes.name === name)?.id;
    const id = await idOf(org, { action: "merge", tags: [{ name: "a" }, { name: "b" }, { name: "c" }], to: "into" });
    await doJobs(api, { rows: 2, slices: 1 });
    await api.patch(`/tags/${tagId("c")}`, { data: { type: "tags", attributes: { name: "z" } } });
    await api.delete(`/organizations/${org}/tags`, { data: [{ type: "tags", id: tagId("a") }] });
    await doJobs(api, { rows: 2 });
    expect(await read(api, id)).toMatchObject({ status: "done" });
    expect(await pool(api, org)).toEqual(["into", "z"]);
    for (const tags of Object.values(await carried(api, org))) expect(tags).toEqual(["into", "z"]);
  });

  test("two jobs on the same tags, one of them paused in the middle, leave what counts as it should", async () => {
    const { org } = await filled(["base"]);
    const first = await idOf(org, { action: "merge", tags: [{ name: "base" }], to: "into" });
    await doJobs(api, { rows: 2, slices: 2 });
    await api.post(`/tag-jobs/${first}/actions/pause`);
    const second = await run(api, org, { action: "add", tags: [{ name: "base" }, { name: "into", value: "v" }] });
    expect(second).toMatchObject({ status: "done", changed: 6 });
    await api.post(`/tag-jobs/${first}/actions/resume`);
    await doJobs(api, { rows: 2 });
    expect(await read(api, first)).toMatchObject({ status: "done" });
    expect(await pool(api, org)).toEqual(["into"]);
    for (const tags of Object.values(await carried(api, org))) expect(tags).toEqual(["into", "into=v"]);
    await expectCounted(api);
  });

  test("an organization that goes in the middle takes its job with it", async () => {
    const { org } = await filled();
    const id = await idOf(org, { action: "add", tags: [{ name: "new" }] });
    let isGone = false;
    await doJobs(api, {
      rows: 2,
      found: async () => {
        if (!isGone) await api.delete(`/organizations/${org}`);
        isGone = true;
      },
    });
    expect((await api.get(`/tag-jobs/${id}`)).status).toBe(404);
  });

  test("an organization that gets another name in the middle keeps its job", async () => {
    const { org } = await filled();
    const id = await idOf(org, { action: "add", tags: [{ name: "new" }] });
    await doJobs(api, { rows: 2, slices: 1 });
    const attributes = { name: `${org}-renamed` };
    await api.patch(`/organizations/${org}`, { data: { type: "organizations", attributes } });
    await doJobs(api, { rows: 2 });
    expect(await read(api, id)).toMatchObject({ status: "done", changed: 6 });
  });
});
