import { authorize, unnoted } from "../rights/authorize.ts";
import type { Context } from "../context.ts";
import { EntryTexts, hole, listText, textMaker, valueHole } from "../http/sending/entry-texts.ts";
import { countFitting } from "../http/jsonapi/pagination.ts";
import type { Engine } from "../storage/engine.ts";
import type { EffectiveBinding } from "../tags/holders/bindings/effective.ts";
import { tagNamesOf } from "../tags/holders/workspace-tags/names-store.ts";
import { listTurns } from "../list-work.ts";
import { segment } from "./service.ts";
import { WORKSPACE_TEXTS } from "./list-text.ts";
import { renderWorkspace, type WorkspaceResource } from "./resource.ts";
import type { ListedOrganization, ListedWorkspace, Workspace } from "./store.ts";

type Caller = Pick<Context, "actor">;

/** Effective tag bindings of workspaces, by workspace id. */
export type EffectiveOf = ReadonlyMap<string, readonly EffectiveBinding[]>;

/** JSON:API resource of one workspace. @param effective where it is included */
export async function renderOne(
  ctx: Context,
  workspace: Workspace,
  effective?: EffectiveOf,
): Promise<WorkspaceResource> {
  const names = await tagNamesOf(ctx.db, [workspace.id]);
  const related = effective && identifiersOf(effective, workspace);
  return renderWorkspace(workspace, names.get(workspace.id) ?? [], related, mayWrite(ctx, workspace));
}

function identifiersOf(effective: EffectiveOf, { id }: Workspace) {
  return (effective.get(id) ?? []).map((binding) => ({ id: binding.id, type: "effective-tag-bindings" }));
}

/** A page of workspaces as text, and those of them that it shows: as many as it may hold. */
interface RenderedPage {
  data: EntryTexts;
  shown: readonly Workspace[];
}

/** JSON:API resources of workspaces as text, with their tags' names. */
export async function renderWorkspaces(
  ctx: Context,
  workspaces: readonly ListedWorkspace[],
  effective?: EffectiveOf,
): Promise<RenderedPage> {
  const names = await tagNamesOf(
    ctx.db,
    workspaces.map((workspace) => workspace.id),
  );
  const tagged = workspaces.map((workspace) => ({
    workspace,
    tagNames: names.get(workspace.id) ?? [],
    effective: effective && identifiersOf(effective, workspace),
  }));
  const fitting = tagged.slice(0, countFitting(tagged.map(wireBytes)));
  const long = fitting.find(({ workspace }) => workspace.settings === "")?.workspace;
  if (long !== undefined) {
    const { organizationId, organizationName, organizationExecutionMode } = long;
    return renderLong(ctx, { organizationId, organizationName, organizationExecutionMode }, fitting);
  }
  const textOf = workspaceTexts(ctx);
  return { data: new EntryTexts(fitting.map(textOf)), shown: fitting.map(({ workspace }) => workspace) };
}

interface Tagged {
  workspace: ListedWorkspace;
  tagNames: string[];
  /** Identifiers of the effective tag bindings, where these are included. */
  effective: object[] | undefined;
}

/** About so many bytes are made as text at a time; on PostgreSQL that is done on the event loop. */
const GROUP_BYTES: Record<Engine, number> = { sqlite: 1024 * 1024, postgres: 128 * 1024 };

/** Renders a long page group by group, and reads and writes it where long reads are made. */
async function renderLong(
  ctx: Context,
  organization: ListedOrganization,
  tagged: readonly Tagged[],
): Promise<RenderedPage> {
  const texts: Uint8Array[] = [];
  const shown: Workspace[] = [];
  for (const group of groupsOf(tagged, GROUP_BYTES[ctx.db.engine])) {
    await listTurns.pause();
    const found = group.map(({ workspace, tagNames, effective }) => {
      const { id, nameKey, projectId } = workspace;
      return { id, nameKey, projectId, tagNames, effective, write: mayWrite(ctx, workspace) };
    });
    for (const { bytes, ids } of await ctx.db.apart(WORKSPACE_TEXTS, { organization, found })) {
      if (ids.length > 0) texts.push(bytes);
      const there = new Set(ids);
      for (const { workspace } of group) if (there.has(workspace.id)) shown.push(workspace);
    }
  }
  return { data: new EntryTexts(texts, shown.length), shown };
}

function* groupsOf(tagged: readonly Tagged[], most: number): Generator<Tagged[]> {
  let group: Tagged[] = [];
  let bytes = 0;
  for (const each of tagged) {
    group.push(each);
    bytes += wireBytes(each);
    if (bytes < most) continue;
    yield group;
    [group, bytes] = [[], 0];
  }
  if (group.length > 0) yield group;
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
      return JSON.stringify(renderWorkspace(workspace, tagNames, effective, mayWrite(ctx, workspace)));
    }
    const write = mayWrite(ctx, workspace);
    const { organizationName, projectId, projectExecutionMode, organizationExecutionMode } = workspace;
    const alike = `${organizationName}\n${projectId}\n${projectExecutionMode || organizationExecutionMode}\n${write}`;
    let textOf = makers.get(alike);
    if (textOf === undefined) {
      const example = { ...workspace, id: hole("id"), name: hole("name"), ...TIMES };
      const related = effective && valueHole<object[]>("effective");
      textOf = textMaker<Holes>(renderWorkspace(example, valueHole("tagNames"), related, write));
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

/** Bytes of a workspace that has neither attributes of its own nor tags. */
const BARE_BYTES = 4096;

/** About what a workspace takes as JSON; attributes are stored as such. */
function wireBytes({ workspace, tagNames }: Tagged): number {
  let bytes = BARE_BYTES + workspace.settingsBytes;
  for (const name of tagNames) bytes += Buffer.byteLength(name) + 3;
  return bytes;
}

function mayWrite({ actor }: Caller, workspace: Workspace): boolean {
  return authorize(unnoted(actor), "workspace", segment(workspace), "write");
}
