/**
 * Projects: what groups the workspaces of an organization. Rights to them are those to their organization; workspaces are
 * moved by `move.ts`. Implements the projects API of `/api/v2`. Keys and values of a project are
 * inherited by its workspaces; flat tags are never on a project.
 */
import { permitted } from "../rights/authorize.ts";
import type { Access } from "../rights/rules/rule.ts";
import { readOverwrites } from "../attributes.ts";
import { writeNoter } from "../tags/changes/written.ts";
import type { Context } from "../context.ts";
import { AppError, invalid, nameTaken, notFound } from "../errors.ts";
import { newId } from "../ids.ts";
import { accessibleOrganization, getOrganization } from "../organizations/access.ts";
import { addToOrganizationCounts, findOrganizationById } from "../organizations/store.ts";
import type { Reader, Transaction } from "../storage/database.ts";
import { changeHeld, clearHeld } from "../tags/holders/change.ts";
import { PROJECTS } from "../tags/holders/projects.ts";
import { checkBindings, type BindingInput } from "../tags/holders/bindings/keys.ts";
import { resolveTagged, type TaggedSearch } from "../tags/holders/bindings/tagged.ts";
import type { TagWarning } from "../tags/rules/enforce.ts";
import { checkDuration } from "./auto-destroy.ts";
import { projectRights, type ProjectRights } from "./rights.ts";
import {
  countProjects,
  deleteProject as deleteRow,
  findProject,
  findProjectId,
  insertProject,
  listProjects as listRows,
  updateProject as updateRow,
  type Project,
  type ProjectFilter,
  type ProjectSort,
} from "./store.ts";

export type { Project } from "./store.ts";

const note = writeNoter("project");

export type ProjectExecutionMode = "remote" | "local";

/** Content of a request for a project. Absent members stay as they are, or get the default. Null sets the default. */
export interface ProjectInput {
  name?: string | undefined;
  description?: string | null | undefined;
  defaultExecutionMode?: ProjectExecutionMode | null | undefined;
  /** Whether the project has a mode of its own, in either of two spellings; false follows the organization again. */
  overwrites?:
    | { "default-execution-mode"?: boolean | null | undefined; "default-agent-pool"?: boolean | null | undefined }
    | null
    | undefined;
  autoDestroyActivityDuration?: string | null | undefined;
  /** Whether an agent pool was given, which no mode that we have allows. */
  hasAgentPool: boolean;
  /** Keys and values, when the request sets or replaces them. */
  bindings?: readonly BindingInput[] | undefined;
}

export interface ProjectSearch extends Pick<ProjectFilter, "part" | "names" | "ids"> {
  /** Keys and values that it has itself. */
  tagged?: TaggedSearch | undefined;
  /** Whether the caller has these rights to it. */
  rights: { [Right in keyof ProjectRights]?: boolean | undefined };
  sort: ProjectSort;
}

const NAME_POINTER = "/data/attributes/name";
/** Rows that a query may pass over before it is sent off the event loop. */
const NEAR = 1000;

/**
 * A page of an organization's projects.
 *
 * @throws AppError `not_found` when the organization is missing or may not be read
 */
export async function listProjects(
  ctx: Context,
  organizationName: string,
  search: ProjectSearch,
  page: { offset: number; size: number },
): Promise<{ projects: Project[]; total: number }> {
  const organization = await getOrganization(ctx, organizationName, "read");
  const { part, names, tagged, ids, rights, sort } = search;
  const has = projectRights(ctx.actor, organization.name);
  const { update = has.update, createWorkspace = has.createWorkspace } = rights;
  if (update !== has.update || createWorkspace !== has.createWorkspace) return { projects: [], total: 0 };
  const tests = tagged === undefined ? undefined : await resolveTagged(ctx.db, organization.id, tagged);
  if (tagged !== undefined && tests === undefined) return { projects: [], total: 0 };
  const filter = { organization: organization.id, part, names, tagged: tests, ids };
  const slice = { limit: page.size, offset: page.offset, sort };
  if ([part, names, tests, ids].every((condition) => condition === undefined)) {
    // Only the names lie in order; by their time all of them are sorted.
    const passed = sort === "newest" ? organization.projectCount : page.offset;
    const db = passed > NEAR ? ctx.db.long : ctx.db;
    return { projects: await listRows(db, filter, slice), total: organization.projectCount };
  }
  const db = organization.projectCount > NEAR ? ctx.db.long : ctx.db;
  const [projects, total] = await Promise.all([listRows(db, filter, slice), countProjects(db, filter)]);
  return { projects, total };
}

/**
 * Reads one project.
 *
 * @throws AppError `not_found`
 */
export async function readProject(ctx: Context, id: string): Promise<Project> {
  return accessible(ctx, await findProject(ctx.db, id), "read");
}

/** Returns the project that was found, unless the caller lacks that access to its organization. */
export function accessible(ctx: Context, project: Project | undefined, access: Access): Project {
  return permitted(ctx, "project", project, "organization", (found) => found.organizationName, access);
}

/**
 * The project that a workspace is to be in, for other features.
 *
 * @param organization the workspace's; its default project may be used by whoever may write the workspace
 * @throws AppError `not_found` when it is missing, of another organization, or may not be seen
 */
export async function findProjectOf(
  ctx: Context,
  db: Reader,
  organization: { id: string; name: string; defaultProjectId: string },
  id: string,
): Promise<Project> {
  const project = await findProject(db, id);
  if (project?.organizationId !== organization.id) throw notFound("project");
  return id === organization.defaultProjectId ? project : accessible(ctx, project, "read");
}

/** Gives a new organization the project that its workspaces are in unless they name another. */
export function insertDefaultProject(
  tx: Transaction,
  organization: { id: string; defaultProjectId: string; createdAt: string },
): void {
  const { id, defaultProjectId, createdAt } = organization;
  insertProject(tx, { ...EMPTY, id: defaultProjectId, organizationId: id, name: "Default Project", createdAt });
}

/** Values of a project without settings. */
const EMPTY = { description: "", settings: "{}", defaultExecutionMode: "" };

/** A project as a request has made it. */
export interface WrittenProject {
  project: Project;
  /** Rules for tags that its keys and values break, where they only advise. */
  warnings: TagWarning[];
}

/**
 * Creates a project.
 *
 * @throws AppError `not_found`, `invalid`, `already_exists`
 */
export async function createProject(
  ctx: Context,
  organizationName: string,
  input: ProjectInput,
): Promise<WrittenProject> {
  checkInput(input);
  const { name } = input;
  if (name === undefined) throw invalid("Name is missing", NAME_POINTER);
  const { id: organizationId } = await getOrganization(ctx, organizationName, "write");
  const id = newId("prj");
  const createdAt = new Date(ctx.now()).toISOString();
  return ctx.db.inTransaction({ kind: "organization", id: organizationId }, async (tx) => {
    const [found, holder] = await Promise.all([
      findOrganizationById(tx, organizationId),
      findProjectId(tx, organizationId, name),
    ]);
    const organization = accessibleOrganization(ctx, found, "write");
    if (holder !== undefined) throw nameTaken();
    const empty: Project = {
      id,
      organizationId,
      organizationName: organization.name,
      organizationExecutionMode: organization.defaultExecutionMode,
      defaultProjectId: organization.defaultProjectId,
      name,
      ...EMPTY,
      createdAt,
      workspaceCount: 0,
    };
    const project = changed(empty, input);
    insertProject(tx, project);
    await note(tx, ctx, undefined, project);
    addToOrganizationCounts(tx, organizationId, { projects: 1 });
    return { project, warnings: await bind(ctx, tx, project, input) };
  });
}

/**
 * Changes what the request gives and leaves the rest.
 *
 * @throws AppError `not_found`, `invalid`, `already_exists`
 */
export async function updateProject(ctx: Context, id: string, input: ProjectInput): Promise<WrittenProject> {
  checkInput(input);
  const { organizationId } = accessible(ctx, await findProject(ctx.db, id), "write");
  const { name } = input;
  return ctx.db.inTransaction({ kind: "organization", id: organizationId }, async (tx) => {
    const [found, holder] = await Promise.all([
      findProject(tx, id),
      name === undefined ? undefined : findProjectId(tx, organizationId, name),
    ]);
    const before = accessible(ctx, found, "write");
    if (holder !== undefined && holder !== id) throw nameTaken();
    const after = changed(before, input);
    if (JSON.stringify(after) !== JSON.stringify(before)) {
      updateRow(tx, after, before);
      await note(tx, ctx, before, after);
    }
    return { project: after, warnings: await bind(ctx, tx, after, input) };
  });
}

async function bind(
  ctx: Context,
  tx: Transaction,
  project: Project,
  { bindings }: ProjectInput,
): Promise<TagWarning[]> {
  if (bindings === undefined) return [];
  return (await changeHeld(ctx, tx, PROJECTS, project, { bindings: { wanted: bindings, replaces: true } })).warnings;
}

function changed(before: Project, input: ProjectInput): Project {
  return {
    ...before,
    name: input.name ?? before.name,
    description: input.description === undefined ? before.description : (input.description ?? ""),
    defaultExecutionMode: changedExecutionMode(before, input),
    settings:
      input.autoDestroyActivityDuration === undefined
        ? before.settings
        : JSON.stringify({ "auto-destroy-activity-duration": input.autoDestroyActivityDuration }),
  };
}

/** A mode that is given is the project's own from then on, unless the request says by its overwrites that it has none. */
function changedExecutionMode(before: Project, input: ProjectInput): string {
  const { defaultExecutionMode: mode, overwrites } = input;
  const own = readOverwrites(overwrites?.["default-execution-mode"], overwrites?.["default-agent-pool"]);
  if (own === false || (own === undefined && mode === null)) return "";
  if (typeof mode === "string") return mode;
  // The one that it shows stays, whatever becomes of the organization's.
  return own === true ? before.defaultExecutionMode || before.organizationExecutionMode : before.defaultExecutionMode;
}

/**
 * Deletes a project that holds no workspaces.
 *
 * @throws AppError `not_found`, `forbidden` for the default project, `conflict` while it holds workspaces
 */
export async function deleteProject(ctx: Context, id: string): Promise<void> {
  const { organizationId } = accessible(ctx, await findProject(ctx.db, id), "write");
  await ctx.db.inTransaction({ kind: "organization", id: organizationId }, async (tx) => {
    const project = accessible(ctx, await findProject(tx, id), "write");
    if (project.id === project.defaultProjectId) {
      throw new AppError("forbidden", "The default project of an organization cannot be deleted");
    }
    if (project.workspaceCount > 0) {
      throw new AppError("conflict", "The project contains workspaces. Move or delete them first");
    }
    await clearHeld(ctx, tx, PROJECTS, project);
    deleteRow(tx, project);
    await note(tx, ctx, project, undefined);
    addToOrganizationCounts(tx, organizationId, { projects: -1 });
  });
}

/** Checks the request alone, so a refusal reveals nothing about stored data. */
function checkInput({ name, hasAgentPool, bindings, autoDestroyActivityDuration }: ProjectInput): void {
  if (name !== undefined) checkName(name);
  checkDuration(autoDestroyActivityDuration);
  if (hasAgentPool) {
    throw invalid(
      "Default agent pool must not be specified unless using 'agent' execution mode",
      "/data/relationships/default-agent-pool",
    );
  }
  if (bindings !== undefined) checkBindings(bindings, "/data/relationships/tag-bindings/data");
}

function checkName(name: string): void {
  if (!/^[A-Za-z0-9 _-]*$/.test(name)) {
    throw invalid("Name may only contain letters, numbers, spaces, hyphens and underscores", NAME_POINTER);
  }
  if (name.startsWith(" ") || name.endsWith(" ")) {
    throw invalid("Name may only contain spaces between other characters", NAME_POINTER);
  }
  if (name.length < 3) throw invalid("Name is too short (minimum is 3 characters)", NAME_POINTER);
  if (name.length > 40) throw invalid("Name is too long (maximum is 40 characters)", NAME_POINTER);
}
