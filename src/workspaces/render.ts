import { userId } from "../account/render.ts";
import { authorize } from "../acl/authorize.ts";
import type { Context } from "../context.ts";
import { EntryTexts, hole, listText, textMaker, valueHole } from "../http/entry-texts.ts";
import { countFitting } from "../http/pagination.ts";
import type { EffectiveBinding } from "../tag-bindings/effective.ts";
import { tagNamesOf } from "../workspace-tags/names-store.ts";
import { listTurns } from "../list-work.ts";
import { segment } from "./service.ts";
import { ATTRIBUTES as DECLARED, type StoredAttributes } from "./attributes.ts";
import { shownAutoDestroy } from "./auto-destroy.ts";
import type { Workspace } from "./store.ts";

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

type Caller = Pick<Context, "actor">;

/** What applies to workspaces by their ids. */
export type EffectiveOf = ReadonlyMap<string, readonly EffectiveBinding[]>;

/** JSON:API resource of one workspace. @param effective where it is included */
export async function renderOne(
  ctx: Context,
  workspace: Workspace,
  effective?: EffectiveOf,
): Promise<WorkspaceResource> {
  const names = await tagNamesOf(ctx.db, [workspace.id]);
  const related = effective && identifiersOf(effective, workspace);
  return renderWorkspace(ctx, workspace, names.get(workspace.id) ?? [], related);
}

function identifiersOf(effective: EffectiveOf, { id }: Workspace) {
  return (effective.get(id) ?? []).map((binding) => ({ id: binding.id, type: "effective-tag-bindings" }));
}

/** JSON:API resources of workspaces as text, with their tags' names: the first ones, as many as a page may hold. */
export async function renderWorkspaces(
  ctx: Context,
  workspaces: readonly Workspace[],
  effective?: EffectiveOf,
): Promise<EntryTexts> {
  const names = await tagNamesOf(
    ctx.db,
    workspaces.map((workspace) => workspace.id),
  );
  const tagged = workspaces.map((workspace) => ({
    workspace,
    tagNames: names.get(workspace.id) ?? [],
    effective: effective && identifiersOf(effective, workspace),
  }));
  const fitting = countFitting(tagged.map(wireBytes));
  return new EntryTexts(await listTurns.run(renderEach(ctx, tagged.slice(0, fitting))));
}

/** A resource that is so long is worth a look at the clock. */
const LONG = 16_384;

interface Tagged {
  workspace: Workspace;
  tagNames: string[];
  /** What points to what applies to it, where that is included. */
  effective: object[] | undefined;
}

/** Pauses where a page is full of long ones: 8 MiB of them would hold the event loop for tens of milliseconds. */
function* renderEach(ctx: Context, tagged: readonly Tagged[]): Generator<void, string[]> {
  const texts: string[] = [];
  const textOf = workspaceTexts(ctx);
  for (const each of tagged) {
    const text = textOf(each);
    texts.push(text);
    if (text.length > LONG) yield;
  }
  return texts;
}

type Holes = "id" | "name" | "createdAt" | "updatedAt" | "latestChangeAt" | "tagNames" | "effective";

/**
 * Makes what renders the workspaces of a page as text. Nearly all have no attributes of their own and are not locked: those
 * of one project differ in little, so that the rest of them is put in words once.
 */
function workspaceTexts(ctx: Caller): (tagged: Tagged) => string {
  const makers = new Map<string, ReturnType<typeof textMaker<Holes>>>();
  return ({ workspace, tagNames, effective }) => {
    if (workspace.settings !== "{}" || workspace.locked === 1 || workspace.lockedReason !== "") {
      return JSON.stringify(renderWorkspace(ctx, workspace, tagNames, effective));
    }
    const write = mayWrite(ctx, workspace);
    const { organizationName, projectId, projectExecutionMode, organizationExecutionMode } = workspace;
    const alike = `${organizationName}\n${projectId}\n${projectExecutionMode || organizationExecutionMode}\n${write}`;
    let textOf = makers.get(alike);
    if (textOf === undefined) {
      const example = { ...workspace, id: hole("id"), name: hole("name"), ...TIMES };
      const related = effective && valueHole<object[]>("effective");
      textOf = textMaker<Holes>(renderWorkspace(ctx, example, valueHole("tagNames"), related, write));
      makers.set(alike, textOf);
    }
    const { id, name, createdAt, updatedAt, latestChangeAt } = workspace;
    const parts = { id, name, createdAt, updatedAt, latestChangeAt, tagNames: listText(tagNames) };
    return textOf({ ...parts, effective: effective === undefined ? "" : JSON.stringify(effective) });
  };
}

const TIMES = {
  createdAt: hole("createdAt"),
  updatedAt: hole("updatedAt"),
  latestChangeAt: hole("latestChangeAt"),
};

/** Of a workspace that has neither attributes of its own nor tags. */
const BARE_BYTES = 4096;

/** About what a workspace takes as JSON; attributes are stored as such. */
function wireBytes({ workspace, tagNames }: Tagged): number {
  let bytes = BARE_BYTES + Buffer.byteLength(workspace.settings);
  for (const name of tagNames) bytes += Buffer.byteLength(name) + 3;
  return bytes;
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

function mayWrite({ actor }: Caller, workspace: Workspace): boolean {
  return authorize(actor, "workspace", segment(workspace), "write");
}

/**
 * JSON:API resource of a workspace with these tags.
 *
 * @param effective what points to what applies to it, where that is included
 * @param write whether the caller may change it
 */
export function renderWorkspace(
  ctx: Caller,
  workspace: Workspace,
  tagNames: string[],
  effective?: object[],
  write = mayWrite(ctx, workspace),
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
