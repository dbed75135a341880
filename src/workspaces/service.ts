/**
 * Workspaces: the things that carry tags. Create, read, update, move, delete and lock them. Lists are `list.ts`; tags
 * on a workspace are the feature `workspace-tags`; runs, state and VCS are not served here.
 */
import { permitted, checkAllowed } from "../rights/authorize.ts";
import { fold } from "../fold.ts";
import type { Access } from "../rights/rules/rule.ts";
import { writeNoter } from "../tags/changes/written.ts";
import type { Context } from "../context.ts";
import { AppError, nameTaken } from "../errors.ts";
import { newId } from "../ids.ts";
import { addToOrganizationCounts, findOrganization, findOrganizationById } from "../organizations/store.ts";
import { organizationForWorkspace } from "../organizations/access.ts";
import { addToWorkspaceCount } from "../projects/store.ts";
import { findProjectOf, type Project } from "../projects/service.ts";
import type { Transaction } from "../storage/database.ts";
import { checkBindings, type BindingInput } from "../tags/holders/bindings/keys.ts";
import type { TagWarning } from "../tags/rules/enforce.ts";
import { changeHeld, clearHeld } from "../tags/holders/change.ts";
import { checkReferences, type TagReference } from "../tags/holders/references.ts";
import type { LinkRequest } from "../tags/holders/request.ts";
import { renameCarrier, WORKSPACES } from "../tags/holders/workspaces.ts";
import { noteDeletedWorkspace } from "../storage/purge/purge.ts";
import { checkWorkspaceName, mergeAttributes, type AttributesInput, type Inherited } from "./attributes.ts";
import {
  deleteWorkspace,
  findWorkspace,
  findWorkspaceByName,
  findWorkspaceId,
  findWorkspaces,
  insertWorkspace,
  updateWorkspace,
  type Workspace,
  type WorkspaceName,
} from "./store.ts";

export type { Workspace, WorkspaceName } from "./store.ts";

const note = writeNoter("workspace");

/** How a path names a workspace. */
export type WorkspacePath = { id: string } | { organization: string; name: string };

export interface WorkspaceInput {
  name?: string | undefined;
  attributes: AttributesInput;
  projectId?: string | undefined;
  /** Given when the request replaces the tags or, on create, sets them. */
  tags?: readonly TagReference[] | undefined;
  /** Given when the request replaces the keys and values or, on create, sets them. */
  bindings?: readonly BindingInput[] | undefined;
}

/**
 * Reads one workspace.
 *
 * @throws AppError `not_found` when it is missing or the caller lacks `access` to it
 */
export async function getWorkspace(ctx: Context, path: WorkspacePath, access: Access): Promise<Workspace> {
  const workspace =
    "id" in path
      ? await findWorkspace(ctx.db, path.id)
      : await findWorkspaceByName(ctx.db, path.organization, path.name);
  return accessible(ctx, workspace, access);
}

function accessible(ctx: Context, workspace: Workspace | undefined, access: Access): Workspace {
  return permitted(ctx, "workspace", workspace, "workspace", segment, access);
}

/** The segment that rules name a workspace by. */
export function segment(workspace: { organizationName: string; name: string }): string {
  return `${workspace.organizationName}/${workspace.name}`;
}

/**
 * Runs `work` as the only writer of a workspace's organization, with the
 * workspace as it is then. The rights are asked for again inside.
 */
export async function changeWorkspace<T>(
  ctx: Context,
  path: WorkspacePath,
  work: (tx: Transaction, workspace: Workspace) => Promise<T>,
): Promise<T> {
  const before = await getWorkspace(ctx, path, "write");
  return ctx.db.inTransaction({ kind: "organization", id: before.organizationId }, async (tx) =>
    work(tx, accessible(ctx, await findWorkspace(tx, before.id), "write")),
  );
}

/** Finds the workspaces that belong to the organization, among these, for bulk changes. */
export async function findWorkspacesOf(
  tx: Transaction,
  organizationId: string,
  ids: readonly string[],
): Promise<WorkspaceName[]> {
  const workspaces = await findWorkspaces(tx, ids);
  return workspaces.filter((workspace) => workspace.organizationId === organizationId);
}

/** A workspace as a request has made it. */
export interface WrittenWorkspace {
  workspace: Workspace;
  /** Rules for tags that it breaks by that, where they only advise. */
  warnings: TagWarning[];
}

/**
 * Creates a workspace.
 *
 * @throws AppError `not_found` (the organization or project, or no right to that name), `already_exists`, `invalid`
 */
export async function createWorkspace(
  ctx: Context,
  organizationName: string,
  input: WorkspaceInput,
): Promise<WrittenWorkspace> {
  const name = input.name ?? "";
  const before = organizationForWorkspace(ctx, await findOrganization(ctx.db, organizationName), name);
  checkWorkspaceName(name);
  const links = checkLinks(input);
  const id = newId("ws");
  const nameKey = fold(name);
  const now = new Date(ctx.now()).toISOString();
  const projectId = input.projectId ?? before.defaultProjectId;
  return ctx.db.inTransaction({ kind: "organization", id: before.id }, async (tx) => {
    const [found, taken, project] = await Promise.all([
      findOrganizationById(tx, before.id),
      findWorkspaceId(tx, before.id, nameKey),
      findProjectOf(ctx, tx, before, projectId),
    ]);
    const organization = organizationForWorkspace(ctx, found, name);
    if (taken !== undefined) throw nameTaken();
    const inherited = inheritedFrom(project);
    const workspace: Workspace = {
      id,
      organizationId: organization.id,
      organizationName: organization.name,
      projectId: project.id,
      ...inherited,
      name,
      nameKey,
      settings: mergeAttributes("{}", input.attributes, inherited),
      locked: 0,
      lockedReason: "",
      lockedBy: "",
      createdAt: now,
      updatedAt: now,
      latestChangeAt: now,
    };
    insertWorkspace(tx, workspace);
    await note(tx, ctx, undefined, workspace);
    addToOrganizationCounts(tx, organization.id, { workspaces: 1 });
    addToWorkspaceCount(tx, project.id, 1);
    const { warnings } = await changeHeld(ctx, tx, WORKSPACES, workspace, links ?? {}, "");
    return { workspace, warnings };
  });
}

/** Returns the values that a workspace in this project inherits from it and from its organization. */
function inheritedFrom(project: Project): Inherited {
  const { organizationExecutionMode, defaultExecutionMode: projectExecutionMode, settings: projectSettings } = project;
  return { organizationExecutionMode, projectExecutionMode, projectSettings };
}

function ownerOf(workspace: Workspace): { id: string; name: string; defaultProjectId: string } {
  // Its own project counts as the default one: it may stay where it is whatever the caller sees.
  return { id: workspace.organizationId, name: workspace.organizationName, defaultProjectId: workspace.projectId };
}

/**
 * Returns the change that the request makes to the workspace's tags and keys. Undefined when it changes none.
 *
 * @throws AppError `invalid`
 */
function checkLinks({ tags, bindings }: WorkspaceInput): LinkRequest | undefined {
  if (tags === undefined && bindings === undefined) return undefined;
  const references = checkReferences(tags ?? [], "/data/relationships/tags/data");
  if (bindings !== undefined) checkBindings(bindings, "/data/relationships/tag-bindings/data");
  return {
    tags: tags === undefined ? undefined : { references, mode: "replace" },
    bindings: bindings === undefined ? undefined : { wanted: bindings, replaces: true },
  };
}

/**
 * Changes what the request gives and leaves the rest.
 *
 * @throws AppError `not_found` (also for lack of a right to the new name), `already_exists`, `invalid`
 */
export function changeWorkspaceFields(
  ctx: Context,
  path: WorkspacePath,
  input: WorkspaceInput,
): Promise<WrittenWorkspace> {
  const links = checkLinks(input);
  const now = new Date(ctx.now()).toISOString();
  return changeWorkspace(ctx, path, async (tx, before) => {
    const name = input.name ?? before.name;
    const nameKey = fold(name);
    const renamed = name !== before.name;
    if (renamed) checkAllowed(ctx, "workspace", "workspace", `${before.organizationName}/${name}`, "write");
    if (renamed) checkWorkspaceName(name);
    const [holder, project] = await Promise.all([
      findWorkspaceId(tx, before.organizationId, nameKey),
      findProjectOf(ctx, tx, ownerOf(before), input.projectId ?? before.projectId),
    ]);
    if (holder !== undefined && holder !== before.id) throw nameTaken();
    const inherited = inheritedFrom(project);
    const attributes = mergeAttributes(before.settings, input.attributes, inherited);
    const same = !renamed && attributes === before.settings && project.id === before.projectId;
    if (same && links === undefined) return { workspace: before, warnings: [] };
    const isMoved = project.id !== before.projectId;
    const { warnings } =
      links !== undefined || isMoved
        ? await changeHeld(ctx, tx, WORKSPACES, { ...before, projectId: project.id }, links ?? {}, before.projectId)
        : { warnings: [] };
    const after: Workspace = {
      ...before,
      name,
      nameKey,
      settings: attributes,
      projectId: project.id,
      ...inherited,
      updatedAt: now,
      latestChangeAt: now,
    };
    updateWorkspace(tx, after, before);
    await note(tx, ctx, before, after);
    if (nameKey !== before.nameKey) await renameCarrier(tx, before, nameKey);
    if (isMoved) {
      addToWorkspaceCount(tx, before.projectId, -1);
      addToWorkspaceCount(tx, project.id, 1);
    }
    return { workspace: after, warnings };
  });
}

/**
 * Deletes a workspace and takes its tags off; tags born by use that it alone carried go with it.
 *
 * @param safely refuse while it is locked
 * @throws AppError `not_found`, `conflict`
 */
export function removeWorkspace(ctx: Context, path: WorkspacePath, safely: boolean): Promise<void> {
  const now = new Date(ctx.now()).toISOString();
  return changeWorkspace(ctx, path, async (tx, workspace) => {
    if (safely && workspace.locked === 1) throw new AppError("conflict", "Workspace is currently locked.");
    await clearHeld(ctx, tx, WORKSPACES, workspace);
    deleteWorkspace(tx, workspace);
    await note(tx, ctx, workspace, undefined);
    noteDeletedWorkspace(tx, workspace.id, now);
    addToOrganizationCounts(tx, workspace.organizationId, { workspaces: -1 });
    addToWorkspaceCount(tx, workspace.projectId, -1);
  });
}

/** @throws AppError `not_found`, `conflict` when it is locked already */
export function lockWorkspace(ctx: Context, id: string, reason: string): Promise<Workspace> {
  return changeWorkspace(ctx, { id }, async (tx, workspace) => {
    if (workspace.locked === 1) throw new AppError("conflict", "Workspace already locked");
    const after = { ...workspace, locked: 1, lockedReason: reason, lockedBy: ctx.actor.accessorId };
    updateWorkspace(tx, after, workspace, "lock");
    await note(tx, ctx, workspace, after);
    return after;
  });
}

/**
 * Unlocks a workspace.
 *
 * @param force also when another token locked it
 * @throws AppError `not_found`, `conflict`
 */
export function unlockWorkspace(ctx: Context, id: string, force: boolean): Promise<Workspace> {
  return changeWorkspace(ctx, { id }, async (tx, workspace) => {
    if (workspace.locked === 0) throw new AppError("conflict", "Workspace already unlocked");
    if (!force && workspace.lockedBy !== ctx.actor.accessorId) {
      throw new AppError("conflict", `Unable to unlock: the workspace is locked by User ${workspace.lockedBy}`);
    }
    const after = { ...workspace, locked: 0, lockedReason: "", lockedBy: "" };
    updateWorkspace(tx, after, workspace, force ? "force-unlock" : "unlock");
    await note(tx, ctx, workspace, after);
    return after;
  });
}
