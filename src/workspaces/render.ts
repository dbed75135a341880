import { userId } from "../account/render.ts";
import { authorize } from "../acl/authorize.ts";
import type { Context } from "../context.ts";
import { countFitting } from "../http/pagination.ts";
import { tagNamesOf } from "../workspace-tags/tag-names.ts";
import { createTurns } from "../turns.ts";
import { segment } from "./service.ts";
import type { Settings } from "./settings.ts";
import type { Workspace } from "./store.ts";

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

/** JSON:API resources of workspaces, with their tags' names: the first ones, as many as a page may hold. */
export async function renderWorkspaces(ctx: Context, workspaces: readonly Workspace[]): Promise<WorkspaceResource[]> {
  const names = await tagNamesOf(
    ctx.db,
    workspaces.map((workspace) => workspace.id),
  );
  const tagged = workspaces.map((workspace) => ({ workspace, tagNames: names.get(workspace.id) ?? [] }));
  const fitting = countFitting(tagged.map(wireBytes));
  return rendering.run(renderEach(ctx, tagged.slice(0, fitting)));
}

const rendering = createTurns();
/** Settings that are so long are worth a look at the clock. */
const LONG_SETTINGS = 16_384;

interface Tagged {
  workspace: Workspace;
  tagNames: string[];
}

/** Pauses where a page is full of long settings: 8 MiB of them would hold the event loop for tens of milliseconds. */
function* renderEach(ctx: Context, tagged: readonly Tagged[]): Generator<void, WorkspaceResource[]> {
  const resources: WorkspaceResource[] = [];
  for (const { workspace, tagNames } of tagged) {
    resources.push(renderWorkspace(ctx, workspace, tagNames));
    if (workspace.settings.length > LONG_SETTINGS) yield;
  }
  return resources;
}

/** Of a workspace that has neither settings nor tags. */
const BARE_BYTES = 4096;

/** About what a workspace takes as JSON; settings are stored as such. */
function wireBytes({ workspace, tagNames }: Tagged): number {
  let bytes = BARE_BYTES + Buffer.byteLength(workspace.settings);
  for (const name of tagNames) bytes += Buffer.byteLength(name) + 3;
  return bytes;
}

export type WorkspaceResource = ReturnType<typeof renderWorkspace>;

/** One literal with every member: spreading defaults and settings into it takes three times as long. */
function renderWorkspace(ctx: Context, workspace: Workspace, tagNames: string[]) {
  const settings = workspace.settings === "{}" ? NO_SETTINGS : (JSON.parse(workspace.settings) as Settings);
  const mode = settings["execution-mode"] ?? (workspace.projectExecutionMode || workspace.organizationExecutionMode);
  const path = `${workspace.organizationName}/workspaces/${workspace.name}`;
  return {
    id: workspace.id,
    type: "workspaces" as const,
    attributes: {
      name: workspace.name,
      "allow-destroy-plan": settings["allow-destroy-plan"] ?? true,
      "assessments-enabled": settings["assessments-enabled"] ?? false,
      "auto-apply": settings["auto-apply"] ?? false,
      "auto-apply-run-trigger": settings["auto-apply-run-trigger"] ?? false,
      "auto-destroy-at": settings["auto-destroy-at"] ?? null,
      "auto-destroy-activity-duration": settings["auto-destroy-activity-duration"] ?? null,
      "inherits-project-auto-destroy": settings["inherits-project-auto-destroy"] ?? true,
      description: settings.description ?? null,
      "file-triggers-enabled": settings["file-triggers-enabled"] ?? true,
      "global-remote-state": settings["global-remote-state"] ?? false,
      "project-remote-state": settings["project-remote-state"] ?? false,
      "hyok-enabled": settings["hyok-enabled"] ?? false,
      "migration-environment": settings["migration-environment"] ?? "",
      "queue-all-runs": settings["queue-all-runs"] ?? false,
      "speculative-enabled": settings["speculative-enabled"] ?? true,
      "source-name": settings["source-name"] ?? "",
      "source-url": settings["source-url"] ?? "",
      "structured-run-output-enabled": settings["structured-run-output-enabled"] ?? true,
      "terraform-version": settings["terraform-version"] ?? "latest",
      "trigger-patterns": settings["trigger-patterns"] ?? NO_TEXTS,
      "trigger-prefixes": settings["trigger-prefixes"] ?? NO_TEXTS,
      "working-directory": settings["working-directory"] ?? "",
      "execution-mode": mode,
      operations: mode === "remote",
      "setting-overwrites": { "execution-mode": settings["execution-mode"] !== undefined, "agent-pool": false },
      "tag-names": tagNames,
      locked: workspace.locked === 1,
      "locked-reason": workspace.lockedReason,
      "created-at": workspace.createdAt,
      "updated-at": workspace.updatedAt,
      "latest-change-at": workspace.latestChangeAt,
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
      "effective-tag-bindings": { links: { related: `/api/v2/workspaces/${workspace.id}/effective-tag-bindings` } },
      "remote-state-consumers": {
        links: { related: `/api/v2/workspaces/${workspace.id}/relationships/remote-state-consumers` },
      },
      "tag-bindings": { links: { related: `/api/v2/workspaces/${workspace.id}/tag-bindings` } },
    },
    links: { self: `/api/v2/organizations/${path}`, "self-html": `/app/${path}` },
  };
}

const NONE = { data: null };
const NO_SETTINGS: Settings = {};
const NO_TEXTS: string[] = [];
