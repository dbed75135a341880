/** Moving workspaces into a project, which needs the project to be visible and a right to each of the workspaces. */
import { authorize, checkAllowed, questionOf } from "../rights/authorize.ts";
import { objectChange } from "../records/changes.ts";
import { noteChange } from "../tags/changes/record.ts";
import type { Context } from "../context.ts";
import { AppError, notFound } from "../errors.ts";
import type { TagWarning } from "../tags/rules/enforce.ts";
import { judgeMoves } from "../tags/holders/plan.ts";
import { WORKSPACES } from "../tags/holders/workspaces.ts";
import { findWorkspaces, moveWorkspaces as moveRows, type WorkspaceName } from "./store.ts";
import { accessible } from "../projects/service.ts";
import { addToWorkspaceCount, findProject } from "../projects/store.ts";

/**
 * Moves workspaces of the project's organization into the project, all or none. Workspaces that are there already stay
 * as they are.
 *
 * @returns rules for tags that they come to break there, where those only advise
 * @throws AppError `not_found` when the project may not be seen, or one of the workspaces is missing, of another
 * organization or may not be seen; `forbidden` with the ids of those that may be seen and not written; `invalid` where
 * rules for tags refuse
 */
export async function moveWorkspaces(ctx: Context, id: string, workspaceIds: readonly string[]): Promise<TagWarning[]> {
  const { organizationId } = accessible(ctx, await findProject(ctx.db, id), "read");
  const wanted = [...new Set(workspaceIds)];
  const now = new Date(ctx.now()).toISOString();
  return ctx.db.inTransaction({ kind: "organization", id: organizationId }, async (tx) => {
    const [found, workspaces] = await Promise.all([findProject(tx, id), findWorkspaces(tx, wanted)]);
    accessible(ctx, found, "read");
    const moving = workspaces.filter((workspace) => workspace.organizationId === organizationId);
    checkRights(ctx, moving, wanted.length);
    const arriving = moving.filter((workspace) => workspace.projectId !== id);
    if (arriving.length === 0) return [];
    const moves = arriving.map((workspace) => ({
      holder: { ...workspace, projectId: id },
      from: workspace.projectId,
    }));
    const warnings = await judgeMoves(tx, WORKSPACES, moves);
    moveRows(
      tx,
      arriving.map((workspace) => workspace.id),
      id,
      now,
    );
    for (const { id: objectId, name, projectId } of arriving) {
      const workspace = { organizationId, kind: "workspace", objectId, name } as const;
      tx.record(objectChange(workspace, { "project-id": projectId }, { "project-id": id }, { action: "move" }));
      await noteChange(tx, ctx, { ...workspace, action: "updated", details: { changed: ["project-id"] } });
    }
    addToWorkspaceCount(tx, id, arriving.length);
    for (const [source, leaving] of Map.groupBy(arriving, ({ projectId }) => projectId)) {
      addToWorkspaceCount(tx, source, -leaving.length);
    }
    return warnings;
  });
}

/**
 * Checks the rights to move workspaces. Workspaces that the caller may not read are reported before those that it may
 * not write, so no list of ids reveals which of them are missing.
 */
function checkRights(ctx: Context, workspaces: readonly WorkspaceName[], wanted: number): void {
  const segment = ({ organizationName, name }: WorkspaceName) => `${organizationName}/${name}`;
  for (const workspace of workspaces) checkAllowed(ctx, "workspace", "workspace", segment(workspace), "read");
  if (workspaces.length < wanted) throw notFound("workspace");
  const fixed = workspaces.filter((workspace) => !authorize(ctx.actor, "workspace", segment(workspace), "write"));
  const [first] = fixed;
  if (first === undefined) return;
  const ids = fixed.map((workspace) => workspace.id).toSorted();
  const refused = questionOf("workspace", segment(first), "write");
  throw new AppError("forbidden", `You are not authorized to move these workspaces: ${ids.join(", ")}`, { refused });
}
