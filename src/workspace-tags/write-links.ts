/** Writes a difference of what a workspace carries, and counts it. */
import type { Context } from "../context.ts";
import type { Transaction } from "../storage/database.ts";
import { addUses, bearTags, dropUses, idsOf, ONE_WORKSPACE, type TagLink } from "../tags/store.ts";
import { deleteLinksOfWorkspace, insertLink, updateLink } from "./link-store.ts";
import { recordTags, type Carrier, type LinkDiff } from "./records.ts";

/** Positions per commit index. They are enough for all tags that one transaction may add to a workspace. */
export const POSITIONS_PER_INDEX = 1024;

/** @param diff links that change; new ones in their order */
export async function writeLinks(
  ctx: Context,
  tx: Transaction,
  workspace: Carrier,
  index: number,
  diff: readonly LinkDiff[],
): Promise<void> {
  if (diff.length === 0) return;
  const made = diff.filter(({ before }) => before.marks === 0);
  const lost = diff.filter(({ after }) => after.marks === 0);
  for (const [at, { id, after }] of made.entries()) {
    const place = { workspaceId: workspace.id, workspaceKey: workspace.nameKey, tagId: id };
    insertLink(tx, { ...place, position: index * POSITIONS_PER_INDEX + at, ...linkOf(after) });
  }
  for (const { id, before, after } of diff) {
    if (before.marks !== 0 && after.marks !== 0) updateLink(tx, workspace.id, id, after);
  }
  const born = made.filter(({ tag }) => tag === undefined);
  addUses(tx, idsOf(made.filter(({ tag }) => tag !== undefined)), ONE_WORKSPACE);
  const tags = born.map(({ id, name }) => ({ id, name }));
  bearTags(tx, workspace.organizationId, tags, new Date(ctx.now()).toISOString(), ONE_WORKSPACE);
  deleteLinksOfWorkspace(tx, workspace.id, idsOf(lost));
  const left = lost.flatMap(({ tag }) => tag ?? []);
  dropUses(tx, workspace.organizationId, left, ONE_WORKSPACE);
  await recordTags(tx, ctx, workspace, diff);
}

/** Returns the columns of the link alone: a `NamedTag` is a link too. */
function linkOf({ marks, value, bindingId, boundAt }: TagLink): TagLink {
  return { marks, value, bindingId, boundAt };
}
