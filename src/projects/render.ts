/** Projects as JSON:API resources. */
import type { Actor } from "../acl/actor.ts";
import { authorize } from "../acl/authorize.ts";
import { durationOfProject } from "../workspaces/auto-destroy.ts";
import type { Project } from "./store.ts";

/**
 * The resource of a project, with what this actor may do to it.
 *
 * @param effective identifiers of what applies to it, where that is included
 */
export function renderProject(actor: Actor, project: Project, effective?: object[]) {
  const { id, organizationName } = project;
  const own = project.defaultExecutionMode !== "";
  const path = `/api/v2/projects/${id}`;
  return {
    id,
    type: "projects",
    attributes: {
      name: project.name,
      description: project.description,
      "created-at": project.createdAt,
      "workspace-count": project.workspaceCount,
      "team-count": 0,
      "stack-count": 0,
      "is-unified": false,
      "auto-destroy-activity-duration": durationOfProject(project.settings),
      "default-execution-mode": project.defaultExecutionMode || project.organizationExecutionMode,
      "setting-overwrites": { "default-execution-mode": own, "default-agent-pool": own },
      permissions: permissionsOf(actor, organizationName, project.id === project.defaultProjectId),
    },
    relationships: {
      organization: { data: { id: organizationName, type: "organizations" } },
      "default-agent-pool": { data: null },
      "tag-bindings": { links: { related: `${path}/tag-bindings` } },
      "effective-tag-bindings": {
        ...(effective !== undefined && { data: effective }),
        links: { related: `${path}/effective-tag-bindings` },
      },
    },
    links: { self: path },
  };
}

function permissionsOf(actor: Actor, organization: string, isDefault: boolean): Record<string, boolean> {
  const write = authorize(actor, "organization", organization, "write");
  // The rule that would decide on a workspace whose name nobody has thought of yet.
  const writesWorkspaces = authorize(actor, "workspace", `${organization}/`, "write");
  return {
    "can-update": write,
    "can-destroy": write && !isDefault,
    "can-create-workspace": writesWorkspaces,
    "can-move-workspace": writesWorkspaces,
    "can-read-teams": false,
    "can-manage-teams": false,
  };
}
