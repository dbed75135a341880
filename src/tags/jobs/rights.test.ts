/** A job does what the token that asked for it may do, at each time, and shows no more. */
import { expect, test } from "vitest";
import { useApi } from "../../../test/support/api.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { ask, bind, carried, doJobs, jobBody, preview, read, run } from "../../../test/support/jobs.ts";
import type { Rule } from "../../../test/support/rights.ts";

const ADD = { action: "add", tags: [{ name: "new" }] };

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);

  /** With workspaces that may be written, read, and not seen by who has the rules. */
  async function filled() {
    const org = await api.organization();
    for (const name of ["hidden-1", "hidden-2", "open-1", "open-2", "open-3", "shown-1", "shown-2"]) {
      await api.workspace(org, name, ["base"]);
    }
    return { org, rules: rulesOf(org) };
  }

  function rulesOf(org: string): Rule[] {
    return [
      { kind: "workspace_prefix", segment: `${org}/open-`, policy: "write" },
      { kind: "workspace_prefix", segment: `${org}/shown-`, policy: "read" },
    ];
  }

  test("what may not be written is counted as refused, and what may not be seen is not counted at all", async () => {
    const { org, rules } = await filled();
    const token = api.tokenWith(...rules);
    const shown = await preview(api, org, ADD, token);
    expect(shown).toMatchObject({ total: 5, changed: 3, refused: { "not-allowed": 2 } });
    expect(JSON.stringify(shown)).not.toContain("hidden");
    const done = await run(api, org, ADD, token, { rows: 2 });
    expect(done).toMatchObject({ status: "done", total: 5, done: 5, changed: 3, refused: { "not-allowed": 2 } });
    const after = await carried(api, org);
    expect(Object.keys(after).filter((name) => after[name]?.includes("new"))).toEqual(["open-1", "open-2", "open-3"]);
  });

  test("rights that are lost in the middle are missing from the next slice on", async () => {
    const { org, rules } = await filled();
    const token = api.tokenWith(...rules);
    const asked = await ask(api, org, ADD, token);
    await doJobs(api, {
      rows: 2,
      found: ({ done }) => {
        if (done === 0) api.setRights(token, { kind: "workspace_prefix", segment: `${org}/`, policy: "read" });
      },
    });
    const job = await read(api, String(asked.body.data.id));
    expect(job).toMatchObject({ status: "done", changed: 2, refused: { "not-allowed": 3 } });
  });

  test("a token that is gone, or sees nothing of the organization any more, ends its job with the reason", async () => {
    for (const [rules, reason] of [
      [[], "The token that started this job was deleted, was disabled or has expired"],
      [
        [{ kind: "organization", segment: "other", policy: "write" }],
        "Organization not found, or you are not authorized",
      ],
    ] as const) {
      const { org, rules: first } = await filled();
      const token = api.tokenWith(...first);
      const id = String((await ask(api, org, ADD, token)).body.data.id);
      await doJobs(api, { rows: 2, slices: 1 });
      api.setRights(token, ...rules);
      await doJobs(api, { rows: 2 });
      const job = await read(api, id);
      expect(job).toMatchObject({ status: "failed", done: 2, changed: 2, reason: expect.stringContaining(reason) });
      expect(job["finished-at"]).not.toBeNull();
    }
  });

  test("incident 63: while the clock is in doubt, a job whose token may have ended waits, and then goes on", async () => {
    const { org, rules } = await filled();
    const id = String((await ask(api, org, ADD, api.tokenWith(...rules))).body.data.id);
    await doJobs(api, { rows: 2, slices: 1 });
    await doJobs({ db: api.db, actorOf: () => Promise.resolve("uncertain") });
    expect(await read(api, id)).toMatchObject({ status: "running", done: 2 });
    await doJobs(api);
    expect(await read(api, id)).toMatchObject({ status: "done", done: 5 });
  });

  test("what is done to the pool takes the right to write the organization, to ask for it and to go on", async () => {
    const { org } = await filled();
    const reader = api.tokenWith(
      { kind: "organization", segment: org, policy: "read" },
      { kind: "workspace_prefix", segment: `${org}/`, policy: "write" },
    );
    for (const attributes of [
      { action: "rename", tags: [{ name: "base" }], to: "other" },
      { action: "merge", tags: [{ name: "base" }], to: "other" },
      { action: "delete", filter: { tags: {} } },
    ]) {
      expect((await ask(api, org, attributes, reader)).status).toBe(404);
      const shown = await api.post(`/organizations/${org}/tag-jobs?preview=true`, jobBody(attributes), reader);
      expect(shown.status).toBe(404);
    }
    const writer = api.tokenWith({ kind: "organization", segment: org, policy: "write" });
    const id = String((await ask(api, org, { action: "delete", filter: { tags: {} } }, writer)).body.data.id);
    await doJobs(api, { rows: 2, slices: 1 });
    api.setRights(writer, { kind: "organization", segment: org, policy: "read" });
    await doJobs(api, { rows: 2 });
    expect(await read(api, id)).toMatchObject({ status: "failed", changed: 2 });
  });

  test("a preview of what is done to the pool counts all and names no workspace that may not be seen", async () => {
    const { org } = await filled();
    const token = api.tokenWith(
      { kind: "organization", segment: org, policy: "write" },
      { kind: "workspace_prefix", segment: `${org}/hidden-`, policy: "deny" },
    );
    const shown = await preview(api, org, { action: "delete", tags: [{ name: "base" }] }, token);
    expect(shown).toMatchObject({ total: 8, counts: { workspaces: 7 } });
    expect(shown.changes).toHaveLength(6);
    expect(JSON.stringify(shown)).not.toContain("hidden");
  });

  test("keys of projects are changed by who may write the organization, and not counted for who may not read it", async () => {
    const { org, rules } = await filled();
    const made = { data: { type: "projects", attributes: { name: "keyed" } } };
    const project = String((await api.post(`/organizations/${org}/projects`, made)).body.data.id);
    await bind(api, project, { env: "prod" });
    const attributes = { action: "set-value", tags: [{ name: "env", value: "x" }] };
    const reader = api.tokenWith(
      { kind: "organization", segment: org, policy: "read" },
      { kind: "workspace", segment: `${org}/own`, policy: "write" },
    );
    expect(await run(api, org, attributes, reader)).toMatchObject({
      total: 9,
      changed: 0,
      refused: { "not-allowed": 9 },
    });
    expect(await run(api, org, attributes, api.tokenWith(...rules))).toMatchObject({ total: 5, changed: 0 });
    expect(await run(api, org, attributes)).toMatchObject({ total: 9, changed: 1 });
  });

  test("a filter of tags shows the pool to nobody who may not read it", async () => {
    const { org, rules } = await filled();
    const attributes = { action: "remove", filter: { tags: { q: "base" } } };
    expect((await ask(api, org, attributes, api.tokenWith(...rules))).status).toBe(404);
  });

  test("a job is seen by who may read the organization and by who asked for it, and acted on by who may write it or asked", async () => {
    const { org, rules } = await filled();
    const [owner, other] = [api.tokenWith(...rules), api.tokenWith(...rules)];
    const reader = api.tokenWith({ kind: "organization", segment: org, policy: "read" });
    const writer = api.tokenWith({ kind: "organization", segment: org, policy: "write" });
    const stranger = api.tokenWith({ kind: "organization", segment: "elsewhere", policy: "write" });
    const id = String((await ask(api, org, ADD, owner)).body.data.id);
    const path = `/tag-jobs/${id}`;
    const statuses = async (send: (token: string) => Promise<{ status: number }>) => {
      const tokens = [owner, reader, writer, other, stranger];
      const found: number[] = [];
      for (const token of tokens) found.push((await send(token)).status);
      return found;
    };
    expect(await statuses((token) => api.get(path, token))).toEqual([200, 200, 200, 404, 404]);
    expect(await statuses((token) => api.get(`/organizations/${org}/tag-jobs`, token))).toEqual([
      200, 200, 200, 200, 404,
    ]);
    const listed = async (token: string) => (await api.get(`/organizations/${org}/tag-jobs`, token)).body.data.length;
    expect([await listed(owner), await listed(reader), await listed(other)]).toEqual([1, 1, 0]);
    for (const [act, expected] of [
      ["pause", [200, 404, 409, 404, 404]],
      ["resume", [200, 404, 409, 404, 404]],
      ["undo", [409, 409, 409, 404, 404]],
      ["cancel", [200, 404, 409, 404, 404]],
    ] as const) {
      expect(await statuses((token) => api.post(`${path}/actions/${act}`, undefined, token))).toEqual(expected);
    }
    api.setRights(owner, { kind: "organization", segment: "elsewhere", policy: "write" });
    expect((await api.get(path, owner)).status).toBe(404);
    await api.expectSameStatements(
      () => api.get(path, stranger),
      () => api.get("/tag-jobs/tj-none", stranger),
    );
  });
});
