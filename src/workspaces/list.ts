import { authorize, visibleWorkspaces, questionOf } from "../rights/authorize.ts";
import { fold } from "../fold.ts";
import type { Context } from "../context.ts";
import { AppError, notFound } from "../errors.ts";
import type { KeptCounts } from "../limits/kept-counts.ts";
import { readGuarded } from "../storage/feed/content-states.ts";
import { findOrganization, type Organization } from "../organizations/store.ts";
import { counterName } from "../storage/writes/counters.ts";
import { likePattern, seesAll, seesNothing } from "../storage/reads/conditions.ts";
import type { Reader } from "../storage/database.ts";
import { resolveTagged, type TaggedSearch } from "../tags/holders/bindings/tagged.ts";
import { countKeysAlone } from "../tags/holders/workspace-tags/store.ts";
import { countTagged, type TaggedFilter } from "../tags/holders/bindings/tagged-store.ts";
import { findTagsByName, idsOf, type NamedTag } from "../tags/pool/store.ts";
import { soughtNames } from "../tags/holders/bindings/keys.ts";
import { countWorkspaces, listNames, listWorkspaces, type WorkspaceFilter, type WorkspaceSort } from "./list-store.ts";
import type { ListedOrganization, ListedWorkspace, Workspace } from "./store.ts";

/** Search of a list request, as the client wrote it. */
export interface WorkspaceSearch extends Pick<WorkspaceFilter, "projectId" | "ids"> {
  namePart?: string | undefined;
  wildcard?: string | undefined;
  tags?: readonly string[] | undefined;
  excludedTags?: readonly string[] | undefined;
  /** Keys and values that apply, inherited or not. */
  tagged?: TaggedSearch | undefined;
  sort: WorkspaceSort;
  /** A filter that nothing can match, such as one by a run's status. */
  matchesNothing: boolean;
}

export interface WorkspaceList {
  workspaces: ListedWorkspace[];
  total: number;
}

const SORTS: readonly WorkspaceSort[] = [
  "name",
  "-name",
  "latest-change-at",
  "-latest-change-at",
  "created-at",
  "-created-at",
];

/** The order that a client asks for. One by runs leaves the name, since without runs all are equal by them. */
export function readSort(text: string): WorkspaceSort {
  return SORTS.find((sort) => sort === text) ?? (text.startsWith("-") ? "-name" : "name");
}

const EMPTY: WorkspaceList = { workspaces: [], total: 0 };

/** Tags that one search may name: each is compared with every workspace that is left. */
const MAX_TAGS = 100;
/** Rows that a query may pass over before it is sent off the event loop. */
const NEAR = 1000;
/** Workspaces of a page that are read in place: each may have attributes of 128 KiB, which are passed over then. */
const FEW = 50;

/**
 * A page of the workspaces of an organization that the caller may see. A caller that may read only some of its
 * workspaces gets those. For a caller that may see none of it, the organization does not exist.
 *
 * @throws AppError `not_found`
 */
export async function searchWorkspaces(
  ctx: Context,
  kept: KeptCounts,
  organizationName: string,
  search: WorkspaceSearch,
  page: { offset: number; size: number },
): Promise<WorkspaceList> {
  const { all, workspaceCount } = await findListed(ctx, organizationName);
  if (search.matchesNothing) return EMPTY;
  const resolved = await resolveSearch(ctx.db, all, search);
  if (resolved === undefined) return EMPTY;
  const { filter, tagged, tags } = resolved;
  return tagged === undefined
    ? runSearch(ctx, filter, search.sort, page, workspaceCount, tags)
    : runTagged(ctx, kept, filter, tagged, search.sort, page);
}

/** Finds the organization and limits the list to what the caller may see. @throws AppError `not_found` if nothing */
export async function findListed(
  ctx: Context,
  organizationName: string,
): Promise<{ all: WorkspaceFilter; workspaceCount: number }> {
  const organization = await findOrganization(ctx.db, organizationName);
  const visibility = visibleWorkspaces(ctx.actor, organization?.name ?? organizationName);
  const readable = organization !== undefined && authorize(ctx.actor, "organization", organization.name, "read");
  const refused = organization && questionOf("organization", organization.name, "read");
  if (!readable && seesNothing(visibility)) throw notFound("organization", refused);
  const all = { organization: listed(organization), visibility, ...NO_CONDITIONS };
  // A caller who sees single workspaces must see one of them, whatever the search is. Asked in the same place whether or
  // not there is such an organization, so that the time it takes tells nothing.
  const seesSome = readable || (await listWorkspaces(ctx.db.long, all, "name", 1, 0)).length > 0;
  if (!seesSome) throw notFound("organization", refused);
  return { all, workspaceCount: organization?.workspaceCount ?? 0 };
}

/** A search in terms of what is stored. */
interface ResolvedSearch {
  filter: WorkspaceFilter;
  tagged: TaggedFilter | undefined;
  /** Tags of the filter that every workspace must have. */
  tags: NamedTag[];
}

/** @returns undefined when nothing can fit */
async function resolveSearch(
  db: Reader,
  all: WorkspaceFilter,
  search: BulkSearch,
): Promise<ResolvedSearch | undefined> {
  const { organizationId } = all.organization;
  const [conditions, tagged] = await Promise.all([
    resolveTags(db, organizationId, search),
    search.tagged === undefined ? undefined : resolveTagged(db, organizationId, search.tagged),
  ]);
  if (conditions === undefined || (search.tagged !== undefined && tagged === undefined)) return undefined;
  const { tags, variants, excluded, excludedOfProject } = conditions;
  const filter: WorkspaceFilter = {
    ...all,
    projectId: search.projectId,
    ids: search.ids,
    namePart: search.namePart === undefined ? undefined : fold(search.namePart),
    namePattern: search.wildcard === undefined ? undefined : likePattern(fold(search.wildcard)),
    tagIds: tags.map((tag) => tag.id),
    excludedTagIds: excluded.map((tag) => tag.id),
    variants,
    excludedOfProject,
  };
  return { filter, tagged, tags };
}

/** Search of bulk work: all workspaces that match, in order of names. */
export type BulkSearch = Omit<WorkspaceSearch, "sort" | "matchesNothing">;

/**
 * The next workspaces that a search finds of those that the caller may see, in order of their folded names.
 *
 * @param after folded name behind which they begin; empty for the first ones
 */
export async function findNext(
  ctx: Context,
  organization: Organization,
  search: BulkSearch,
  after: string,
  limit: number,
): Promise<Pick<Workspace, "id" | "nameKey">[]> {
  const filter = await bulkFilter(ctx, organization, search);
  if (filter === undefined) return [];
  return listNames(ctx.db.long, after === "" ? filter : { ...filter, after }, limit);
}

/** How many workspaces the same search finds. */
export async function countFound(ctx: Context, organization: Organization, search: BulkSearch): Promise<number> {
  const filter = await bulkFilter(ctx, organization, search);
  return filter === undefined ? 0 : countWorkspaces(ctx.db.long, filter);
}

async function bulkFilter(
  { db, actor }: Context,
  organization: Organization,
  search: BulkSearch,
): Promise<WorkspaceFilter | undefined> {
  const visibility = visibleWorkspaces(actor, organization.name);
  const resolved = await resolveSearch(
    db,
    { organization: listed(organization), visibility, ...NO_CONDITIONS },
    search,
  );
  if (resolved === undefined) return undefined;
  const { filter, tagged } = resolved;
  if (tagged === undefined) return filter;
  const fitting = await countTagged(db.long, tagged);
  return { ...filter, tagged: { ...tagged, isRare: fitting <= NEAR } };
}

function listed(organization: Organization | undefined): ListedOrganization {
  return {
    organizationId: organization?.id ?? "",
    organizationName: organization?.name ?? "",
    organizationExecutionMode: organization?.defaultExecutionMode ?? "",
  };
}

const NO_CONDITIONS = { tagIds: [], excludedTagIds: [] };

interface TagConditions {
  tags: NamedTag[];
  /** Tags that match a name, any of which will do: a flat tag, a key in another case, or a key that projects have. */
  variants: string[][];
  excluded: NamedTag[];
  excludedOfProject: string[];
}

/** @returns undefined when a tag is asked for that does not exist: nothing can carry it */
async function resolveTags(db: Reader, organization: string, search: BulkSearch): Promise<TagConditions | undefined> {
  const wanted = new Set(search.tags ?? []);
  const barred = new Set(search.excludedTags ?? []);
  if (wanted.size + barred.size > MAX_TAGS) {
    throw new AppError("bad_parameter", `A search can contain at most ${MAX_TAGS} tags`);
  }
  const names = new Set([...wanted, ...barred].flatMap(soughtNames));
  const known = new Map((await findTagsByName(db, organization, [...names])).map((tag) => [tag.name, tag]));
  const found = (name: string) => soughtNames(name).flatMap((each) => known.get(each) ?? []);
  const carried = [...wanted].map(found);
  if (carried.some((tags) => tags.length === 0)) return undefined;
  const isSingle = (tags: readonly NamedTag[]) => tags.length === 1 && tags.every((tag) => tag.projectCount === 0);
  const single = new Map(carried.flatMap((tags) => (isSingle(tags) ? tags.map((tag) => [tag.id, tag]) : [])));
  const excluded = [...barred].flatMap(found);
  return {
    tags: [...single.values()].toSorted((a, b) => a.instanceCount - b.instanceCount),
    variants: carried.filter((tags) => !isSingle(tags)).map(idsOf),
    excluded,
    excludedOfProject: idsOf(excluded.filter(({ projectCount }) => projectCount > 0)),
  };
}

/** Many workspaces that fit are found by looking at all in their order, few by looking them up. */
async function runTagged(
  ctx: Context,
  kept: KeptCounts,
  filter: WorkspaceFilter,
  tagged: TaggedFilter,
  sort: WorkspaceSort,
  page: { offset: number; size: number },
): Promise<WorkspaceList> {
  const fitting = await countFitting(ctx, kept, filter.organization, tagged);
  if (fitting === 0) return EMPTY;
  const isRare = fitting <= NEAR;
  const asked = { ...filter, tagged: { ...tagged, isRare } };
  const isAll = filter.tagIds.length === 0 && knownTotal(filter, fitting, []) !== undefined;
  const [workspaces, total] = await Promise.all([
    listWorkspaces(ctx.db.long, asked, sort, page.size, page.offset),
    isAll ? fitting : countWorkspaces(ctx.db.long, { ...asked, tagged: { ...tagged, isRare: true } }),
  ]);
  return { workspaces, total };
}

/** Counts matching workspaces. Every write to the organization makes another state, which is counted separately. */
async function countFitting(
  { db }: Context,
  kept: KeptCounts,
  { organizationId }: ListedOrganization,
  tagged: TaggedFilter,
): Promise<number> {
  // Read before what is counted, and only ever another one later.
  const state = await readGuarded(db, counterName({ kind: "organization", id: organizationId }));
  const key = JSON.stringify([organizationId, tagged]);
  return kept.count({ key, version: state?.at ?? "" }, () => countTagged(db.long, tagged));
}

async function runSearch(
  ctx: Context,
  filter: WorkspaceFilter,
  sort: WorkspaceSort,
  page: { offset: number; size: number },
  workspaceCount: number,
  tags: readonly Pick<NamedTag, "id" | "instanceCount">[],
): Promise<WorkspaceList> {
  const known = knownTotal(filter, workspaceCount, tags);
  const perWorkspace = 1 + filter.tagIds.length + filter.excludedTagIds.length;
  const rows = (tags[0]?.instanceCount ?? workspaceCount) * perWorkspace;
  const inOrder = sort.endsWith("name") && known !== undefined;
  const isFar = page.size > FEW || (inOrder ? page.offset : rows) > NEAR;
  const db = isFar ? ctx.db.long : ctx.db;
  const [workspaces, total] = await Promise.all([
    listWorkspaces(db, filter, sort, page.size, page.offset),
    known ?? countWorkspaces(rows > NEAR ? ctx.db.long : ctx.db, filter),
  ]);
  return { workspaces, total };
}

/** The count that is maintained, where the filter asks for just what it counts. */
function knownTotal(
  filter: WorkspaceFilter,
  workspaceCount: number,
  tags: readonly Pick<NamedTag, "id" | "instanceCount">[],
): number | undefined {
  if (!seesAll(filter.visibility) || filter.excludedTagIds.length > 0 || tags.length > 1) return undefined;
  const { projectId, ids, namePart, namePattern, variants } = filter;
  if ([projectId, ids, namePart, namePattern, variants?.[0]].some((each) => each !== undefined)) return undefined;
  return tags[0]?.instanceCount ?? workspaceCount;
}

/** A page of the workspaces that carry a tag as a flat one, of those that the caller may see. */
export async function listCarriers(
  ctx: Context,
  organization: ListedOrganization,
  { id, instanceCount }: Pick<NamedTag, "id" | "instanceCount">,
  page: { offset: number; size: number },
): Promise<WorkspaceList> {
  const visibility = visibleWorkspaces(ctx.actor, organization.organizationName);
  if (seesNothing(visibility)) return EMPTY;
  const keys = await countKeysAlone(instanceCount > NEAR ? ctx.db.long : ctx.db, id);
  const filter = { organization, visibility, ...NO_CONDITIONS, tagIds: [id], isFlat: keys > 0 };
  return runSearch(ctx, filter, "name", page, instanceCount, [{ id, instanceCount: instanceCount - keys }]);
}
