/**
 * Organizations: the owners of projects, workspaces and tags. Creating one makes its default project; deleting one
 * frees its name at once and leaves what hangs on it to the background. Implements the organizations API of `/api/v2`
 * (docs/api/organizations.md).
 */
import { authorize, checkAllowed, questionOf, visibleOrganizations, workspaceSight } from "../rights/authorize.ts";
import { fold } from "../fold.ts";
import type { Context } from "../context.ts";
import { invalid, nameTaken, notFound } from "../errors.ts";
import { newId } from "../ids.ts";
import { insertDefaultProject } from "../projects/service.ts";
import { findProject, type Project } from "../projects/store.ts";
import { seesAll } from "../storage/reads/conditions.ts";
import { insertPurges } from "../storage/purge/purge.ts";
import { accessibleOrganization, getOrganization } from "./access.ts";
import { ATTRIBUTES, type AttributesChange } from "./attributes.ts";
import {
  countOrganizations,
  deleteOrganization as deleteRow,
  findOrganization,
  findOrganizationById,
  findSeenOrganization,
  insertOrganization,
  listOrganizations as listRows,
  updateOrganization as updateRow,
  type Organization,
  type OrganizationFilter,
} from "./store.ts";

export type { Organization } from "./store.ts";

export type DefaultExecutionMode = "remote" | "local";

/**
 * Content of a request for an organization. Absent members stay as they are, or get the default. Null sets the default.
 */
export interface OrganizationInput {
  name?: string | undefined;
  email?: string | undefined;
  defaultExecutionMode?: DefaultExecutionMode | null | undefined;
  /** Whether a default agent pool was given, which no mode that we have allows. */
  hasAgentPool: boolean;
  attributes: AttributesChange;
}

/** Texts that are searched for, each at any place and in any case. */
export type OrganizationSearch = Omit<OrganizationFilter, "visibility" | "sight">;

/** An organization, and whether the caller may read it, or only workspaces in it: then it knows the name alone. */
export interface SeenOrganization {
  organization: Organization;
  isRead: boolean;
}

const NAME_POINTER = "/data/attributes/name";
const EMAIL_POINTER = "/data/attributes/email";
const DEFAULT_MODE: DefaultExecutionMode = "remote";
const NAME_LENGTH = 90;
const EMAIL_LENGTH = 254;
/** Rows that one step of a whole list reads. */
const SLICE = 200;

/**
 * A page of the organizations that the caller may read, or workspaces of them, in order of their names.
 * Nothing bounds how many there are, so it is read off the event loop.
 */
export async function listOrganizations(
  ctx: Context,
  search: OrganizationSearch,
  page: { offset: number; size: number },
): Promise<{ organizations: Organization[]; total: number }> {
  const { long } = ctx.db;
  const filter = visibleOnly(ctx, search);
  const [organizations, total] = await Promise.all([
    listRows(long, filter, { limit: page.size, offset: page.offset }),
    countOrganizations(long, filter),
  ]);
  return { organizations, total };
}

/** All of them, slice by slice; each is read when the one before has been taken. */
export async function* streamOrganizations(ctx: Context, search: OrganizationSearch): AsyncGenerator<Organization[]> {
  const filter = visibleOnly(ctx, search);
  let after = "";
  for (;;) {
    const slice = await listRows(ctx.db.long, filter, { limit: SLICE, after });
    if (slice.length > 0) yield slice;
    const last = slice.at(-1);
    if (last === undefined || slice.length < SLICE) return;
    after = fold(last.name);
  }
}

function visibleOnly(ctx: Context, search: OrganizationSearch): OrganizationFilter {
  const visibility = visibleOrganizations(ctx.actor);
  return seesAll(visibility) ? { ...search, visibility } : { ...search, visibility, sight: workspaceSight(ctx.actor) };
}

/**
 * Finds one organization that the caller may read, or a workspace of it.
 *
 * @throws AppError `not_found`
 */
export async function seeOrganization(ctx: Context, name: string): Promise<SeenOrganization> {
  const isRead = authorize(ctx.actor, "organization", name, "read");
  // The question follows from the name and the rights, so that it tells nothing of what there is.
  const organization = isRead
    ? await findOrganization(ctx.db, name)
    : await findSeenOrganization(ctx.db, name, workspaceSight(ctx.actor, name));
  if (organization !== undefined) return { organization, isRead };
  throw notFound("organization", isRead ? undefined : questionOf("organization", name, "read"));
}

/** Reads the default project of an organization that the caller may read. */
export function readDefaultProject(ctx: Context, { defaultProjectId }: Organization): Promise<Project | undefined> {
  return findProject(ctx.db, defaultProjectId);
}

/**
 * Creates an organization with its default project.
 *
 * @throws AppError `invalid`, `already_exists`, or `not_found` for lack of a right to the name
 */
export async function createOrganization(ctx: Context, input: OrganizationInput): Promise<Organization> {
  const { name, email } = input;
  checkInput(input);
  if (name === undefined) throw invalid("Name is missing", NAME_POINTER);
  if (email === undefined) throw invalid("Email is missing", EMAIL_POINTER);
  checkAllowed(ctx, "organization", "organization", name, "write");
  const organization: Organization = {
    id: newId("org"),
    name,
    email,
    settings: JSON.stringify(ATTRIBUTES.change("{}", input.attributes)),
    defaultExecutionMode: input.defaultExecutionMode ?? DEFAULT_MODE,
    defaultProjectId: newId("prj"),
    createdAt: new Date(ctx.now()).toISOString(),
    tagCount: 0,
    workspaceCount: 0,
    projectCount: 1,
  };
  await ctx.db.inTransaction({ kind: "root" }, async (tx) => {
    if ((await findOrganization(tx, name)) !== undefined) throw nameTaken();
    insertOrganization(tx, organization);
    insertDefaultProject(tx, organization);
  });
  return organization;
}

/**
 * Changes what the request gives and leaves the rest. Another name needs a right to it, too.
 *
 * @throws AppError `not_found`, `invalid`, `already_exists`
 */
export async function updateOrganization(ctx: Context, name: string, input: OrganizationInput): Promise<Organization> {
  checkInput(input);
  const { id } = permitted(ctx, await findOrganization(ctx.db, name), input);
  return ctx.db.inTransaction({ kind: "root" }, async (tx) => {
    const [found, holder] = await Promise.all([
      findOrganizationById(tx, id),
      input.name === undefined ? undefined : findOrganization(tx, input.name),
    ]);
    const before = permitted(ctx, found, input);
    if (holder !== undefined && holder.id !== id) throw nameTaken();
    const after: Organization = {
      ...before,
      name: input.name ?? before.name,
      email: input.email ?? before.email,
      defaultExecutionMode:
        input.defaultExecutionMode === undefined
          ? before.defaultExecutionMode
          : (input.defaultExecutionMode ?? DEFAULT_MODE),
      settings: JSON.stringify(ATTRIBUTES.change(before.settings, input.attributes)),
    };
    if (JSON.stringify(after) !== JSON.stringify(before)) updateRow(tx, after, before);
    return after;
  });
}

/** Asks for both names at once, so that a refusal of either looks the same. */
function permitted(ctx: Context, organization: Organization | undefined, input: OrganizationInput): Organization {
  const found = accessibleOrganization(ctx, organization, "write");
  if (input.name !== undefined) checkAllowed(ctx, "organization", "organization", input.name, "write");
  return found;
}

/**
 * Deletes an organization. It, all it owns and its name are gone at once; the
 * rows of what it owned are removed in the background.
 *
 * @throws AppError `not_found`
 */
export async function deleteOrganization(ctx: Context, name: string): Promise<void> {
  const { id } = await getOrganization(ctx, name, "write");
  const now = new Date(ctx.now()).toISOString();
  await ctx.db.inTransaction({ kind: "root" }, async (tx) => {
    deleteRow(tx, accessibleOrganization(ctx, await findOrganizationById(tx, id), "write"));
    insertPurges(tx, "organization", [id], now);
  });
}

/** Checks the request alone, so a refusal reveals nothing about stored data. */
function checkInput({ name, email, hasAgentPool }: OrganizationInput): void {
  if (name !== undefined) checkName(name);
  if (email !== undefined && (email.length > EMAIL_LENGTH || !/^[^\s@\p{C}]+@[^\s@\p{C}]+$/u.test(email))) {
    throw invalid(
      `Email is invalid: it needs one @ with text on both sides, no white space, and at most ${EMAIL_LENGTH} characters`,
      EMAIL_POINTER,
    );
  }
  if (hasAgentPool) {
    throw invalid(
      "Default agent pool must not be specified unless using 'agent' execution mode",
      "/data/relationships/default-agent-pool",
    );
  }
}

function checkName(name: string): void {
  if (name === "") throw invalid("Name must not be empty", NAME_POINTER);
  if (!/^[A-Za-z0-9_-]+$/.test(name)) {
    throw invalid("Name may only contain letters, numbers, hyphens and underscores", NAME_POINTER);
  }
  if (name.length > NAME_LENGTH) {
    throw invalid(`Name is too long (maximum is ${NAME_LENGTH} characters)`, NAME_POINTER);
  }
}
