import type { Context } from "../context.ts";
import { readInclude, type Query } from "../http/query.ts";
import { authorize } from "../acl/authorize.ts";
import { renderAccount } from "../account/render.ts";
import { findOrganizationById, type Organization } from "../organizations/store.ts";
import { renderOrganization } from "../organizations/render.ts";
import { findProject } from "../projects/store.ts";
import { renderProject } from "../projects/render.ts";
import type { Workspace } from "./store.ts";

/**
 * Names that `include` takes. Those of things that are not served here include
 * nothing; key/value tags are refused, which tells clients that there are none.
 */
const NAMES = [
  "organization",
  "project",
  "locked_by",
  "current_run",
  "current_run.plan",
  "current_run.configuration_version",
  "current_run.configuration_version.ingress_attributes",
  "current_state_version",
  "current_state_version.outputs",
  "current_configuration_version",
  "current_configuration_version.ingress_attributes",
  "readme",
  "outputs",
  "vars",
] as const;

export type WorkspaceInclude = ReadonlySet<(typeof NAMES)[number]>;

/** @throws AppError `bad_parameter` on another name */
export function readWorkspaceInclude(query: Query): WorkspaceInclude {
  return readInclude(query, NAMES);
}

/** The `included` member of a document, each resource once; undefined when nothing is asked for. */
export async function renderIncluded(
  ctx: Context,
  workspaces: readonly Workspace[],
  include: WorkspaceInclude,
): Promise<object[] | undefined> {
  if (include.size === 0) return undefined;
  // Who may read a workspace does not for that reason see its organization.
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
    // Tokens stand in for users: the one that locked a workspace is known by its AccessorID.
    ...userIds.map((accessorId) => renderAccount({ accessorId, createsOrganizations: false })),
  ];
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
