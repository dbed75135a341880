/** Jobs as tests do them: slice by slice, in the test's own process. */
import { sql } from "kysely";
import { pino } from "pino";
import { expect } from "vitest";
import { createEngine, type EngineOptions } from "../../src/tags/jobs/engine.ts";
import type { Job, JobKinds } from "../../src/tags/jobs/job.ts";
import { JOB_KINDS } from "../../src/tags/jobs/kinds.ts";
import { readStored } from "../faults/stored-state.ts";
import { ROOT, type Answer, type Api } from "./api.ts";

/** Parts of an application under test that a job engine needs. */
export type JobHost = Pick<Api, "db"> & Pick<EngineOptions, "actorOf">;

interface Steps {
  /** Rows of each slice at the most. */
  rows?: number;
  /** Slices after which it stops. */
  slices?: number;
  /** Called before each slice is looked for. */
  before?: (job: Job) => Promise<unknown> | void;
  /** Called when what a slice is about has been found, before its transaction. */
  found?: (job: Job) => Promise<unknown> | void;
  kinds?: JobKinds;
}

/** Does what jobs there are until none is left, or as far as is said. */
export async function doJobs(
  { db, actorOf }: JobHost,
  { rows = 3, slices = Infinity, before, found, kinds = JOB_KINDS }: Steps = {},
): Promise<void> {
  const stop = new AbortController();
  let left = slices;
  const wrapped = Object.entries(kinds).map(([name, make]) => [
    name,
    () => {
      const work = make();
      return {
        ...work,
        async next(...[ctx, job]: Parameters<typeof work.next>) {
          await before?.(job);
          const slice = await work.next(ctx, job, rows);
          await found?.(job);
          if (--left <= 0) stop.abort();
          return slice;
        },
      };
    },
  ]);
  const log = pino({ level: "silent" });
  const engine = { kinds: Object.fromEntries(wrapped) as JobKinds, actorOf, now: db.now, log, holder: "the test" };
  await createEngine(db, engine).work(stop.signal);
}

export const jobBody = (attributes: object) => ({ data: { type: "tag-jobs", attributes } });

/** Asks for a job. */
export function ask(api: Api, organization: string, attributes: object, token = ROOT): Promise<Answer> {
  return api.post(`/organizations/${organization}/tag-jobs`, jobBody(attributes), token);
}

/** Asks for a job and does it. @returns its attributes when it has ended, with its id */
export async function run(api: Api, organization: string, attributes: object, token = ROOT, steps: Steps = {}) {
  const asked = await ask(api, organization, attributes, token);
  expect(asked.status, asked.text).toBe(201);
  await doJobs(api, steps);
  return read(api, asked.body.data.id as string, token);
}

/** Takes a job back. @returns as `run` */
export async function undo(api: Api, id: string, token = ROOT) {
  const asked = await api.post(`/tag-jobs/${id}/actions/undo`, undefined, token);
  expect(asked.status, asked.text).toBe(201);
  await doJobs(api);
  return read(api, asked.body.data.id as string, token);
}

export async function read(api: Api, id: string, token = ROOT) {
  const answer = await api.get(`/tag-jobs/${id}`, token);
  expect(answer.status, answer.text).toBe(200);
  return { id, ...answer.body.data.attributes };
}

export async function preview(api: Api, organization: string, attributes: object, token = ROOT) {
  const answer = await api.post(`/organizations/${organization}/tag-jobs?preview=true`, jobBody(attributes), token);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data.attributes;
}

/** Tags of every workspace of an organization, by workspace name: flat tags, and keys as `key=value`, sorted. */
export async function carried(api: Api, organization: string): Promise<Record<string, string[]>> {
  const rows = await sql<{ workspace: string; name: string; marks: number; value: string }>`
    select w.name as workspace, t.name, l.marks, l.value from workspaces w
    join organizations o on o.id = w.organization_id
    join workspace_tags l on l.workspace_id = w.id join tags t on t.id = l.tag_id
    where o.name = ${organization} order by w.name, t.name`.execute(api.db.sql);
  const found: Record<string, string[]> = {};
  for (const { workspace, name, marks, value } of rows.rows) {
    const list = (found[workspace] ??= []);
    if (marks !== 2) list.push(name);
    if (marks !== 1) list.push(`${name}=${value}`);
  }
  return found;
}

/** The names in the pool, in order. */
export async function pool(api: Api, organization: string): Promise<string[]> {
  const rows = await sql<{ name: string }>`select t.name from tags t join organizations o on o.id = t.organization_id
    where o.name = ${organization} order by t.name`.execute(api.db.sql);
  return rows.rows.map(({ name }) => name);
}

/** Checks that the counts that are kept are those of what they count. */
export async function expectCounted(api: Api): Promise<void> {
  const { faults } = await readStored(
    async (text) => (await sql.raw<Record<string, unknown>>(text).execute(api.db.sql)).rows,
  );
  expect(faults).toEqual([]);
}

/** The records of a job as previews show them, in their order. */
export async function recordsOf(api: Api, job: string) {
  const rows = await sql<{ kind: string; object_id: string; name: string; action: string; details: string }>`
    select kind, object_id, name, action, details from changes where job_id = ${job} order by position`.execute(
    api.db.sql,
  );
  return rows.rows.map(({ kind, object_id, name, action, details }) => ({
    kind,
    "object-id": object_id,
    name,
    action,
    details: JSON.parse(details) as unknown,
  }));
}

/** Gives a workspace keys and values. */
export async function bind(api: Api, workspace: string, values: Record<string, string>): Promise<void> {
  const data = Object.entries(values).map(([key, value]) => ({ type: "tag-bindings", attributes: { key, value } }));
  const path = workspace.startsWith("prj-") ? "projects" : "workspaces";
  const answer = await api.post(`/${path}/${workspace}/relationships/tag-bindings`, { data });
  expect(answer.status, answer.text).toBe(204);
}
