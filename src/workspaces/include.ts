import type { Context } from "../context.ts";
import { readInclude, type QueryParameters } from "../http/query.ts";
import { authorize } from "../rights/authorize.ts";
import { renderAccount } from "../account/render.ts";
import { findOrganizationById, type Organization } from "../organizations/store.ts";
import { renderOrganization } from "../organizations/render.ts";
import { findProject } from "../projects/store.ts";
import { renderProject } from "../projects/render.ts";
import { listEffective } from "../tags/holders/bindings/effective.ts";
import { effectiveRenderer } from "../tags/holders/bindings/render.ts";
import type { EffectiveOf } from "./render.ts";
import type { Workspace } from "./store.ts";

/** Names of what the hosted service has beside a workspace and is not served here: with what they hold, they include nothing. */
const ELSEWHERE = [
  "agent_pool",
  "current_assessment_result",
  "current_configuration_version",
  "current_run",
  "current_state_version",
  "latest_run",
  "no_code_module_version",
  "outputs",
  "readme",
  "ssh_key",
  "vars",
] as const;

/** Names that `include` takes. */
const NAMES = ["organization", "project", "locked_by", "effective_tag_bindings", ...ELSEWHERE] as const;

export type WorkspaceInclude = ReadonlySet<(typeof NAMES)[number]>;

/** @throws AppError `bad_parameter` on another name */
export function readWorkspaceInclude(query: QueryParameters): WorkspaceInclude {
  return readInclude(query, NAMES, ELSEWHERE);
}

/** Returns the effective tag bindings of these workspaces, when the request includes them. */
export async function effectiveFor(
  ctx: Context,
  workspaces: readonly Workspace[],
  include: WorkspaceInclude,
): Promise<EffectiveOf | undefined> {
  if (!include.has("effective_tag_bindings")) return undefined;
  return listEffective(
    ctx.db,
    workspaces.map(({ id }) => id),
  );
}

/** The `included` member of a document, each resource once; undefined when nothing is asked for. */
export async function renderIncluded(
  ctx: Context,
  workspaces: readonly Workspace[],
  include: WorkspaceInclude,
  effective: EffectiveOf | undefined,
): Promise<object[] | undefined> {
  if (include.size === 0) return undefined;
  // A caller that may read a workspace may not necessarily read its organization.
  const readable = workspaces.filter((each) => authorize(ctx.actor, "organization", each.organizationName, "read"));
  const organizationIds = include.has("organization") ? distinct(readable, (each) => each.organizationId) : [];
  const projectIds = include.has("project") ? distinct(readable, (each) => each.projectId) : [];
  const userIds = include.has("locked_by") ? distinct(workspaces, (each) => each.lockedBy) : [];
  const [organizations, projects] = await Promise.all([
    Promise.all(organizationIds.map((id) => findOrganizationById(ctx.db, id))),
    Promise.all(projectIds.map((id) => findProject(ctx.db, id))),
  ]);
  return [
    ...organizations.flatMap((each) => (each === undefined ? [] : renderIncludedOrganization(ctx, each))),
    ...projects.flatMap((each) => (each === undefined ? [] : renderProject(ctx.actor, each))),
    ...(effective === undefined ? [] : renderEffective(ctx, workspaces, effective)),
    // Tokens stand in for users: the one that locked a workspace is known by its AccessorID.
    ...userIds.map((accessorId) => renderAccount({ accessorId, createsOrganizations: false })),
  ];
}

/** All of one organization. */
function renderEffective(ctx: Context, workspaces: readonly Workspace[], effective: EffectiveOf): object[] {
  const render = effectiveRenderer(ctx, workspaces[0]?.organizationName ?? "");
  return workspaces.flatMap(({ id }) => (effective.get(id) ?? []).map(render));
}

function distinct(workspaces: readonly Workspace[], key: (workspace: Workspace) => string): string[] {
  return [...new Set(workspaces.map(key))].filter((id) => id !== "");
}

/**
 * An included organization does not point back at its default project: clients
 * follow links among included resources, and some follow a circle for ever.
 */
function renderIncludedOrganization(ctx: Context, organization: Organization): object {
  const resource = renderOrganization(ctx.actor, organization);
  const { "default-project": _, ...relationships } = resource.relationships;
  return { ...resource, relationships };
}
