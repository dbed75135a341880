/** Jobs that take back what others have changed, where nobody has changed it since. */
import { expect, test } from "vitest";
import { tagNames, useApi } from "../../../../test/support/api.ts";
import { forEachEngine } from "../../../../test/support/engines.ts";
import { ask, bind, carried, doJobs, expectCounted, pool, read, run, undo } from "../../../../test/support/jobs.ts";

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);

  async function filled() {
    const org = await api.organization();
    const found: Record<string, string> = {};
    for (const name of ["a", "b", "c", "d"]) found[name] = await api.workspace(org, name, ["base", name]);
    await bind(api, found["a"] ?? "", { env: "prod", base: "key" });
    await bind(api, found["b"] ?? "", { env: "test" });
    await api.post(`/organizations/${org}/tags`, tagNames("pinned", "base"));
    return { org, found, state: async () => ({ carried: await carried(api, org), pool: await pool(api, org) }) };
  }

  const JOBS: readonly { action: string; [more: string]: unknown }[] = [
    { action: "add", tags: [{ name: "new" }, { name: "env", value: "x" }, { name: "base" }] },
    { action: "remove", tags: [{ name: "base" }, { name: "env" }, { name: "c" }] },
    { action: "set-value", tags: [{ name: "env", value: "other" }] },
    { action: "rename", tags: [{ name: "base" }], to: "renamed" },
    { action: "merge", tags: [{ name: "base" }, { name: "a" }, { name: "b" }, { name: "pinned" }], to: "env" },
    { action: "merge", filter: { tags: {} }, to: "all" },
    { action: "delete", filter: { tags: {} } },
  ];

  test.each(JOBS.map((attributes, at) => ({ at, action: attributes.action, attributes })))(
    "$action ($at) is taken back, and taking that back does it again",
    async ({ attributes }) => {
      const { org, state } = await filled();
      const before = await state();
      const job = await run(api, org, attributes);
      const after = await state();
      expect(after).not.toEqual(before);
      const undone = await undo(api, job.id);
      expect(undone).toMatchObject({ status: "done", action: "undo", refused: {}, "undo-of": job.id });
      expect(await state()).toEqual(before);
      await expectCounted(api);
      const again = await undo(api, undone.id);
      expect(again).toMatchObject({ status: "done", refused: {} });
      expect(await state()).toEqual(after);
      await expectCounted(api);
      await undo(api, again.id);
      expect(await state()).toEqual(before);
    },
  );

  test("what was changed since stays, tag by tag, and is counted", async () => {
    const { org, found, state } = await filled();
    const tags = [{ name: "new" }, { name: "env", value: "x" }];
    const job = await run(api, org, { action: "add", tags });
    await bind(api, found["a"] ?? "", { env: "later" });
    await api.delete(`/workspaces/${found["b"]}/relationships/tags`, tagNames("new"));
    await api.delete(`/workspaces/${found["c"]}`);
    const undone = await undo(api, job.id);
    expect(undone).toMatchObject({ total: 4, done: 4, changed: 1, refused: { "changed-since": 2, gone: 1 } });
    expect(undone.refused).toEqual({ "changed-since": 2, gone: 1 });
    const { carried: now } = await state();
    expect(now["a"]).toEqual(["a", "base", "base=key", "env=later"]);
    expect(now["b"]).toEqual(["b", "base", "env=test"]);
    expect(now["d"]).toEqual(["base", "d"]);
    await expectCounted(api);
  });

  test("a tag that was renamed since is known by its id, and a rename is taken back only where its names are free", async () => {
    const { org, state } = await filled();
    const job = await run(api, org, { action: "add", tags: [{ name: "new" }] });
    const renamed = await run(api, org, { action: "rename", tags: [{ name: "new" }], to: "newer" });
    expect(await undo(api, job.id)).toMatchObject({ changed: 4, refused: {} });
    expect((await state()).pool).not.toContain("newer");
    expect(await undo(api, renamed.id)).toMatchObject({ changed: 0, refused: { "changed-since": 1 } });
    const other = await run(api, org, { action: "rename", tags: [{ name: "base" }], to: "based" });
    await api.post(`/organizations/${org}/tags`, tagNames("base"));
    expect(await undo(api, other.id)).toMatchObject({ changed: 0, refused: { "changed-since": 1 } });
  });

  test("a tag that came back since is not made twice", async () => {
    const { org, state } = await filled();
    const job = await run(api, org, { action: "delete", tags: [{ name: "base" }, { name: "pinned" }] });
    await api.post(`/organizations/${org}/tags`, tagNames("pinned"));
    const undone = await undo(api, job.id);
    expect(undone.refused).toEqual({ "changed-since": 1 });
    expect((await state()).pool).toEqual(["a", "b", "base", "c", "d", "env", "pinned"]);
    expect((await state()).carried["d"]).toEqual(["base", "d"]);
    await expectCounted(api);
  });

  test("keys of projects come back too", async () => {
    const { org } = await filled();
    const made = { data: { type: "projects", attributes: { name: "keyed" } } };
    const project = String((await api.post(`/organizations/${org}/projects`, made)).body.data.id);
    await bind(api, project, { env: "prod", own: "o" });
    const keys = async () =>
      (await api.get(`/projects/${project}/tag-bindings`)).body.data
        .map(
          ({ attributes }: { attributes: { key: string; value: string } }) => `${attributes.key}=${attributes.value}`,
        )
        .toSorted((a: string, b: string) => (a < b ? -1 : 1));
    for (const attributes of [
      { action: "set-value", tags: [{ name: "env", value: "x" }] },
      { action: "merge", tags: [{ name: "own" }], to: "base" },
      { action: "delete", filter: { tags: { q: "e" } } },
    ]) {
      const before = await keys();
      const job = await run(api, org, attributes);
      expect(await keys()).not.toEqual(before);
      expect(await undo(api, job.id)).toMatchObject({ status: "done", refused: {} });
      expect(await keys()).toEqual(before);
      await expectCounted(api);
    }
  });

  test("a job that was given up is taken back as far as it went, and one that goes on is not", async () => {
    const { org, state } = await filled();
    const before = await state();
    const asked = await ask(api, org, { action: "add", tags: [{ name: "new" }] });
    const id = String(asked.body.data.id);
    await doJobs(api, { rows: 2, slices: 1 });
    expect((await api.post(`/tag-jobs/${id}/actions/undo`)).status).toBe(409);
    expect((await api.post(`/tag-jobs/${id}/actions/cancel`)).body.data.attributes).toMatchObject({
      status: "cancelled",
      done: 2,
    });
    expect(await state()).not.toEqual(before);
    expect(await undo(api, id)).toMatchObject({ total: 2, changed: 2 });
    expect(await state()).toEqual(before);
  });

  test("who takes a job back needs the right to each single change", async () => {
    const { org, found } = await filled();
    const job = await run(api, org, { action: "merge", tags: [{ name: "a" }, { name: "pinned" }], to: "base" });
    const token = api.tokenWith(
      { kind: "organization", segment: org, policy: "read" },
      { kind: "workspace_prefix", segment: `${org}/`, policy: "read" },
      { kind: "workspace", segment: `${org}/b`, policy: "write" },
    );
    const undone = await undo(api, job.id, token);
    expect(undone).toMatchObject({ status: "done", changed: 0, refused: { "not-allowed": 3 } });
    expect((await api.delete(`/workspaces/${found["a"]}`)).status).toBe(204);
    const hidden = api.tokenWith(
      { kind: "organization", segment: org, policy: "read" },
      { kind: "workspace", segment: `${org}/own`, policy: "write" },
    );
    expect((await undo(api, job.id, hidden)).refused).toEqual({ "not-allowed": 2, gone: 1 });
    expect(await read(api, job.id, hidden)).toMatchObject({ status: "done" });
  });
});
