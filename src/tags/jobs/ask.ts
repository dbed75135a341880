/** Jobs on tags as requests ask for them: checked, shown beforehand, or begun. */
import type { Context } from "../../context.ts";
import { invalid } from "../../errors.ts";
import type { OwnedLane } from "../../limits/owned-lane.ts";
import { accessibleOrganization } from "../../organizations/access.ts";
import type { Organization } from "../../organizations/store.ts";
import { readInput, type TagInput } from "./input.ts";
import { findPoolTags } from "./on-pool/difference.ts";
import { checkNames } from "./on-pool/names.ts";
import { listPoolTags } from "./on-pool/store.ts";
import { preview, type JobPreview } from "./preview.ts";
import {
  checkConditions,
  MOST_TAGS,
  readWorkspaceRequest,
  type JobAttributes,
  type PoolRequest,
  type TagAction,
} from "./request.ts";
import { idsOf } from "../pool/store.ts";
import { createJob, endedJob, organizationForAsking, type OwnedJob } from "./service.ts";
import type { UndoInput } from "./undo/work.ts";

/**
 * Begins a job.
 *
 * @throws AppError `not_found`, also for what takes a right to the organization, and `invalid` with a pointer
 */
export async function askForJob(
  ctx: Context,
  organizationName: string,
  action: TagAction,
  attributes: JobAttributes,
): Promise<OwnedJob> {
  const { organization, input } = await prepare(ctx, organizationName, action, attributes);
  return createJob(ctx, organization, { action, input });
}

/**
 * Returns the effects that the job would have now.
 *
 * @param lane lane for such previews alone
 * @throws AppError as the job does, and `unavailable`
 */
export async function previewJob(
  ctx: Context,
  lane: OwnedLane,
  organizationName: string,
  action: TagAction,
  attributes: JobAttributes,
): Promise<JobPreview> {
  const { organization, input } = await prepare(ctx, organizationName, action, attributes);
  const { request } = readInput({ action, input });
  return lane.run(organization.id, () => preview(ctx, organization, request));
}

async function prepare(
  ctx: Context,
  organizationName: string,
  action: TagAction,
  attributes: JobAttributes,
): Promise<{ organization: Organization; input: TagInput }> {
  const input: TagInput = { attributes };
  checkConditions(attributes);
  // Checks the request alone, so a refusal reveals nothing about stored data.
  const { request } = readInput({ action, input });
  const organization = await organizationForAsking(ctx, organizationName);
  if (!("search" in request)) {
    accessibleOrganization(ctx, organization, "write");
    await refuseNames(ctx, organization, request);
  }
  const found = await findForRemoval(ctx, organization, action, attributes);
  return { organization, input: found === undefined ? input : { ...input, found } };
}

/** @throws AppError `invalid` with a pointer where the job could give no such name */
async function refuseNames({ db }: Context, { id }: Organization, request: PoolRequest): Promise<void> {
  if (request.action === "delete") return;
  const isMerge = request.action === "merge";
  const { tags } = isMerge ? await findPoolTags(db, id, request, { after: "" }, MOST_TAGS) : { tags: [] };
  await checkNames(db, id, request, idsOf(tags));
}

/** @returns undefined where the request names the tags */
async function findForRemoval(
  ctx: Context,
  organization: Organization,
  action: TagAction,
  attributes: JobAttributes,
): Promise<string[] | undefined> {
  if (action !== "remove" || attributes.filter?.tags === undefined) return undefined;
  const request = readWorkspaceRequest(action, attributes);
  if (request.action !== "remove" || !("part" in request.tags)) return undefined;
  // The pool is shown to who may read the organization.
  const { id } = accessibleOrganization(ctx, organization, "read");
  const found = await listPoolTags(ctx.db.long, id, request.tags, "", MOST_TAGS + 1);
  if (found.length <= MOST_TAGS) return found.map(({ name }) => name);
  throw invalid(
    `filter.tags matches more than ${MOST_TAGS} tags. Use a narrower filter, or the action delete`,
    "/data/attributes/filter/tags",
  );
}

/**
 * Begins a job that takes back what another one has changed.
 *
 * @throws AppError `not_found`, `conflict` while that one has not ended
 */
export async function undoJob(ctx: Context, id: string): Promise<OwnedJob> {
  const job = await endedJob(ctx, id);
  const input: UndoInput = { job: job.id };
  return createJob(ctx, { id: job.organizationId }, { action: "undo", input });
}
