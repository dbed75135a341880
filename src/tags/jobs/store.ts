/** Jobs as they are stored. */
import { sql } from "kysely";
import type { Reader, Transaction } from "../../storage/database.ts";
import { insertOf, selectionOf, updateOf, type ObjectOf } from "../../storage/writes/objects.ts";
import { definePoint, defineQuery, oneOf } from "../../storage/reads/query.ts";
import type { Job } from "./job.ts";

type Row = ObjectOf<"tag_jobs">;

function jobOf({ input, refused, warned, errors, ...row }: Row): Job {
  return {
    ...row,
    input: JSON.parse(input) as unknown,
    refused: JSON.parse(refused) as Job["refused"],
    warned: JSON.parse(warned) as Job["warned"],
    errors: JSON.parse(errors) as string[],
  };
}

function rowOf({ input, refused, warned, errors, ...job }: Job): Row {
  return {
    ...job,
    input: JSON.stringify(input),
    refused: JSON.stringify(refused),
    warned: JSON.stringify(warned),
    errors: JSON.stringify(errors),
  };
}

const COLUMNS = selectionOf("tag_jobs");
/** Jobs of a deleted organization are not found, though rows of them may be left. */
const byId = definePoint("tag_jobs.id", (db) =>
  db
    .selectFrom("tag_jobs")
    .innerJoin("organizations", "organizations.id", "tag_jobs.organization_id")
    .select([...COLUMNS, "organizations.name as organizationName"]),
);

/** A job, with the name of its organization. */
export async function findJob(db: Reader, id: string): Promise<(Job & { organizationName: string }) | undefined> {
  const row = await db.point(byId, id);
  return row && { ...jobOf(row), organizationName: row.organizationName };
}

interface ListParams {
  organization: string;
  /** Only those of this token. */
  accessor: string;
}

function listed(own: boolean) {
  const page = defineQuery((db, p: ListParams & { limit: number; offset: number }) =>
    db
      .selectFrom("tag_jobs")
      .select(COLUMNS)
      .where("organization_id", "=", p.organization)
      .$if(own, (query) => query.where("accessor_id", "=", p.accessor))
      .orderBy("created_at", "desc")
      .orderBy("id", "desc")
      .limit(p.limit)
      .offset(p.offset),
  );
  const count = defineQuery((db, p: ListParams) =>
    db
      .selectFrom("tag_jobs")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .where("organization_id", "=", p.organization)
      .$if(own, (query) => query.where("accessor_id", "=", p.accessor)),
  );
  return { page, count };
}

const ALL = listed(false);
const OWN = listed(true);

/** A page of an organization's jobs, the newest first. @param accessor of whose jobs; undefined for all */
export async function listJobs(
  db: Reader,
  organization: string,
  accessor: string | undefined,
  { size, offset }: { size: number; offset: number },
): Promise<{ jobs: Job[]; total: number }> {
  const { page, count } = accessor === undefined ? ALL : OWN;
  const params = { organization, accessor: accessor ?? "" };
  const [rows, counted] = await Promise.all([db.run(page, { ...params, limit: size, offset }), db.run(count, params)]);
  return { jobs: rows.map(jobOf), total: counted[0]?.count ?? 0 };
}

const unfinished = defineQuery((db, p: { organization: string; accessor: string }) =>
  db
    .selectFrom("tag_jobs")
    .select((eb) => [
      eb.fn.countAll<number>().as("all"),
      sql<number>`cast(coalesce(sum(1 - by_writer), 0) as bigint)`.as("ofOthers"),
      sql<number>`cast(coalesce(sum(case when accessor_id = ${p.accessor} then 1 else 0 end), 0) as bigint)`.as("own"),
    ])
    .where("organization_id", "=", p.organization)
    .where("finished_at", "=", ""),
);

/** Jobs of an organization that have not ended. */
export interface Unfinished {
  all: number;
  /** Jobs of callers that could not write the organization at the time of their request. */
  ofOthers: number;
  /** Jobs of one token, with any rights. */
  own: number;
}

/** How many jobs of an organization have not ended. @param accessor whose own ones are counted */
export async function countUnfinished(db: Reader, organization: string, accessor: string): Promise<Unfinished> {
  return (await db.run(unfinished, { organization, accessor }))[0] ?? { all: 0, ofOthers: 0, own: 0 };
}

const finishedIds = defineQuery((db, p: { organization: string; offset: number; limit: number }) =>
  db
    .selectFrom("tag_jobs")
    .select("id")
    .where("organization_id", "=", p.organization)
    .where("finished_at", "<>", "")
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(p.limit)
    .offset(p.offset),
);

/** Ids of finished jobs of an organization behind its `most` newest ones. */
export async function findSuperfluous(db: Reader, organization: string, most: number): Promise<string[]> {
  return (await db.run(finishedIds, { organization, offset: most, limit: 25 })).map(({ id }) => id);
}

const runnable = defineQuery((db, p: { limit: number }) =>
  db
    .selectFrom("tag_jobs")
    .select(COLUMNS)
    .where("finished_at", "=", "")
    .where("status", "<>", "paused")
    // Through a living parent, as everywhere.
    .where(sql<boolean>`exists (select 1 from organizations o where o.id = tag_jobs.organization_id)`)
    // One for each organization: the first that came.
    .where(
      sql<boolean>`not exists (select 1 from tag_jobs earlier where earlier.organization_id = tag_jobs.organization_id
        and earlier.finished_at = '' and earlier.status <> 'paused'
        and (earlier.created_at, earlier.id) < (tag_jobs.created_at, tag_jobs.id))`,
    )
    .orderBy("created_at")
    .orderBy("id")
    .limit(p.limit),
);

/** The jobs on which work may go on now: of each organization the oldest. */
export async function listRunnable(db: Reader, limit: number): Promise<Job[]> {
  return (await db.run(runnable, { limit })).map(jobOf);
}

const insert = insertOf("tag_jobs");

export function insertJob(tx: Transaction, job: Job): void {
  tx.write(insert, rowOf(job));
}

const update = updateOf(
  "tag_jobs",
  "status",
  "place",
  "total",
  "done",
  "changed",
  "refused",
  "warned",
  "errors",
  "reason",
  "started_at",
  "updated_at",
  "finished_at",
);

/** Stores how far a job is. */
export function updateJob(tx: Transaction, job: Job): void {
  tx.write(update, rowOf(job));
}

const remove = defineQuery((db, p: { ids: readonly string[] }, engine) =>
  db.deleteFrom("tag_jobs").where(oneOf(engine, sql.ref("id"), p.ids)),
);

export function deleteJobs(tx: Transaction, ids: readonly string[]): void {
  if (ids.length > 0) tx.write(remove, { ids });
}

const old = defineQuery((db, p: { before: string; limit: number }) =>
  db
    .selectFrom("tag_jobs")
    .select("id")
    .where("finished_at", "<>", "")
    .where("finished_at", "<", p.before)
    .orderBy("finished_at")
    .limit(p.limit),
);

/** Ids of jobs that ended before a time. */
export async function findOldJobs(db: Reader, before: string, limit: number): Promise<string[]> {
  return (await db.run(old, { before, limit })).map(({ id }) => id);
}

const forgotten = defineQuery((db, p: { before: string; limit: number }) =>
  db
    .selectFrom("tag_jobs")
    .innerJoin("organizations", "organizations.id", "tag_jobs.organization_id")
    .select(["tag_jobs.id", "organization_id as organizationId"])
    .where("finished_at", "=", "")
    .where("status", "=", "paused")
    .where("tag_jobs.updated_at", "<", p.before)
    .orderBy("tag_jobs.created_at")
    .limit(p.limit),
);

/** Jobs that were paused before a time and have not gone on since. */
export function findForgotten(
  db: Reader,
  before: string,
  limit: number,
): Promise<Pick<Job, "id" | "organizationId">[]> {
  return db.run(forgotten, { before, limit });
}
