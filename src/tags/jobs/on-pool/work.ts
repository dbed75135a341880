/** Goes through the tags of the pool that a job deletes, or merges into one; or renames one. */
import type { Context } from "../../../context.ts";
import { checkOrganization } from "../../../organizations/access.ts";
import type { Transaction } from "../../../storage/database.ts";
import { RULED } from "../../rules/enforce.ts";
import { writeHeld } from "../../holders/plan.ts";
import { PROJECTS } from "../../holders/projects.ts";
import { WORKSPACES } from "../../holders/workspaces.ts";
import { putIntoPool, renameInPool, takeFromPool } from "../../pool/pool.ts";
import { settleUses, UseCounts, type BulkTag } from "../../pool/uses.ts";
import { readInput } from "../input.ts";
import { OWNED, type Job, type JobWork, type JobSlice, type SliceResult } from "../job.ts";
import { findPoolTags, planForPool, sumPool, type PoolJob, type PoolPlace, type PoolPlan } from "./difference.ts";
import { planRename } from "./names.ts";
import { workOf } from "./rules.ts";
import type { PoolRequest } from "../request.ts";
import { organizationOf } from "../on-holders/work.ts";

const BEGINNING: PoolPlace = { after: "" };

/** Jobs that delete and merge. */
export function poolWork(): JobWork {
  return {
    async count(ctx, job) {
      await organizationOf(ctx, job.organizationId);
      const { tags, workspaces, projects } = await sumPool(ctx.db, job.organizationId, requestOf(job));
      return tags + workspaces + projects;
    },
    async next(ctx, job, limit): Promise<JobSlice> {
      const { organizationId } = job;
      const request = requestOf(job);
      const place = job.place === "" ? BEGINNING : (JSON.parse(job.place) as PoolPlace);
      const { tags, isLast } = await findPoolTags(ctx.db, organizationId, request, place, limit);
      const behind = isLast ? undefined : { after: tags.at(-1)?.name ?? place.after };
      return async (tx, owned): Promise<SliceResult> => {
        await checkOrganization(ctx, tx, organizationId, "write");
        const plan = await planForPool(tx, organizationId, request, tags, { place, limit, owned });
        await write(ctx, tx, job, plan);
        const units = plan.uses + plan.leaving.length;
        const next = plan.next ?? behind;
        const kept = { [RULED]: workOf(plan.refused), [OWNED]: workOf(plan.owned) };
        return {
          place: next && JSON.stringify(next),
          done: units + kept[RULED] + kept[OWNED],
          changed: units,
          refused: kept,
          warned: plan.warned,
        };
      };
    },
  };
}

/** Jobs that rename one tag. */
export function renameWork(): JobWork {
  return {
    count: () => Promise.resolve(1),
    next: (ctx, job): Promise<JobSlice> => {
      const { request } = readInput(job);
      if (!("action" in request) || request.action !== "rename") throw wrongKind(job);
      return Promise.resolve(async (tx, owned) => {
        await checkOrganization(ctx, tx, job.organizationId, "write");
        const { tag, to, refused, warned } = await planRename(tx, job.organizationId, request, owned);
        if (tag !== undefined && to !== undefined) await renameInPool(ctx, tx, job.organizationId, tag, to, job.id);
        const counts = refused === undefined ? {} : { [refused]: 1 };
        return { place: undefined, done: 1, changed: to === undefined ? 0 : 1, refused: counts, warned };
      });
    },
  };
}

function requestOf(job: Job): PoolJob {
  const { request } = readInput(job);
  if (!isPoolJob(request)) throw wrongKind(job);
  return request;
}

function isPoolJob(request: { action: string }): request is PoolJob {
  const { action } = request as PoolRequest;
  return action === "merge" || action === "delete";
}

function wrongKind({ action }: Job): TypeError {
  return new TypeError(`a job of another kind: ${action}`);
}

async function write(ctx: Context, tx: Transaction, job: Job, plan: PoolPlan): Promise<void> {
  const { organizationId, id } = job;
  const counts = new UseCounts();
  const target = plan.target && (await inPool(ctx, tx, job, plan.target));
  await writeHeld(ctx, tx, WORKSPACES, plan.workspaces, counts, id);
  await writeHeld(ctx, tx, PROJECTS, plan.projects, counts, id);
  const staying = [plan.left, target].flatMap((tag) => tag ?? []);
  settleUses(tx, organizationId, staying, counts, new Date(ctx.now()).toISOString());
  await takeFromPool(ctx, tx, organizationId, plan.leaving, id, plan.target?.name);
}

/** A target that is to stay without uses is there before its uses are. */
async function inPool(ctx: Context, tx: Transaction, job: Job, target: BulkTag): Promise<BulkTag> {
  if (target.isNew !== true || target.pinned === 0) return target;
  await putIntoPool(ctx, tx, job.organizationId, [{ id: target.id, name: target.name }], job.id);
  return { ...target, isNew: false };
}
