/**
 * Jobs as who asks for them sees them: asked for, listed, paused, gone on with and given up. To ask takes the right to write the
 * organization or some workspace of it, and so does a list of one's own. Who may read the organization sees all of them, and who
 * asked for one sees that; to act on one takes the right to write the organization, or having asked for it.
 */
import { authorize, checkAllowed } from "../../rights/authorize.ts";
import type { Access } from "../../rights/rules/rule.ts";
import type { Context } from "../../context.ts";
import { AppError, invalid, notFound } from "../../errors.ts";
import { newId } from "../../ids.ts";
import { findOrganization, findOrganizationById, type Organization } from "../../organizations/store.ts";
import type { Transaction } from "../../storage/database.ts";
import { findListed } from "../../workspaces/list.ts";
import { ended } from "./engine.ts";
import { isFinished, isRunnable, type Job } from "./job.ts";
import { organizationToAsk, seesSome, shown, writesAll } from "./sight.ts";
import {
  countUnfinished,
  deleteJobs,
  findJob,
  findSuperfluous,
  insertJob,
  listJobs as listRows,
  updateJob,
  type Unfinished,
} from "./store.ts";

/**
 * Maximum unfinished jobs of an organization: in all, of one token, of all tokens that may not write the organization, and of
 * one of those. One caller can therefore not keep others from theirs.
 */
const MOST_UNFINISHED = { all: 20, ofEach: 15, ofOthers: 10, ofEachOther: 3 };
/** Jobs of an organization that are kept when they have ended; the oldest go before their time. */
const MOST_FINISHED = 1000;
/** Rows that a query may pass over before it is sent off the event loop. */
const NEAR = 1000;

/** A job with the name of its organization. */
export type OwnedJob = Job & { organizationName: string };

/**
 * The organization, for a caller that may see something of it.
 *
 * @throws AppError `not_found`
 */
export async function organizationForJobs(ctx: Context, name: string): Promise<Organization> {
  // Refuses whoever may see nothing of it, as the list does.
  await findListed(ctx, name);
  const organization = await findOrganization(ctx.db, name);
  if (organization === undefined) throw notFound("organization");
  return organization;
}

/**
 * Finds the organization for a caller that may request jobs.
 *
 * @throws AppError `not_found`
 */
export async function organizationForAsking(ctx: Context, name: string): Promise<Organization> {
  return organizationToAsk(ctx, await organizationForJobs(ctx, name));
}

/**
 * Asks for a job. It begins when those of its organization that were asked for before have ended.
 *
 * @param action a name of a kind; `input` is what it takes, plain data that has been checked
 * @param check asked inside the transaction, for what may change until then
 * @throws AppError `not_found`, `invalid` when the organization has too many that have not ended
 */
export async function createJob(
  ctx: Context,
  organization: Pick<Organization, "id">,
  { id = newId("tj"), action, input }: Pick<Job, "action" | "input"> & Partial<Pick<Job, "id">>,
  check?: (tx: Transaction) => Promise<void>,
): Promise<OwnedJob> {
  const at = new Date(ctx.now()).toISOString();
  const job: Job = {
    id,
    organizationId: organization.id,
    accessorId: ctx.actor.accessorId,
    requestId: ctx.requestId,
    action,
    input: ctx.leavesOwned === true ? { ...(input as object), leavesOwned: true } : input,
    status: "queued",
    byWriter: 0,
    place: "",
    total: -1,
    done: 0,
    changed: 0,
    refused: {},
    warned: {},
    errors: [],
    reason: "",
    createdAt: at,
    startedAt: "",
    updatedAt: at,
    finishedAt: "",
  };
  return ctx.db.inTransaction({ kind: "organization", id: organization.id }, async (tx) => {
    const [found, unfinished, superfluous] = await Promise.all([
      findOrganizationById(tx, organization.id),
      countUnfinished(tx, organization.id, job.accessorId),
      findSuperfluous(tx, organization.id, MOST_FINISHED),
      check?.(tx),
    ]);
    const { name: organizationName } = organizationToAsk(ctx, found);
    const isWriter = writesAll(ctx, organizationName);
    checkRoom(unfinished, isWriter);
    deleteJobs(tx, superfluous);
    const made = { ...job, byWriter: Number(isWriter) };
    insertJob(tx, made);
    recordJob(tx, made, "create");
    return { ...made, organizationName };
  });
}

/** @throws AppError `invalid` */
function checkRoom({ all, ofOthers, own }: Unfinished, isWriter: boolean): void {
  const { all: most, ofEach, ofOthers: mostOfOthers, ofEachOther } = MOST_UNFINISHED;
  const advice = "Wait for a job to end, or cancel one";
  if (all >= most) throw invalid(`An organization can have at most ${most} unfinished jobs. ${advice}`);
  if (own >= ofEach) throw invalid(`A token can have at most ${ofEach} unfinished jobs in an organization. ${advice}`);
  if (isWriter) return;
  const who = "Callers without write permission on the organization";
  if (own >= ofEachOther) throw invalid(`${who} can have at most ${ofEachOther} unfinished jobs. ${advice}`);
  if (ofOthers >= mostOfOthers)
    throw invalid(`${who} can have at most ${mostOfOthers} unfinished jobs in total. ${advice}`);
}

/**
 * A page of an organization's jobs, the newest first.
 *
 * @throws AppError `not_found`
 */
export async function listJobs(
  ctx: Context,
  organizationName: string,
  page: { offset: number; size: number },
): Promise<{ jobs: OwnedJob[]; total: number }> {
  const organization = await organizationForJobs(ctx, organizationName);
  const { id, name } = organization;
  const isReader = authorize(ctx.actor, "organization", name, "read");
  // A reader of workspaces in it alone has none of its own.
  if (!isReader) organizationToAsk(ctx, organization);
  const db = page.offset > NEAR ? ctx.db.long : ctx.db;
  const { jobs, total } = await listRows(db, id, isReader ? undefined : ctx.actor.accessorId, page);
  return { jobs: jobs.map((job) => shown(ctx, { ...job, organizationName: name })), total };
}

/**
 * Reads one job.
 *
 * @throws AppError `not_found`
 */
export async function readJob(ctx: Context, id: string): Promise<OwnedJob> {
  return shown(ctx, accessible(ctx, await findJob(ctx.db, id), "read"));
}

function accessible(ctx: Context, job: OwnedJob | undefined, access: Access): OwnedJob {
  if (job === undefined) throw notFound("job");
  const isOwn = job.accessorId === ctx.actor.accessorId && seesSome(ctx, job.organizationName);
  if (!isOwn) checkAllowed(ctx, "job", "organization", job.organizationName, access);
  return job;
}

/** Actions on a job as a whole. */
export type JobAct = "pause" | "resume" | "cancel";

/**
 * Pauses a job, goes on with it or gives it up. Its changes stay.
 *
 * @throws AppError `not_found`, `conflict` when it is not in a state for that
 */
export async function actOnJob(ctx: Context, id: string, act: JobAct): Promise<OwnedJob> {
  const { organizationId } = accessible(ctx, await findJob(ctx.db, id), "write");
  const now = ctx.now();
  return ctx.db.inTransaction({ kind: "organization", id: organizationId }, async (tx) => {
    const job = accessible(ctx, await findJob(tx, id), "write");
    const after = { ...acted(job, act, now), organizationName: job.organizationName };
    updateJob(tx, after);
    recordJob(tx, after, act);
    return shown(ctx, after);
  });
}

/** Records an action on a job. The changes that the job makes have records of their own, with the job's ID. */
function recordJob(tx: Transaction, { id: objectId, organizationId, action: name, input }: Job, action: string): void {
  const detail = action === "create" ? { details: input } : {};
  tx.record({ organizationId, kind: "job", objectId, name, action, detail });
}

function acted(job: Job, act: JobAct, now: number): Job {
  const updatedAt = new Date(now).toISOString();
  if (act === "pause" && isRunnable(job)) return { ...job, status: "paused", updatedAt };
  if (act === "resume" && job.status === "paused") return { ...job, status: "queued", updatedAt };
  if (act === "cancel" && !isFinished(job)) return ended(job, "cancelled", now);
  throw new AppError("conflict", `Cannot ${act} the job: its status is ${job.status}`);
}

/** A job that has ended, so that it can be taken back by another. @throws AppError `not_found`, `conflict` */
export async function endedJob(ctx: Context, id: string): Promise<OwnedJob> {
  const job = accessible(ctx, await findJob(ctx.db, id), "read");
  if (!isFinished(job))
    throw new AppError("conflict", `Cannot undo the job: its status is ${job.status}. Cancel it first`);
  return job;
}
