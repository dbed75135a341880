/** How much of an organization's jobs and files each caller may have, and what of them it is told. */
import { expect, test } from "vitest";
import { ROOT, useApi } from "../../../test/support/api.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { filesOf, lineOf } from "../../../test/support/imports.ts";
import { ask, doJobs, jobBody, read, run } from "../../../test/support/jobs.ts";
import type { Rule } from "../../../test/support/rights.ts";
import { startRemoval } from "../../storage/operator/removal.ts";
import { oldJobs } from "./retention.ts";

const ADD = { action: "add", tags: [{ name: "new" }] };
const DAY_MS = 24 * 3600 * 1000;

forEachEngine((_engine, makeUrl) => {
  const api = useApi(makeUrl);
  const files = filesOf(api);

  async function filled() {
    const org = await api.organization();
    for (const name of ["own", "other"]) await api.workspace(org, name);
    const writer = (name: string): Rule[] => [{ kind: "workspace", segment: `${org}/${name}`, policy: "write" }];
    return { org, ofOne: () => api.tokenWith(...writer("own")) };
  }

  const statusOf = async (org: string, token: string) => (await ask(api, org, ADD, token)).status;

  test("who may write nothing asks for nothing, whatever it may read", async () => {
    const { org } = await filled();
    const done = await run(api, org, ADD);
    for (const rules of [
      [{ kind: "workspace", segment: `${org}/own`, policy: "read" }],
      [{ kind: "organization", segment: org, policy: "read" }],
      [
        { kind: "organization", segment: org, policy: "read" },
        { kind: "workspace_prefix", segment: "elsewhere/", policy: "write" },
      ],
    ] satisfies Rule[][]) {
      const token = api.tokenWith(...rules);
      const file = lineOf({ kind: "workspace", name: "own", tags: ["a"] });
      const answers = [
        await ask(api, org, ADD, token),
        await api.post(`/organizations/${org}/tag-jobs?preview=true`, jobBody(ADD), token),
        await api.post(`/tag-jobs/${done.id}/actions/undo`, undefined, token),
        await files.asked(org, file, { token }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    }
    expect(await files.left(org)).toEqual([0, 0]);
    expect((await api.get(`/organizations/${org}/tag-jobs`)).body.data).toHaveLength(1);
  });

  test("who may write some workspace has three jobs, all such ten, and they leave room for who may write the organization", async () => {
    const { org, ofOne } = await filled();
    const tokens = [ofOne(), ofOne(), ofOne(), ofOne()];
    const found: number[][] = [];
    for (const token of tokens) {
      const answers: number[] = [];
      for (let at = 0; at < 4; at++) answers.push(await statusOf(org, token));
      found.push(answers);
    }
    expect(found).toEqual([
      [201, 201, 201, 422],
      [201, 201, 201, 422],
      [201, 201, 201, 422],
      [201, 422, 422, 422],
    ]);
    // Paused ones count as others do.
    const [own] = (await api.get(`/organizations/${org}/tag-jobs`, tokens[0])).body.data;
    await api.post(`/tag-jobs/${own.id}/actions/pause`, undefined, tokens[0]);
    expect(await statusOf(org, tokens[0] ?? "")).toBe(422);
    for (let at = 0; at < 10; at++) expect(await statusOf(org, ROOT)).toBe(201);
    const full = await ask(api, org, ADD);
    expect([full.status, full.body.errors[0].detail]).toEqual([
      422,
      expect.stringContaining("An organization can have at most 20 unfinished jobs"),
    ]);
  });

  test("previews of an organization are made one at a time, and those that are too many are told to come again", async () => {
    const { org } = await filled();
    for (let at = 0; at < 60; at++) await api.workspace(org, `ws-${at}`, ["base"]);
    const file = Array.from({ length: 60 }, (_, at) => lineOf({ kind: "workspace", name: `ws-${at}`, tags: ["a"] }));
    const asks = Array.from({ length: 60 }, () =>
      api.post(`/organizations/${org}/tag-jobs?preview=true`, jobBody(ADD)),
    );
    const found = await Promise.allSettled(asks);
    // The application of tests fails a request that is answered with 503.
    const refused = found.flatMap((each) => (each.status === "rejected" ? [String(each.reason)] : []));
    expect(refused.length).toBeGreaterThan(0);
    for (const reason of refused) expect(reason).toContain("Too many previews are running");
    expect(found.length - refused.length).toBeGreaterThanOrEqual(9);
    expect(await files.previewed(org, file.join(""))).toMatchObject({ create: 60 });
  });

  test("a job that was paused for seven days is cancelled, and no other", async () => {
    const { org } = await filled();
    const ids: string[] = [];
    for (let at = 0; at < 2; at++) ids.push(String((await ask(api, org, ADD)).body.data.id));
    const [paused = "", queued = ""] = ids;
    await api.post(`/tag-jobs/${paused}/actions/pause`);
    const removeAt = async (now: number) => {
      const jobs = await oldJobs(api.db, () => now).jobs();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      let isAsked = false;
      const removal = startRemoval(
        api.db,
        {
          lease: "test of paused jobs",
          rows: { least: 9, most: 9 },
          jobs: () => {
            if (isAsked) resolve();
            const found = isAsked ? [] : jobs;
            isAsked = true;
            return Promise.resolve(found);
          },
        },
        reject,
      );
      await promise;
      await removal.stop();
    };
    await removeAt(Date.now() + 7 * DAY_MS - 60_000);
    expect(await read(api, paused)).toMatchObject({ status: "paused" });
    await removeAt(Date.now() + 7 * DAY_MS + 60_000);
    expect(await read(api, paused)).toMatchObject({ status: "cancelled", reason: "The job was paused for 7 days" });
    expect(await read(api, queued)).toMatchObject({ status: "queued" });
    await api.post(`/tag-jobs/${queued}/actions/cancel`);
  });

  test("what was refused is named to who asked, and to who may write the organization and see all of it", async () => {
    const { org } = await filled();
    const asker = api.tokenWith(
      { kind: "workspace", segment: `${org}/own`, policy: "write" },
      { kind: "workspace", segment: `${org}/other`, policy: "read" },
    );
    const file = lineOf({ kind: "workspace", name: "other", tags: ["a"] });
    const asked = await files.asked(org, file, { token: asker });
    await doJobs(api);
    const job = await files.jobOf(asked);
    expect(job.refused).toEqual({ "not-allowed": 1 });
    const whole: Rule = { kind: "organization", segment: org, policy: "write" };
    const hidden: Rule = { kind: "workspace", segment: `${org}/other`, policy: "deny" };
    for (const [token, count] of [
      [asker, 1],
      [ROOT, 1],
      [api.tokenWith(whole), 1],
      [api.tokenWith(whole, hidden), 0],
      [api.tokenWith({ kind: "organization", segment: org, policy: "read" }), 0],
      [api.tokenWith({ kind: "organization", segment: org, policy: "read" }, hidden), 0],
    ] as const) {
      expect((await read(api, job.id, token)).errors).toHaveLength(count);
      const listed = (await api.get(`/organizations/${org}/tag-jobs`, token)).body.data;
      expect(listed[0].attributes.errors).toHaveLength(count);
      const stream = await api.send({
        method: "GET",
        url: `/api/v2/tag-jobs/${job.id}`,
        headers: { authorization: `Bearer ${token}`, accept: "text/event-stream" },
      });
      const [, data = ""] = /^data: (.*)$/m.exec(stream.text) ?? [];
      const streamed = JSON.parse(data) as { data: { attributes: { errors: string[] } } };
      expect(streamed.data.attributes.errors).toHaveLength(count);
    }
  });

  test("who pauses a job without seeing what it refused takes that from nobody", async () => {
    const { org } = await filled();
    const asker = api.tokenWith({ kind: "workspace", segment: `${org}/own`, policy: "write" });
    const blind = api.tokenWith(
      { kind: "organization", segment: org, policy: "write" },
      { kind: "workspace", segment: `${org}/other`, policy: "deny" },
    );
    const file = [
      { kind: "tag", name: "t" },
      { kind: "workspace", name: "own", tags: ["a"] },
    ];
    const id = String((await files.asked(org, file.map(lineOf).join(""), { token: asker })).body.data.id);
    await doJobs(api, { slices: 1 });
    const paused = await api.post(`/tag-jobs/${id}/actions/pause`, undefined, blind);
    expect(paused.body.data.attributes).toMatchObject({ status: "paused", errors: [], refused: { "not-allowed": 1 } });
    expect((await read(api, id, asker)).errors).toHaveLength(1);
    await api.post(`/tag-jobs/${id}/actions/cancel`);
  });
});
