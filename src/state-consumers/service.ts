/**
 * Remote-state consumers: the workspaces that may read the state of another. The list is stored and answered; there is no
 * state here that it would guard. Reading it needs the workspace readable, changing it the right to write it, and whoever
 * puts a consumer on it has to be able to read that one.
 */
import { visibleWorkspaces, checkAllowed } from "../acl/authorize.ts";
import type { Context } from "../context.ts";
import { invalid, notFound } from "../errors.ts";
import type { Transaction } from "../storage/database.ts";
import { ATTRIBUTES } from "../workspaces/attributes.ts";
import type { WorkspaceList } from "../workspaces/list.ts";
import { changeWorkspace, getWorkspace, segment, type Workspace } from "../workspaces/service.ts";
import { findWorkspaces } from "../workspaces/store.ts";
import { deleteConsumers, findConsumerIds, insertConsumers, listConsumers, readerForConsumersOf } from "./store.ts";

/** Consumers of one workspace. */
export const MAX_CONSUMERS = 1000;

/**
 * A page of the consumers of a workspace that the caller may see, in order of their names. While a workspace shares its
 * state with its project, those elsewhere are left out: on the hosted service they have no access then.
 *
 * @throws AppError `not_found` when the workspace is missing or may not be read
 */
export async function listStateConsumers(
  ctx: Context,
  workspaceId: string,
  page: { offset: number; size: number },
): Promise<WorkspaceList> {
  const workspace = await getWorkspace(ctx, { id: workspaceId }, "read");
  const sharesWithProject = ATTRIBUTES.read(workspace.settings)["project-remote-state"];
  const filter = {
    workspace,
    visibility: visibleWorkspaces(ctx.actor, workspace.organizationName),
    projectId: sharesWithProject ? workspace.projectId : undefined,
  };
  return listConsumers(await readerForConsumersOf(ctx.db, workspaceId), filter, page.size, page.offset);
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
