import { userId } from "../account/render.ts";
import { authorize } from "../acl/authorize.ts";
import type { Context } from "../context.ts";
import { tagNamesOf } from "../tags/attach.ts";
import { segment } from "./service.ts";
import { DEFAULT_SETTINGS, type Settings } from "./settings.ts";
import type { Workspace } from "./store.ts";

/** Attributes that answer the same for every workspace: what they speak of is not served here. */
const FIXED = {
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
};

const ACTIONS = { "is-destroyable": true };

/** What a token with workspace:write may do; runs, state and variables are not served here. */
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

/** JSON:API resource of one workspace. */
export async function renderOne(ctx: Context, workspace: Workspace): Promise<WorkspaceResource> {
  const names = await tagNamesOf(ctx.db, [workspace.id]);
  return renderWorkspace(ctx, workspace, names.get(workspace.id) ?? []);
}

/** JSON:API resources of workspaces, with their tags' names. */
export async function renderWorkspaces(ctx: Context, workspaces: readonly Workspace[]): Promise<WorkspaceResource[]> {
  const names = await tagNamesOf(
    ctx.db,
    workspaces.map((workspace) => workspace.id),
  );
  return workspaces.map((workspace) => renderWorkspace(ctx, workspace, names.get(workspace.id) ?? []));
}

export type WorkspaceResource = ReturnType<typeof renderWorkspace>;

function renderWorkspace(ctx: Context, workspace: Workspace, tagNames: string[]) {
  const settings = JSON.parse(workspace.settings) as Settings;
  const mode = settings["execution-mode"] ?? (workspace.projectExecutionMode || workspace.organizationExecutionMode);
  const path = `${workspace.organizationName}/workspaces/${workspace.name}`;
  return {
    id: workspace.id,
    type: "workspaces" as const,
    attributes: {
      name: workspace.name,
      ...DEFAULT_SETTINGS,
      ...FIXED,
      ...settings,
      "execution-mode": mode,
      operations: mode === "remote",
      "setting-overwrites": { "execution-mode": settings["execution-mode"] !== undefined, "agent-pool": false },
      "tag-names": tagNames,
      locked: workspace.locked === 1,
      "locked-reason": workspace.lockedReason,
      "created-at": workspace.createdAt,
      "updated-at": workspace.updatedAt,
      "latest-change-at": workspace.latestChangeAt,
      actions: ACTIONS,
      permissions: authorize(ctx.actor, "workspace", segment(workspace), "write") ? WRITER : READER,
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
    },
    links: { self: `/api/v2/organizations/${path}`, "self-html": `/app/${path}` },
  };
}

const NONE = { data: null };
