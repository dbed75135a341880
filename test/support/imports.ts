/** Exports and imports of an organization's tags, asked of an application of `useApi`; its jobs are done on the spot. */
import { pino } from "pino";
import { expect } from "vitest";
import { findOrganization } from "../../src/organizations/store.ts";
import { takeLease } from "../../src/storage/feed/lease.ts";
import { oldImports } from "../../src/tags/jobs/imports/retention.ts";
import { createEngine, type JobEngine } from "../../src/tags/jobs/engine.ts";
import type { Job } from "../../src/tags/jobs/job.ts";
import { JOB_KINDS } from "../../src/tags/jobs/kinds.ts";
import { findJob } from "../../src/tags/jobs/store.ts";
import { type Answer, type Api, ROOT } from "./api.ts";

export const TYPES = { jsonl: "application/x-ndjson", csv: "text/csv" } as const;
export type Format = keyof typeof TYPES;

interface ImportOptions {
  mode?: string;
  format?: Format;
  token?: string;
}

/** A line of the JSON form. */
export function lineOf(record: object): string {
  return `${JSON.stringify(record)}\n`;
}

export function filesOf(api: Api) {
  function send(organization: string, file: string | Buffer, query: string, format: Format, token: string) {
    return api.send({
      method: "POST",
      url: `/api/v2/organizations/${organization}/tag-imports${query}`,
      headers: { authorization: `Bearer ${token}`, "content-type": TYPES[format] },
      payload: file,
    });
  }

  async function jobOf(answer: Answer): Promise<Job> {
    const job = await findJob(api.db, String(answer.body.data.id));
    if (job === undefined) throw new Error("there is no such job");
    return job;
  }

  let engine: JobEngine | undefined;

  /** Does what is asked for, as who asked for it. */
  async function doJobs(): Promise<void> {
    const { db } = api;
    const log = pino({ level: "error" });
    // One of them holds the lease.
    engine ??= createEngine(db, { kinds: JOB_KINDS, actorOf: api.actorOf, now: Date.now, log });
    await engine.work(new AbortController().signal);
  }

  return {
    async exported(organization: string, format: Format = "jsonl", token = ROOT): Promise<string> {
      const url = `/api/v2/organizations/${organization}/tags/export?format=${format}`;
      const answer = await api.send({ method: "GET", url, headers: { authorization: `Bearer ${token}` } });
      expect(answer.status).toBe(200);
      return answer.text;
    },
    /** Preview of the changes that the import would make. */
    async previewed(
      organization: string,
      file: string,
      { mode = "merge", format = "jsonl", token = ROOT }: ImportOptions = {},
    ) {
      const answer = await send(organization, file, `?preview=true&mode=${mode}`, format, token);
      expect(answer, answer.text).toMatchObject({ status: 200 });
      return answer.body.data.attributes;
    },
    asked(
      organization: string,
      file: string | Buffer,
      { mode = "merge", format = "jsonl", token = ROOT }: ImportOptions = {},
    ) {
      return send(organization, file, `?mode=${mode}`, format, token);
    },
    /** Takes it over to its end. @returns the job then */
    async imported(
      organization: string,
      file: string,
      { mode = "merge", format = "jsonl", token = ROOT }: ImportOptions = {},
    ): Promise<Job> {
      const answer = await send(organization, file, `?mode=${mode}`, format, token);
      expect(answer, answer.text).toMatchObject({ status: 201 });
      await doJobs();
      return jobOf(answer);
    },
    jobOf,
    doJobs,
    /** Removes what nobody needs any more. */
    async removeFiles(): Promise<void> {
      const { jobs, lease: name } = oldImports(api.db, Date.now);
      const lease = await takeLease(api.db, name, "test");
      if (lease === undefined) throw new Error("somebody else has the lease");
      for (const job of await jobs()) while (!(await job.remove(lease, 2)).isLast);
    },
    /** How many files of an organization are left, and how many records of all. */
    async left(organization: string) {
      const { id = "" } = (await findOrganization(api.db, organization)) ?? {};
      const all = await api.db.sql.selectFrom("tag_imports").select("id").where("organization_id", "=", id).execute();
      const rows = await api.db.sql.selectFrom("tag_import_records").select("import_id as id").execute();
      const ids = new Set(all.map((file) => file.id));
      return [all.length, rows.filter((row) => ids.has(row.id)).length];
    },
  };
}
