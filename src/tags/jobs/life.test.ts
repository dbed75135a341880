/** How jobs are begun, seen, paused, given up and forgotten. */
import { sql } from "kysely";
import { pino } from "pino";
import { expect, test } from "vitest";
import { ROOT, useApi } from "../../../test/support/api.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { ask, carried, doJobs, expectCounted, jobBody, read, run } from "../../../test/support/jobs.ts";
import { startRemoval } from "../../storage/operator/removal.ts";
import { createEngine } from "./engine.ts";
import { oldJobs } from "./retention.ts";

const ADD = { action: "add", tags: [{ name: "new" }] };

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);

  async function filled(count = 6) {
    const org = await api.organization();
    for (let at = 0; at < count; at++) await api.workspace(org, `ws-${at}`);
    return org;
  }

  const act = (id: string, name: string, token = ROOT) => api.post(`/tag-jobs/${id}/actions/${name}`, undefined, token);
  const idOf = async (org: string, attributes: object = ADD) => String((await ask(api, org, attributes)).body.data.id);

  test("a job is begun with 201, waits for its turn, and shows how far it is", async () => {
    const org = await filled();
    const asked = await ask(api, org, { ...ADD, filter: { workspaces: { name: "ws" } } });
    expect(asked.status).toBe(201);
    const { id, attributes, relationships } = asked.body.data;
    expect(id).toMatch(/^tj-\w{16}$/);
    expect(attributes).toMatchObject({
      status: "queued",
      total: null,
      done: 0,
      changed: 0,
      filter: { workspaces: { name: "ws" } },
    });
    expect(relationships.organization.data.id).toBe(org);
    await doJobs(api, { rows: 2, slices: 2 });
    expect(await read(api, id)).toMatchObject({
      status: "running",
      total: 6,
      done: 4,
      changed: 4,
      "finished-at": null,
    });
    await doJobs(api);
    const done = await read(api, id);
    expect(done).toMatchObject({ status: "done", total: 6, done: 6, changed: 6, "accessor-id": "root" });
    expect(Date.parse(done["finished-at"])).toBeGreaterThan(0);
    await expectCounted(api);
  });

  test("a preview stores nothing and needs no job", async () => {
    const org = await filled();
    const shown = await api.post(`/organizations/${org}/tag-jobs?preview=true`, jobBody(ADD));
    expect(shown.status).toBe(200);
    expect(shown.body.data).toMatchObject({ type: "tag-job-previews", attributes: { changed: 6, complete: true } });
    expect((await api.get(`/organizations/${org}/tag-jobs`)).body.data).toEqual([]);
    expect(await carried(api, org)).toEqual({});
    expect((await api.get(`/organizations/${org}/tags`)).body.data).toEqual([]);
  });

  test("a preview shows the first 100 changes and counts all", async () => {
    const org = await filled(130);
    const shown = await api.post(`/organizations/${org}/tag-jobs?preview=true`, jobBody(ADD));
    expect(shown.body.data.attributes).toMatchObject({ total: 130, changed: 130 });
    expect(shown.body.data.attributes.changes).toHaveLength(100);
    await run(api, org, ADD, ROOT, { rows: 100 });
    const gone = await api.post(
      `/organizations/${org}/tag-jobs?preview=true`,
      jobBody({ action: "delete", filter: { tags: {} } }),
    );
    expect(gone.body.data.attributes).toMatchObject({ total: 131, counts: { tags: 1, workspaces: 130, projects: 0 } });
    expect(gone.body.data.attributes.changes).toHaveLength(100);
  });

  test("pause stops it between two slices, resume goes on there, and neither counts anything twice", async () => {
    const org = await filled();
    const id = await idOf(org);
    await doJobs(api, { rows: 2, slices: 1 });
    expect((await act(id, "pause")).body.data.attributes).toMatchObject({ status: "paused", done: 2 });
    expect((await act(id, "pause")).status).toBe(409);
    await doJobs(api);
    expect(await read(api, id)).toMatchObject({ status: "paused", done: 2 });
    expect((await act(id, "resume")).body.data.attributes.status).toBe("queued");
    expect((await act(id, "resume")).status).toBe(409);
    await doJobs(api);
    expect(await read(api, id)).toMatchObject({ status: "done", total: 6, done: 6, changed: 6 });
    for (const name of ["pause", "resume", "cancel"]) expect((await act(id, name)).status).toBe(409);
  });

  test("pause and cancel come between the search of a slice and its transaction, which then changes nothing", async () => {
    for (const [name, status] of [
      ["pause", "paused"],
      ["cancel", "cancelled"],
    ] as const) {
      const org = await filled();
      const id = await idOf(org);
      await doJobs(api, { rows: 2, slices: 2, found: async (job) => void (job.done === 2 && (await act(id, name))) });
      expect(await read(api, id)).toMatchObject({ status, done: 2, changed: 2 });
      expect(Object.keys(await carried(api, org))).toHaveLength(2);
      if (status === "paused") await act(id, "cancel");
    }
  });

  test("cancel ends it where it is, and a paused or queued one too", async () => {
    const org = await filled();
    const [first, second] = [await idOf(org), await idOf(org)];
    await act(second, "pause");
    expect((await act(second, "cancel")).body.data.attributes.status).toBe("cancelled");
    expect((await act(first, "cancel")).body.data.attributes).toMatchObject({ status: "cancelled", total: null });
    expect((await read(api, first))["finished-at"]).toMatch(/Z$/);
    await doJobs(api);
    expect(await carried(api, org)).toEqual({});
  });

  test("jobs of an organization are done one after the other, and those of several in turns", async () => {
    const [one, other] = [await filled(), await filled()];
    // Jobs of one millisecond have no order.
    const now = Date.now();
    api.setNow(now);
    const ids = [await idOf(one)];
    api.setNow(now + 1);
    ids.push(await idOf(one, { ...ADD, tags: [{ name: "second" }] }), await idOf(other));
    api.setNow(undefined);
    const seen: string[] = [];
    await doJobs(api, { rows: 2, before: ({ id }) => void seen.push(id) });
    const [first, second, third] = ids;
    expect(seen.lastIndexOf(first ?? "")).toBeLessThan(seen.indexOf(second ?? ""));
    expect(seen.indexOf(third ?? "")).toBeLessThan(seen.lastIndexOf(first ?? ""));
    for (const id of ids) expect(await read(api, id)).toMatchObject({ status: "done", changed: 6 });
  });

  test("a paused job lets others of its organization pass", async () => {
    const org = await filled();
    const [first, second] = [await idOf(org), await idOf(org)];
    await act(first, "pause");
    await doJobs(api);
    expect(await read(api, second)).toMatchObject({ status: "done" });
    await act(first, "cancel");
  });

  test("an organization has twenty unfinished jobs at the most, of one token fifteen", async () => {
    const org = await filled(1);
    const ids = [];
    for (let at = 0; at < 15; at++) ids.push(await idOf(org));
    const refused = await ask(api, org, ADD);
    expect([refused.status, refused.body.errors[0].detail]).toEqual([
      422,
      expect.stringContaining("A token can have at most 15 unfinished jobs"),
    ]);
    const other = api.tokenWith(
      { kind: "organization", segment: org, policy: "write" },
      { kind: "workspace", segment: `${org}/`, policy: "write" },
    );
    for (let at = 0; at < 5; at++) expect((await ask(api, org, ADD, other)).status).toBe(201);
    const full = await ask(api, org, ADD, other);
    expect([full.status, full.body.errors[0].detail]).toEqual([
      422,
      expect.stringContaining("An organization can have at most 20 unfinished jobs"),
    ]);
    expect((await ask(api, await filled(1), ADD)).status).toBe(201);
    await act(ids[0] ?? "", "cancel");
    expect((await ask(api, org, ADD)).status).toBe(201);
    await doJobs(api);
  });

  test("lists the newest first, by pages", async () => {
    const org = await filled(1);
    const ids: string[] = [];
    for (let at = 0; at < 5; at++) ids.push((await run(api, org, ADD)).id);
    const page = await api.get(`/organizations/${org}/tag-jobs?page%5Bsize%5D=2&page%5Bnumber%5D=2`);
    expect(page.body.data.map(({ id }: { id: string }) => id)).toEqual([ids[2], ids[1]]);
    expect(page.body.meta.pagination).toMatchObject({ "total-count": 5, "next-page": 3 });
  });

  test("the jobs of two engines that both believe to be alone do nothing twice", async () => {
    const org = await filled(12);
    const id = await idOf(org);
    // One has found its slice when the other does it, and more.
    await doJobs(api, {
      rows: 2,
      found: async (job) => void (job.done === 2 && (await doJobs(api, { rows: 3, slices: 1 }))),
    });
    expect(await read(api, id)).toMatchObject({ status: "done", total: 12, done: 12, changed: 12 });
    const records = await sql<{ count: number }>`select count(*) as count from changes where job_id = ${id}`.execute(
      api.db.sql,
    );
    expect(Number(records.rows[0]?.count)).toBe(12);
    await expectCounted(api);
  });

  test("a job that meets a fault again and again is given up, and one of a kind that is not known is left alone", async () => {
    const org = await filled();
    const id = await idOf(org);
    const work = { count: () => Promise.resolve(1), next: () => Promise.reject(new TypeError("a planted fault")) };
    for (let at = 0; at < 5; at++) await doJobs(api, { kinds: {} });
    expect(await read(api, id)).toMatchObject({ status: "queued" });
    const log = pino({ level: "silent" });
    const options = { kinds: { add: () => work }, actorOf: api.actorOf, now: api.db.now, log, holder: "the test" };
    const engine = createEngine(api.db, options);
    for (let at = 0; at < 5; at++) {
      expect(await read(api, id)).not.toMatchObject({ status: "failed" });
      await engine.work(new AbortController().signal);
    }
    expect(await read(api, id)).toMatchObject({
      status: "failed",
      reason: "Internal error. See the server log",
    });
  });

  test("jobs go seven days after their end, and with their organization", async () => {
    const org = await filled();
    const id = (await run(api, org, ADD)).id as string;
    const other = await filled();
    const left = await idOf(other);
    expect((await api.delete(`/organizations/${other}`)).status).toBe(204);
    expect((await api.get(`/tag-jobs/${left}`)).status).toBe(404);
    await doJobs(api);
    const rows = async (job: string) =>
      (await sql`select id from tag_jobs where id = ${job}`.execute(api.db.sql)).rows.length;
    await expect.poll(() => rows(left)).toBe(0);
    let now = Date.now() + 7 * 24 * 3600 * 1000 - 60_000;
    const removalAt = async () => {
      for (const job of await oldJobs(api.db, () => now).jobs()) {
        const removal = startRemoval(
          api.db,
          { lease: "test", rows: { least: 9, most: 9 }, jobs: () => Promise.resolve([job]) },
          () => undefined,
        );
        await expect.poll(() => rows(id)).toBe(0);
        await removal.stop();
      }
    };
    await removalAt();
    expect(await rows(id)).toBe(1);
    now += 120_000;
    await removalAt();
    expect(await rows(id)).toBe(0);
  });

  test("a stream tells how far it is until it has ended", async () => {
    const org = await filled();
    const id = await idOf(org);
    const stream = api.send({
      method: "GET",
      url: `/api/v2/tag-jobs/${id}`,
      headers: { authorization: `Bearer ${ROOT}`, accept: "text/event-stream" },
    });
    await doJobs(api, { rows: 1 });
    const { status, headers, text } = await stream;
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("text/event-stream");
    const told = [...text.matchAll(/^event: progress\ndata: (.*)$/gm)].map(
      ([, data]) => JSON.parse(data ?? "") as object,
    );
    expect(told.length).toBeGreaterThan(0);
    expect(told.at(-1)).toMatchObject({ data: { id, attributes: { status: "done", changed: 6 } } });
  });
});
