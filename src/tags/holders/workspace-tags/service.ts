/**
 * Relation of workspaces and tags, from both sides. A workspace's own list needs rights to that workspace; adding a tag
 * to many workspaces needs the tag to be visible and workspace:write on every one of them.
 */
import { checkAllowed } from "../../../rights/authorize.ts";
import type { Context } from "../../../context.ts";
import { notFound } from "../../../errors.ts";
import { listTagsOfWorkspace, readerForTagsOf } from "./store.ts";
import { warningsOf, type TagWarning } from "../../rules/enforce.ts";
import { changeHeld, checkRoom, MAX_FLAT_TAGS } from "../change.ts";
import { NOT_HELD } from "../holder.ts";
import { withoutMark } from "../links.ts";
import { planHeld, writeHeld } from "../plan.ts";
import { checkReferences, type TagReference } from "../references.ts";
import type { LinkRequest } from "../request.ts";
import { checkFlat } from "../wanted.ts";
import { WORKSPACES } from "../workspaces.ts";
import { asTag, TAG } from "../../pool/marks.ts";
import { soughtPart } from "../../pool/names.ts";
import { readTag } from "../../pool/service.ts";
import type { TagLink, OwnedTag, Tag } from "../../pool/store.ts";
import { settleUses, UseCounts } from "../../pool/uses.ts";
import { listCarriers, type WorkspaceList } from "../../../workspaces/list.ts";
import { changeWorkspace, findWorkspacesOf, getWorkspace, segment } from "../../../workspaces/service.ts";

/**
 * A page of the tags of a workspace in the order of adding.
 *
 * @throws AppError `not_found` when the workspace is missing or may not be read
 */
export async function listWorkspaceTags(
  ctx: Context,
  workspaceId: string,
  part: string,
  page: { offset: number; size: number },
): Promise<{ organizationName: string; tags: Tag[]; total: number }> {
  const workspace = await getWorkspace(ctx, { id: workspaceId }, "read");
  const sought = soughtPart(part);
  const { organizationName } = workspace;
  if (sought === undefined) return { organizationName, tags: [], total: 0 };
  const db = await readerForTagsOf(ctx.db, workspaceId);
  return { organizationName, ...(await listTagsOfWorkspace(db, workspaceId, sought, page.size, page.offset)) };
}

/**
 * Puts tags on a workspace; a name that the pool lacks is added to it.
 *
 * @returns rules that the workspace breaks by it, where they only advise
 * @throws AppError `not_found` (the workspace, or an unknown id), `invalid`
 */
export function addWorkspaceTags(
  ctx: Context,
  workspaceId: string,
  references: readonly TagReference[],
): Promise<TagWarning[]> {
  return changeTags(ctx, workspaceId, { references: checkReferences(references, "/data"), mode: "add" });
}

/**
 * Takes tags off a workspace. Unknown names are passed over.
 *
 * @returns rules that the workspace breaks by it, where they only advise
 * @throws AppError `not_found` (the workspace, or an unknown id), `invalid` where rules refuse
 */
export function removeWorkspaceTags(
  ctx: Context,
  workspaceId: string,
  references: readonly TagReference[],
): Promise<TagWarning[]> {
  return changeTags(ctx, workspaceId, { references, mode: "remove" });
}

async function changeTags(ctx: Context, id: string, tags: NonNullable<LinkRequest["tags"]>): Promise<TagWarning[]> {
  const { warnings } = await changeWorkspace(ctx, { id }, (tx, workspace) =>
    changeHeld(ctx, tx, WORKSPACES, workspace, { tags }),
  );
  return warnings;
}

/**
 * A page of the workspaces that carry a tag, of those that the caller may see.
 *
 * @throws AppError `not_found` when the tag is missing or may not be seen
 */
export async function listTagWorkspaces(
  ctx: Context,
  tagId: string,
  page: { offset: number; size: number },
): Promise<WorkspaceList> {
  const tag = await readTag(ctx, tagId);
  const { organizationId, organizationName, organizationExecutionMode } = tag;
  return listCarriers(ctx, { organizationId, organizationName, organizationExecutionMode }, tag, page);
}

/**
 * Adds workspaces to a tag; those that carry it stay as they are. All or nothing.
 *
 * @returns rules that the workspaces break by it, where they only advise
 * @throws AppError `not_found` when the tag or one of the workspaces is missing, may not be changed or is of another
 * organization; `invalid` when one of them would carry too many, or where rules refuse
 */
export function addTagWorkspaces(ctx: Context, tagId: string, workspaceIds: readonly string[]): Promise<TagWarning[]> {
  return changeCarriers(ctx, tagId, workspaceIds, (tag, held) => {
    checkFlat(tag.name);
    return { ...held, marks: asTag(held.marks) };
  });
}

/**
 * Takes a tag off workspaces; the same rights and refusals as for adding. A workspace that has it as a key keeps the
 * key.
 */
export function removeTagWorkspaces(
  ctx: Context,
  tagId: string,
  workspaceIds: readonly string[],
): Promise<TagWarning[]> {
  return changeCarriers(ctx, tagId, workspaceIds, (_tag, held) => withoutMark(held, TAG));
}

async function changeCarriers(
  ctx: Context,
  tagId: string,
  workspaceIds: readonly string[],
  change: (tag: OwnedTag, held: TagLink) => TagLink,
): Promise<TagWarning[]> {
  const before = await readTag(ctx, tagId);
  const ids = [...new Set(workspaceIds)];
  return ctx.db.inTransaction({ kind: "organization", id: before.organizationId }, async (tx) => {
    const [tag, workspaces] = await Promise.all([
      readTag(ctx, tagId, tx),
      findWorkspacesOf(tx, before.organizationId, ids),
    ]);
    for (const each of workspaces) checkAllowed(ctx, "tag or workspace", "workspace", segment(each), "write");
    if (workspaces.length < ids.length) throw notFound("tag or workspace");
    const { changes, full, verdict } = await planHeld(
      tx,
      WORKSPACES,
      workspaces,
      [tag],
      (_workspace, held) => [[tag, change(tag, held.get(tag.id) ?? NOT_HELD)]],
      { poolSize: tag.poolSize },
    );
    if (full.size > 0) checkRoom(MAX_FLAT_TAGS + 1);
    const warnings = warningsOf(verdict);
    const counts = new UseCounts();
    await writeHeld(ctx, tx, WORKSPACES, changes, counts);
    settleUses(tx, tag.organizationId, [tag], counts, new Date(ctx.now()).toISOString());
    return warnings;
  });
}
