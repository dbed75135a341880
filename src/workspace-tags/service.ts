/**
 * Which workspace carries which tag, from both sides. A workspace's own list needs rights to that workspace; adding a
 * tag to many workspaces needs the tag to be visible and workspace:write on every one of them.
 */
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import type { Transaction } from "../storage/database.ts";
import { putOnWorkspaces, takeOffWorkspaces } from "./carriers.ts";
import { changeLinks, checkFlat, checkRoom, MAX_TAGS_OF_WORKSPACE } from "./links.ts";
import { checkReferences, type TagReference } from "./references.ts";
import { listTagsOfWorkspace, readerForTagsOf } from "./store.ts";
import { TAG } from "../tags/marks.ts";
import { soughtPart } from "../tags/names.ts";
import { readTag } from "../tags/service.ts";
import type { OwnedTag, Tag } from "../tags/store.ts";
import { listCarriers, type WorkspaceList } from "../workspaces/list.ts";
import { changeWorkspace, findWritableWorkspaces, getWorkspace, type WorkspaceName } from "../workspaces/service.ts";

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
 * @throws AppError `not_found` (the workspace, or an unknown id), `invalid`
 */
export async function addWorkspaceTags(
  ctx: Context,
  workspaceId: string,
  references: readonly TagReference[],
): Promise<void> {
  const tags = { references: checkReferences(references, "/data"), mode: "add" } as const;
  await changeWorkspace(ctx, { id: workspaceId }, (tx, workspace) => changeLinks(ctx, tx, workspace, { tags }));
}

/**
 * Takes tags off a workspace. Unknown names are passed over.
 *
 * @throws AppError `not_found` (the workspace, or an unknown id)
 */
export async function removeWorkspaceTags(
  ctx: Context,
  workspaceId: string,
  references: readonly TagReference[],
): Promise<void> {
  const tags = { references, mode: "remove" } as const;
  await changeWorkspace(ctx, { id: workspaceId }, (tx, workspace) => changeLinks(ctx, tx, workspace, { tags }));
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
 * @throws AppError `not_found` when the tag or one of the workspaces is missing, may not be changed or is of another
 * organization; `invalid` when one of them would carry too many
 */
export function addTagWorkspaces(ctx: Context, tagId: string, workspaceIds: readonly string[]): Promise<void> {
  return changeCarriers(ctx, tagId, workspaceIds, async (tx, tag, workspaces) => {
    checkFlat(tag.name);
    const { full } = await putOnWorkspaces(ctx, tx, tag, workspaces, "tag");
    if (full.size > 0) checkRoom(MAX_TAGS_OF_WORKSPACE + 1);
  });
}

/** Takes a tag off workspaces; the same rights and refusals as for adding. What has it as a key keeps that. */
export function removeTagWorkspaces(ctx: Context, tagId: string, workspaceIds: readonly string[]): Promise<void> {
  return changeCarriers(ctx, tagId, workspaceIds, async (tx, tag, workspaces) => {
    await takeOffWorkspaces(ctx, tx, tag, tag.organizationId, workspaces, TAG);
  });
}

async function changeCarriers(
  ctx: Context,
  tagId: string,
  workspaceIds: readonly string[],
  change: (tx: Transaction, tag: OwnedTag, workspaces: WorkspaceName[]) => Promise<void>,
): Promise<void> {
  const before = await readTag(ctx, tagId);
  const ids = [...new Set(workspaceIds)];
  await ctx.db.inTransaction({ kind: "organization", id: before.organizationId }, async (tx) => {
    const [tag, workspaces] = await Promise.all([
      readTag(ctx, tagId, tx),
      findWritableWorkspaces(ctx, tx, before.organizationId, ids),
    ]);
    if (workspaces.length < ids.length) throw notFound("tag or workspace");
    await change(tx, tag, workspaces);
  });
}
