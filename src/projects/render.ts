/** Projects as JSON:API resources. */
import type { Actor } from "../rights/actor.ts";
import { durationOfProject } from "./auto-destroy.ts";
import { projectRights } from "./rights.ts";
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
  const { update, createWorkspace } = projectRights(actor, organization);
  return {
    "can-update": update,
    "can-destroy": update && !isDefault,
    "can-create-workspace": createWorkspace,
    "can-move-workspace": createWorkspace,
    "can-read-teams": false,
    "can-manage-teams": false,
  };
}
