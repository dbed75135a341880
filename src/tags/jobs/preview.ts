/**
 * Preview of a job, computed by the code of the job and written nowhere: the numbers of changes and refusals, and the
 * first changes. A preview takes no longer than a request may, and states whether it is complete.
 */
import { authorize } from "../../rights/authorize.ts";
import { NOTHING_OWNED, ownedAmong, ownersOf, type OwnedAmong } from "../../acl/declarations/owners.ts";
import { DEFAULT_SCOPE } from "../../rights/scope.ts";
import type { Context } from "../../context.ts";
import { organizationNameOf, type Organization } from "../../organizations/store.ts";
import { accessibleOrganization } from "../../organizations/access.ts";
import { RULED } from "../rules/enforce.ts";
import type { ChangeKind, RecordedChange } from "../changes/record.ts";
import type { HeldChange } from "../holders/holder.ts";
import { tagsChanged } from "../holders/records.ts";
import { findPoolTags, planForPool, sumPool, type PoolJob, type PoolPlan } from "./on-pool/difference.ts";
import type { ChangePlan, NamedRequest } from "./on-holders/difference.ts";
import { addCounts, OWNED, type CountsByReason } from "./job.ts";
import { planRename } from "./on-pool/names.ts";
import { judgeWholeDeletion, workOf } from "./on-pool/rules.ts";
import type { PoolRequest } from "./request.ts";
import { warnedOf } from "./warned.ts";
import { BEGINNING, countTargets, planFound, TargetWalk } from "./on-holders/work.ts";

/** One change, as its record would say it. */
export type PreviewedChange = Pick<RecordedChange, "kind" | "objectId" | "name" | "action" | "details">;

export interface JobPreview {
  /** Objects that the job would look at. */
  counts: { workspaces: number; projects: number; tags: number };
  total: number;
  changed: number;
  refused: CountsByReason;
  /** Warnings for objects that it would change. */
  warned: CountsByReason;
  /** The first ones. */
  changes: PreviewedChange[];
  /** Whether all was worked out. */
  isWhole: boolean;
}

const MOST_CHANGES = 100;
/** Objects that are computed at a time, and the longest time in total. */
const SLICE = 200;
const LONGEST_MS = 10_000;

/**
 * Works it out.
 *
 * @throws AppError `not_found` when the caller may not do such a thing at all
 */
export async function preview(
  ctx: Context,
  organization: Organization,
  request: NamedRequest | PoolRequest,
): Promise<JobPreview> {
  if (!("search" in request)) accessibleOrganization(ctx, organization, "write");
  const find = ctx.leavesOwned === true ? await nearOwners(ctx) : undefined;
  const owned = find === undefined ? NOTHING_OWNED : ownedAmong(find);
  if ("search" in request) return onWorkspaces(ctx, organization, request, owned);
  return request.action === "rename"
    ? ofRename(ctx, organization, request, owned)
    : inPool(ctx, organization, request, owned);
}

const nearOwners = ({ db }: Context) => ownersOf(db).near(DEFAULT_SCOPE.partition, organizationNameOf);

async function onWorkspaces(
  ctx: Context,
  organization: Organization,
  request: NamedRequest,
  owned: OwnedAmong,
): Promise<JobPreview> {
  const { workspaces, projects } = await countTargets(ctx, organization, request);
  const result: JobPreview = {
    counts: { workspaces, projects, tags: request.tags.length },
    total: workspaces + projects,
    changed: 0,
    refused: {},
    warned: {},
    changes: [],
    isWhole: false,
  };
  const walk = new TargetWalk();
  const ends = performance.now() + LONGEST_MS;
  for (let place: typeof BEGINNING | undefined = BEGINNING; performance.now() < ends;) {
    const found = await walk.next(ctx, organization, request, place, SLICE);
    const plan = await planFound(ctx, ctx.db.long, organization, request, found, owned);
    result.changed += plan.workspaces.length + plan.projects.length;
    result.refused = addCounts(result.refused, plan.refused);
    result.warned = addCounts(result.warned, plan.warned);
    result.changes.push(...changesOf(plan).slice(0, MOST_CHANGES - result.changes.length));
    place = found.next;
    if (place === undefined) return { ...result, isWhole: true };
  }
  return result;
}

function changesOf({
  workspaces,
  projects,
}: Pick<ChangePlan | PoolPlan, "workspaces" | "projects">): PreviewedChange[] {
  const changeOf =
    (kind: ChangeKind) =>
    ({ holder: { id, name }, diff }: HeldChange): PreviewedChange => ({
      kind,
      objectId: id,
      name,
      action: "tags-changed",
      details: tagsChanged(diff),
    });
  return [...workspaces.map(changeOf("workspace")), ...projects.map(changeOf("project"))];
}

/** All of it is counted with the tags; only the first changes are looked for. */
async function inPool(
  ctx: Context,
  organization: Organization,
  request: PoolJob,
  owned: OwnedAmong,
): Promise<JobPreview> {
  const { id } = organization;
  const counts = await sumPool(ctx.db, id, request);
  const total = counts.tags + counts.workspaces + counts.projects;
  const place = { after: "" };
  const { tags } = await findPoolTags(ctx.db, id, request, place, MOST_CHANGES);
  const plan = await planForPool(ctx.db.long, id, request, tags, { place, limit: MOST_CHANGES, owned });
  const action: RecordedChange["action"] = request.action === "merge" ? "merged" : "deleted";
  const into = plan.target === undefined ? {} : { into: plan.target.name };
  const changes: PreviewedChange[] = [
    ...bornIn(plan),
    ...changesOf(plan).filter((change) => maySee(ctx, organization, change)),
    ...plan.leaving.map((tag) => ({
      kind: "tag" as const,
      objectId: tag.id,
      name: tag.name,
      action,
      details: { name: tag.name, pinned: tag.pinned === 1, ...into },
    })),
  ];
  const { changed, refused, warned } =
    request.action === "merge"
      ? { changed: total, refused: {}, warned: plan.warned }
      : await ofDeletion(ctx, id, request, total);
  const left = workOf(plan.owned);
  return {
    counts,
    total,
    changed: changed - left,
    refused: addCounts(refused, { [OWNED]: left }),
    warned,
    changes: changes.slice(0, MOST_CHANGES),
    isWhole: true,
  };
}

/** Rules name the few tags that they may keep, so that all of them are looked at. */
async function ofDeletion(
  { db }: Context,
  organization: string,
  request: Extract<PoolRequest, { action: "delete" }>,
  total: number,
): Promise<Pick<JobPreview, "changed" | "refused" | "warned">> {
  const { allowed, refused, verdict } = await judgeWholeDeletion(db, organization, request);
  const kept = workOf(refused);
  const names = allowed.map(({ name }) => name);
  return { changed: total - kept, refused: addCounts({}, { [RULED]: kept }), warned: warnedOf(verdict, names) };
}

/** A tag that is to stay without uses comes before its uses, with a record of its own. */
function bornIn({ target }: PoolPlan): PreviewedChange[] {
  if (target?.isNew !== true || target.pinned === 0) return [];
  const { id: objectId, name } = target;
  return [{ kind: "tag", objectId, name, action: "created", details: { name, pinned: true } }];
}

/**
 * Checks whether the caller may see this change. A caller that may change the pool changes all workspaces with its
 * tags, but may not see all of them.
 */
function maySee({ actor }: Context, organization: Organization, { kind, name }: PreviewedChange): boolean {
  return kind !== "workspace" || authorize(actor, "workspace", `${organization.name}/${name}`, "read");
}

async function ofRename(
  ctx: Context,
  { id }: Organization,
  request: Extract<PoolRequest, { action: "rename" }>,
  owned: OwnedAmong,
): Promise<JobPreview> {
  const { tag, to, refused, warned } = await planRename(ctx.db, id, request, owned);
  const none: JobPreview = {
    counts: { workspaces: tag?.instanceCount ?? 0, projects: tag?.projectCount ?? 0, tags: tag === undefined ? 0 : 1 },
    total: 1,
    changed: 0,
    refused: refused === undefined ? {} : { [refused]: 1 },
    warned,
    changes: [],
    isWhole: true,
  };
  if (tag === undefined || to === undefined) return none;
  const details = { from: tag.name, to };
  const change = { kind: "tag", objectId: tag.id, name: tag.name, action: "renamed", details } as const;
  return { ...none, changed: 1, changes: [change] };
}
