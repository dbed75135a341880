/**
 * Remote-state consumers: the workspaces that may read the state of another. The list is stored and answered; there is no
 * state here that it would guard. Reading it needs the workspace readable, changing it the right to write it, and whoever
 * puts a consumer on it has to be able to read that one.
 */
import { visibleWorkspaces, checkAllowed } from "../rights/authorize.ts";
import type { Visibility } from "../rights/rules/visibility.ts";
import type { Context } from "../context.ts";
import { invalid, notFound } from "../errors.ts";
import type { Transaction } from "../storage/database.ts";
import { ATTRIBUTES } from "../workspaces/attributes.ts";
import type { WorkspaceList } from "../workspaces/list.ts";
import { countWorkspaces, listWorkspaces } from "../workspaces/list-store.ts";
import { changeWorkspace, getWorkspace, segment, type Workspace } from "../workspaces/service.ts";
import { findWorkspaces } from "../workspaces/store.ts";
import { deleteConsumers, findConsumerIds, insertConsumers, listConsumers, readerForConsumersOf } from "./store.ts";

/** Consumers of one workspace. */
export const MAX_CONSUMERS = 1000;

/**
 * A page of the consumers of a workspace that the caller may see, in order of their names. While a workspace shares its
 * state with all, these are all the others of its organization; while it shares it with its project, those elsewhere are left
 * out: on the hosted service they have no access then.
 *
 * @param isConfigured only those that were put on the list, whoever else may read the state
 * @throws AppError `not_found` when the workspace is missing or may not be read
 */
export async function listStateConsumers(
  ctx: Context,
  workspaceId: string,
  isConfigured: boolean,
  page: { offset: number; size: number },
): Promise<WorkspaceList> {
  const workspace = await getWorkspace(ctx, { id: workspaceId }, "read");
  const settings = ATTRIBUTES.read(workspace.settings);
  const visibility = visibleWorkspaces(ctx.actor, workspace.organizationName);
  if (settings["global-remote-state"] && !isConfigured) return listOthers(ctx, workspace, visibility, page);
  const filter = {
    workspace,
    visibility,
    projectId: settings["project-remote-state"] ? workspace.projectId : undefined,
  };
  return listConsumers(await readerForConsumersOf(ctx.db, workspaceId), filter, page.size, page.offset);
}

/** All workspaces of an organization but one, as far as the caller may see them. */
async function listOthers(
  { db: { long } }: Context,
  { id: except, organizationId, organizationName, organizationExecutionMode }: Workspace,
  visibility: Visibility,
  page: { offset: number; size: number },
): Promise<WorkspaceList> {
  const organization = { organizationId, organizationName, organizationExecutionMode };
  const filter = { organization, visibility, except, tagIds: [], excludedTagIds: [] };
  const [workspaces, total] = await Promise.all([
    listWorkspaces(long, filter, "name", page.size, page.offset),
    countWorkspaces(long, filter),
  ]);
  return { workspaces, total };
}

/**
 * Adds consumers to a workspace; those that it has stay. All or nothing.
 *
 * @throws AppError `not_found` when the workspace or a consumer is missing, of another organization or may not be read,
 * `invalid` when it would be its own consumer, or have too many
 */
export function addStateConsumers(ctx: Context, workspaceId: string, consumers: readonly string[]): Promise<void> {
  return changeConsumers(ctx, workspaceId, consumers, false);
}

/** Makes the consumers of a workspace exactly these, also where the caller may not see those that it has; else the same. */
export function replaceStateConsumers(ctx: Context, workspaceId: string, consumers: readonly string[]): Promise<void> {
  return changeConsumers(ctx, workspaceId, consumers, true);
}

function changeConsumers(ctx: Context, workspaceId: string, consumers: readonly string[], replaces: boolean) {
  const wanted = new Set(consumers);
  return changeWorkspace(ctx, { id: workspaceId }, async (tx, workspace) => {
    const [listed] = await Promise.all([
      findConsumerIds(tx, workspace.id),
      checkReadable(ctx, tx, workspace, [...wanted]),
    ]);
    if (wanted.has(workspace.id)) throw invalid("A workspace cannot be a remote state consumer of itself", "/data");
    const after = replaces ? wanted : listed.union(wanted);
    if (after.size > MAX_CONSUMERS) throw invalid("A workspace has at most 1,000 remote state consumers", "/data");
    writeConsumers(tx, workspace, { added: [...after.difference(listed)], removed: [...listed.difference(after)] });
  });
}

async function checkReadable(
  ctx: Context,
  tx: Transaction,
  workspace: Workspace,
  ids: readonly string[],
): Promise<void> {
  const found = await findWorkspaces(tx, ids);
  const own = found.filter((consumer) => consumer.organizationId === workspace.organizationId);
  for (const consumer of own) checkAllowed(ctx, "workspace", "workspace", segment(consumer), "read");
  if (own.length < ids.length) throw notFound("workspace");
}

/**
 * Takes consumers off the list of a workspace. Whatever else is named is passed over: clients name workspaces that have
 * been deleted meanwhile, and that it is not on the list is all that they ask for.
 *
 * @throws AppError `not_found` (the workspace)
 */
export function removeStateConsumers(ctx: Context, workspaceId: string, consumers: readonly string[]): Promise<void> {
  const leaving = new Set(consumers);
  return changeWorkspace(ctx, { id: workspaceId }, async (tx, workspace) => {
    const listed = await findConsumerIds(tx, workspace.id);
    writeConsumers(tx, workspace, { added: [], removed: [...listed.intersection(leaving)] });
  });
}

function writeConsumers(
  tx: Transaction,
  { id: objectId, organizationId, name }: Workspace,
  details: { added: readonly string[]; removed: readonly string[] },
): void {
  deleteConsumers(tx, objectId, details.removed);
  insertConsumers(tx, objectId, details.added);
  if (details.added.length + details.removed.length === 0) return;
  tx.record({
    organizationId,
    kind: "workspace",
    objectId,
    name,
    action: "change-state-consumers",
    detail: { details },
  });
}
