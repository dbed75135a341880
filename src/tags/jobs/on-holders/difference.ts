/**
 * Jobs that put tags on workspaces, take them off or change values: what of some workspaces changes. The same is worked out for
 * a preview and in each slice.
 */
import { authorize } from "../../../rights/authorize.ts";
import type { OwnedAmong } from "../../../acl/declarations/owners.ts";
import { fold } from "../../../fold.ts";
import type { Context } from "../../../context.ts";
import type { Organization } from "../../../organizations/store.ts";
import type { Reader } from "../../../storage/database.ts";
import type { BulkProject } from "../../holders/bindings/bulk-store.ts";
import { refusedBy, RULED } from "../../rules/enforce.ts";
import { NOT_HELD, type Carrier, type HeldChange } from "../../holders/holder.ts";
import { bound, hasMark, withoutMark } from "../../holders/links.ts";
import { planHeld, type Decide } from "../../holders/plan.ts";
import { PROJECTS } from "../../holders/projects.ts";
import { WORKSPACES } from "../../holders/workspaces.ts";
import { asTag, BINDING, TAG, type TagMark } from "../../pool/marks.ts";
import { findTagsByName } from "../../pool/store.ts";
import { newTag, type BulkTag } from "../../pool/uses.ts";
import { segment, type WorkspaceName } from "../../../workspaces/service.ts";
import { OWNED, writeOf, type CountsByReason } from "../job.ts";
import type { NamedValue, WorkspaceRequest } from "../request.ts";
import { warnedOf } from "../warned.ts";

/** A request whose tags are all named. */
export type NamedRequest = Exclude<WorkspaceRequest, { action: "remove" }> | Removal;
type Removal = Extract<WorkspaceRequest, { action: "remove" }> & { tags: readonly NamedValue[] };

export interface ChangePlan {
  /** The tags of the request, those that would be born among them. */
  tags: BulkTag[];
  workspaces: HeldChange<Carrier>[];
  projects: HeldChange[];
  refused: CountsByReason;
  /** Warnings for workspaces and projects that change. */
  warned: CountsByReason;
}

/** Plans the changes of these workspaces. Workspaces that the caller may not read are ignored. */
export async function planForWorkspaces(
  ctx: Context,
  db: Reader,
  { id: organizationId, tagCount: poolSize }: Pick<Organization, "id" | "tagCount">,
  request: NamedRequest,
  workspaces: readonly WorkspaceName[],
  owned: OwnedAmong,
): Promise<ChangePlan> {
  const own = workspaces.filter((each) => each.organizationId === organizationId);
  const seen = own.filter((each) => authorize(ctx.actor, "workspace", segment(each), "read"));
  const allowed = seen.filter((each) => authorize(ctx.actor, "workspace", segment(each), "write"));
  const pool = await findPool(db, organizationId, request);
  const tags = [...pool.values()];
  const decide = decideBy(request, pool, new Date(ctx.now()).toISOString());
  const { changes: wanted, full, verdict } = await planHeld(db, WORKSPACES, allowed, tags, decide, { poolSize });
  const left = await owned(db, wanted, ({ holder }) => writeOf("workspace", holder, organizationId));
  const changes = wanted.filter((change) => !left.has(change));
  const refused = {
    "not-allowed": seen.length - allowed.length,
    full: full.size,
    [RULED]: refusedBy(verdict).size,
    [OWNED]: left.size,
  };
  const warned = warnedOf(
    verdict,
    changes.map(({ holder }) => holder.id),
  );
  return { tags, workspaces: changes, projects: [], refused, warned };
}

/** Plans the changes of projects. Only values of projects are changed. */
export async function planForProjects(
  ctx: Context,
  db: Reader,
  organization: { id: string; name: string },
  request: Extract<NamedRequest, { action: "set-value" }>,
  projects: readonly BulkProject[],
  owned: OwnedAmong,
): Promise<ChangePlan> {
  const none = { tags: [], workspaces: [], projects: [], warned: {} };
  if (!authorize(ctx.actor, "organization", organization.name, "read")) return { ...none, refused: {} };
  if (!authorize(ctx.actor, "organization", organization.name, "write")) {
    return { ...none, refused: { "not-allowed": projects.length } };
  }
  const pool = await findPool(db, organization.id, request);
  const decide = decideBy(request, pool, new Date(ctx.now()).toISOString());
  const { changes: wanted, verdict } = await planHeld(db, PROJECTS, projects, [...pool.values()], decide);
  const left = await owned(db, wanted, ({ holder }) => writeOf("project", holder, organization.id));
  const changes = wanted.filter((change) => !left.has(change));
  const warned = warnedOf(
    verdict,
    changes.map(({ holder }) => holder.id),
  );
  return { ...none, projects: changes, refused: { [RULED]: refusedBy(verdict).size, [OWNED]: left.size }, warned };
}

/** The tags that the request names, by their names; those that it puts on though they are not there would be born. */
async function findPool(db: Reader, organization: string, request: NamedRequest): Promise<Map<string, BulkTag>> {
  const named = namesIn(request);
  const found = await findTagsByName(db, organization, [...new Set([...named, ...named.map(fold)])]);
  const pool = new Map<string, BulkTag>(found.map((tag) => [tag.name, tag]));
  if (request.action !== "add") return pool;
  for (const name of named) {
    if (pool.has(name)) continue;
    pool.set(name, newTag(name));
  }
  return pool;
}

function namesIn(request: NamedRequest): string[] {
  return request.action === "set-value" ? request.tags.map(({ key }) => key) : request.tags.map(({ name }) => name);
}

function decideBy(request: NamedRequest, pool: ReadonlyMap<string, BulkTag>, now: string): Decide {
  return (_holder, held) => {
    const after = new Map<string, readonly [BulkTag, typeof NOT_HELD]>();
    const current = (tag: BulkTag) => after.get(tag.id)?.[1] ?? held.get(tag.id) ?? NOT_HELD;
    const change = (name: string, to: (link: typeof NOT_HELD) => typeof NOT_HELD) => {
      const tag = pool.get(name);
      if (tag !== undefined) after.set(tag.id, [tag, to(current(tag))]);
    };
    if (request.action === "set-value") {
      for (const { key, value } of request.tags) {
        change(key, (link) => (hasMark(link, BINDING) ? { ...link, value } : link));
      }
    } else if (request.action === "add") {
      for (const { name, value } of request.tags) {
        change(name, (link) => (value === undefined ? { ...link, marks: asTag(link.marks) } : bound(link, value, now)));
      }
    } else for (const tag of request.tags) takeOff(tag, request.marks, change);
    return after.values();
  };
}

/** Flat tags are compared in lower case and keys as they are, so that one name may be that of two tags. */
function takeOff(
  { name, value }: NamedValue,
  marks: number,
  change: (name: string, to: (link: typeof NOT_HELD) => typeof NOT_HELD) => void,
): void {
  const off = (mark: TagMark) => (link: typeof NOT_HELD) => {
    const isMeant = hasMark(link, mark) && (value === undefined || link.value === value);
    return isMeant ? withoutMark(link, mark) : link;
  };
  if (hasMark({ marks }, TAG) && value === undefined) change(fold(name), off(TAG));
  if (hasMark({ marks }, BINDING)) change(name, off(BINDING));
}
