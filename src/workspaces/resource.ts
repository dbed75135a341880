/** The JSON:API resource of a workspace. A reading thread makes it too: it needs nothing but what it is given. */
import { userId } from "../account/render.ts";
import { ATTRIBUTES as DECLARED, type StoredAttributes } from "./attributes.ts";
import { shownAutoDestroy } from "../projects/auto-destroy.ts";
import type { Workspace } from "./store.ts";

/** Permissions of a token with workspace:write. Runs, state and variables are not served here. */
const WRITER = permissions(true);
const READER = permissions(false);

function permissions(write: boolean) {
  return {
    "can-update": write,
    "can-destroy": write,
    "can-force-delete": write,
    "can-queue-run": false,
    "can-queue-apply": false,
    "can-queue-destroy": false,
    "can-create-state-versions": false,
    "can-read-state-versions": false,
    "can-read-state-outputs": false,
    "can-read-variable": false,
    "can-update-variable": false,
    "can-lock": write,
    "can-unlock": write,
    "can-force-unlock": write,
    "can-read-settings": true,
    "can-manage-tags": write,
    "can-manage-run-tasks": false,
    "can-manage-assessments": false,
    "can-read-assessment-results": false,
    "can-manage-ephemeral-workspaces": false,
    "can-read-run": false,
    "can-manage-hyok": false,
  };
}

export type WorkspaceResource = ReturnType<typeof renderWorkspace>;

/** The attributes in their order: as they are of a workspace without any of its own, and empty where each has its own. */
const ATTRIBUTES = {
  name: "",
  ...DECLARED.defaults,
  "execution-mode": "",
  operations: false,
  "setting-overwrites": {},
  "tag-names": [],
  locked: false,
  "locked-reason": "",
  "created-at": "",
  "updated-at": "",
  "latest-change-at": "",
  // The rest speaks of what is not served here and is the same for every workspace.
  "apply-duration-average": 0,
  "auto-destroy-status": null,
  "can-queue-destroy-plan": false,
  environment: "default",
  "no-code-upgrade-available": false,
  "plan-duration-average": 0,
  "policy-check-failures": 0,
  "resource-count": 0,
  "run-failures": 0,
  source: "tfe-api",
  "source-module-id": null,
  "vcs-repo": null,
  "vcs-repo-identifier": null,
  "workspace-kpis-runs-count": 0,
  actions: { "is-destroyable": true },
  permissions: {},
};

const NONE = { data: null };
const NO_ATTRIBUTES: StoredAttributes = {};

/**
 * JSON:API resource of a workspace with these tags.
 *
 * @param effective what points to what applies to it, where that is included
 * @param write whether the caller may change it
 */
export function renderWorkspace(
  workspace: Workspace,
  tagNames: string[],
  effective: object[] | undefined,
  write: boolean,
) {
  const attributes = workspace.settings === "{}" ? NO_ATTRIBUTES : (JSON.parse(workspace.settings) as StoredAttributes);
  const own = attributes["execution-mode"];
  const mode = own ?? (workspace.projectExecutionMode || workspace.organizationExecutionMode);
  const path = `${workspace.organizationName}/workspaces/${workspace.name}`;
  const byId = `/api/v2/workspaces/${workspace.id}`;
  return {
    id: workspace.id,
    type: "workspaces" as const,
    attributes: {
      ...ATTRIBUTES,
      ...attributes,
      ...shownAutoDestroy(attributes, workspace.projectSettings),
      name: workspace.name,
      "execution-mode": mode,
      operations: mode === "remote",
      "setting-overwrites": { "execution-mode": own !== undefined, "agent-pool": own !== undefined },
      "tag-names": tagNames,
      locked: workspace.locked === 1,
      "locked-reason": workspace.lockedReason,
      "created-at": workspace.createdAt,
      "updated-at": workspace.updatedAt,
      "latest-change-at": workspace.latestChangeAt,
      permissions: write ? WRITER : READER,
    },
    relationships: {
      organization: { data: { id: workspace.organizationName, type: "organizations" } },
      project: { data: { id: workspace.projectId, type: "projects" } },
      "agent-pool": NONE,
      "current-configuration-version": NONE,
      "current-run": NONE,
      "current-state-version": NONE,
      "latest-run": NONE,
      "locked-by": workspace.locked === 1 ? { data: { id: userId(workspace.lockedBy), type: "users" } } : NONE,
      outputs: { data: [] },
      readme: NONE,
      "ssh-key": NONE,
      vars: { data: [] },
      "effective-tag-bindings": {
        ...(effective !== undefined && { data: effective }),
        links: { related: `${byId}/effective-tag-bindings` },
      },
      "remote-state-consumers": { links: { related: `${byId}/relationships/remote-state-consumers` } },
      "tag-bindings": { links: { related: `${byId}/tag-bindings` } },
    },
    links: { self: `/api/v2/organizations/${path}`, "self-html": `/app/${path}` },
  };
}
