/**
 * Keys and values of workspaces and projects. Rights are those of flat tags: reading needs the workspace or the
 * organization, changing the right to write it. Implements the tag-binding paths of `/api/v2`, in both their forms.
 */
import { permitted } from "../../../rights/authorize.ts";
import type { Access } from "../../../rights/rules/rule.ts";
import type { Context } from "../../../context.ts";
import { readProject } from "../../../projects/service.ts";
import { findProject, type Project } from "../../../projects/store.ts";
import { changeWorkspace, getWorkspace } from "../../../workspaces/service.ts";
import { changeHeld } from "../change.ts";
import { PROJECTS } from "../projects.ts";
import type { BindingRequest } from "../request.ts";
import { WORKSPACES } from "../workspaces.ts";
import { listEffective, ownAsEffective, type EffectiveBinding } from "./effective.ts";
import { checkBindings } from "./keys.ts";
import type { TagWarning } from "../../rules/enforce.ts";
import { listProjectBindings, listWorkspaceBindings, type TagBinding } from "./store.ts";

/** A workspace or a project, by its id. */
export type TagHolder = { workspace: string } | { project: string };

/**
 * Lists the own bindings of a workspace or a project, in the order of adding.
 *
 * @throws AppError `not_found` when it is missing or may not be read
 */
export async function listBindings(ctx: Context, holder: TagHolder): Promise<TagBinding[]> {
  if ("workspace" in holder) {
    await getWorkspace(ctx, { id: holder.workspace }, "read");
    return listWorkspaceBindings(ctx.db, holder.workspace);
  }
  await readProject(ctx, holder.project);
  return listProjectBindings(ctx.db, holder.project);
}

/**
 * Lists the bindings that apply to a workspace or a project, inherited ones included.
 *
 * @throws AppError `not_found`
 */
export async function listEffectiveBindings(
  ctx: Context,
  holder: TagHolder,
): Promise<{ organizationName: string; bindings: EffectiveBinding[] }> {
  if ("workspace" in holder) {
    const workspace = await getWorkspace(ctx, { id: holder.workspace }, "read");
    const found = await listEffective(ctx.db, [workspace.id]);
    return { organizationName: workspace.organizationName, bindings: found.get(workspace.id) ?? [] };
  }
  const { id, organizationName } = await readProject(ctx, holder.project);
  return { organizationName, bindings: ownAsEffective(await listProjectBindings(ctx.db, id)) };
}

/**
 * Adds bindings, or makes them exactly these.
 *
 * @returns those of the request, in its order, as they are once it is done, and rules that they break
 * @throws AppError `not_found`, `invalid` on what no key or value may be, where there would be too many, and where rules refuse
 */
export async function changeBindings(
  ctx: Context,
  holder: TagHolder,
  bindings: BindingRequest,
): Promise<{ bindings: TagBinding[]; warnings: TagWarning[] }> {
  checkBindings(bindings.wanted, "/data");
  if ("workspace" in holder) {
    const path = { id: holder.workspace };
    return changeWorkspace(ctx, path, async (tx, workspace) =>
      changeHeld(ctx, tx, WORKSPACES, workspace, { bindings }),
    );
  }
  const { organizationId } = writable(ctx, await findProject(ctx.db, holder.project));
  return ctx.db.inTransaction({ kind: "organization", id: organizationId }, async (tx) =>
    changeHeld(ctx, tx, PROJECTS, writable(ctx, await findProject(tx, holder.project)), { bindings }),
  );
}

function writable(ctx: Context, project: Project | undefined, access: Access = "write"): Project {
  return permitted(ctx, "project", project, "organization", (found) => found.organizationName, access);
}
