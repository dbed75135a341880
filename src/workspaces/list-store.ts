import { sql, type Compilable, type Expression, type Kysely, type SqlBool } from "kysely";
import type { Visibility } from "../rights/rules/visibility.ts";
import { contains, equalsUnled, fits, inRange, seesAll, visible, type TextRange } from "../storage/reads/conditions.ts";
import type { Reader } from "../storage/database.ts";
import type { Engine } from "../storage/engine.ts";
import { defineQuery, oneOf, type PreparedQuery } from "../storage/reads/query.ts";
import type { Tables } from "../storage/tables/tables.ts";
import { taggedIds, workspacesTagged, type TaggedFilter } from "../tags/holders/bindings/tagged-store.ts";
import { BINDING } from "../tags/pool/marks.ts";
import { LISTED_COLUMNS, type ListedOrganization, type ListedWorkspace, type Workspace } from "./store.ts";

/** Orders of a list; by name unless said otherwise. */
export type WorkspaceSort = "name" | "-name" | "latest-change-at" | "-latest-change-at" | "created-at" | "-created-at";

/** Conditions on workspaces of an organization. All conditions must hold. */
export interface WorkspaceFilter {
  organization: ListedOrganization;
  visibility: Visibility;
  projectId?: string | undefined;
  /** Bounds of the IDs. */
  ids?: TextRange | undefined;
  /** Folded text that the name holds. */
  namePart?: string | undefined;
  /** Pattern made by `likePattern` of a folded wildcard. */
  namePattern?: string | undefined;
  /** Tags that a workspace must carry, the least used first. */
  tagIds: readonly string[];
  /** Whether the first of these must be a flat tag of it, and no key alone. */
  isFlat?: boolean | undefined;
  /** Tags of which it may carry none. */
  excludedTagIds: readonly string[];
  /** Lists of tags of each of which it must carry or inherit one. */
  variants?: readonly (readonly string[])[] | undefined;
  /** Tags of which its project may have none. */
  excludedOfProject?: readonly string[] | undefined;
  /** Keys that must apply, and whether so few workspaces have them that these are looked up one by one. */
  tagged?: (TaggedFilter & { isRare: boolean }) | undefined;
  /** Workspace that is left out. */
  except?: string | undefined;
  /** Folded name behind which the list begins, where it is in order of names. */
  after?: string | undefined;
}

/** A page of the workspaces that the filter lets through. */
export async function listWorkspaces(
  db: Reader,
  filter: WorkspaceFilter,
  sort: WorkspaceSort,
  limit: number,
  offset: number,
): Promise<ListedWorkspace[]> {
  const rows = (await runShape(db, filter, sort, limit, offset)) as Omit<ListedWorkspace, keyof ListedOrganization>[];
  return rows.map((row) => Object.assign(row, filter.organization));
}

/** How many workspaces the filter lets through. */
export async function countWorkspaces(db: Reader, filter: WorkspaceFilter): Promise<number> {
  const rows = (await runShape(db, filter, "count", 1, 0)) as { count: number }[];
  return rows[0]?.count ?? 0;
}

/** The first workspaces that the filter lets through, in order of names: no more of each than bulk work needs. */
export async function listNames(
  db: Reader,
  filter: WorkspaceFilter,
  limit: number,
): Promise<Pick<Workspace, "id" | "nameKey">[]> {
  return (await runShape(db, filter, "names", limit, 0)) as Pick<Workspace, "id" | "nameKey">[];
}

function paramsOf(
  {
    organization,
    tagIds: [tag, ...moreTags],
    variants: _v,
    excludedOfProject: _e,
    tagged: _t,
    ...filter
  }: WorkspaceFilter,
  limit: number,
  offset: number,
) {
  return {
    organization: organization.organizationId,
    project: filter.projectId,
    from: filter.ids?.from,
    to: filter.ids?.to,
    part: filter.namePart,
    pattern: filter.namePattern,
    after: filter.after,
    except: filter.except,
    tag,
    flat: filter.isFlat === true ? 1 : undefined,
    moreTags,
    moreTagsCount: moreTags.length,
    excluded: filter.excludedTagIds,
    limit,
    offset,
  };
}

type Params = { [N in keyof ReturnType<typeof paramsOf>]: NonNullable<ReturnType<typeof paramsOf>[N]> };

/** Form of the result for the matching workspaces. */
type Form = WorkspaceSort | "count" | "names";

/** Built queries by what they ask for: there are few such forms, and building one costs more than running it. */
const built = new Map<string, PreparedQuery<Params, object>>();

function runShape(db: Reader, filter: WorkspaceFilter, sort: Form, limit: number, offset: number): Promise<object[]> {
  const params = paramsOf(filter, limit, offset) as Params;
  const asked = Object.entries(params).flatMap(([name, value]) =>
    value === undefined || isEmpty(value) ? [] : [name],
  );
  const shape = { asked: new Set(asked), sort };
  const { visibility, variants = [], excludedOfProject = [], tagged } = filter;
  if (!seesAll(visibility) || variants.length + excludedOfProject.length > 0 || tagged !== undefined) {
    return build(db.sql, params, db.engine, shape, { visibility, variants, excludedOfProject, tagged }).execute();
  }
  const key = [sort, ...asked].join();
  let query = built.get(key);
  if (query === undefined) {
    query = defineQuery((kysely, p: Params, engine) => build(kysely, p, engine, shape));
    built.set(key, query);
  }
  return db.run(query, params);
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/**
 * Joins the tables of a list. When few workspaces match, a cross join keeps SQLite from walking all the others in the
 * order of their names.
 */
function from(db: Kysely<Tables>, tagged: WorkspaceFilter["tagged"]) {
  const all = db.selectFrom("workspaces").innerJoin("projects", "projects.id", "workspaces.project_id");
  if (tagged?.isRare !== true) return all;
  const looked = db
    .selectFrom(sql<{ id: string }>`(${taggedIds(tagged)})`.as("fitting"))
    .crossJoin("workspaces")
    .crossJoin("projects")
    .whereRef("workspaces.id", "=", "fitting.id")
    .whereRef("projects.id", "=", "workspaces.project_id");
  return looked as unknown as typeof all;
}

/** Conditions whose form is another in each request, so that a query with them is built each time. */
type OwnConditions = Pick<WorkspaceFilter, "visibility" | "tagged" | "variants" | "excludedOfProject">;

function build(
  db: Kysely<Tables>,
  p: Params,
  engine: Engine,
  { asked, sort }: { asked: ReadonlySet<string>; sort: Form },
  own?: OwnConditions,
): Compilable<object> & { execute(): Promise<object[]> } {
  const name = sql.ref("workspaces.name_key");
  let query = from(db, own?.tagged);
  if (asked.has("tag")) {
    // A tag's links lie in order of the workspaces' names, so a page of them is read without sorting.
    query = query
      .innerJoin("workspace_tags as link", "link.workspace_id", "workspaces.id")
      .where(sql<boolean>`link.tag_id = ${p.tag}`);
    if (asked.has("flat")) query = query.where(sql<boolean>`link.marks <> ${sql.lit(BINDING)}`);
  } else if (asked.has("from")) {
    query = query.where(equalsUnled(engine, sql.ref("workspaces.organization_id"), p.organization));
  } else {
    query = query.where("workspaces.organization_id", "=", p.organization);
  }
  if (asked.has("from")) query = query.where(inRange(sql.ref("workspaces.id"), p));
  if (asked.has("project")) query = query.where("workspaces.project_id", "=", p.project);
  if (asked.has("part")) query = query.where(contains(engine, name, p.part));
  if (asked.has("pattern")) query = query.where(fits(name, p.pattern));
  if (asked.has("after")) query = query.where(sql<boolean>`${nameOf(asked.has("tag"))} > ${p.after}`);
  if (asked.has("except")) query = query.where("workspaces.id", "!=", p.except);
  if (asked.has("moreTags")) {
    query = query.where(sql<boolean>`(select count(*) from workspace_tags other
      where other.workspace_id = workspaces.id and ${oneOf(engine, sql.ref("other.tag_id"), p.moreTags)}) = ${p.moreTagsCount}`);
  }
  if (asked.has("excluded")) {
    query = query.where(sql<boolean>`not exists (select 1 from workspace_tags other
      where other.workspace_id = workspaces.id and ${oneOf(engine, sql.ref("other.tag_id"), p.excluded)})`);
  }
  for (const condition of own === undefined ? [] : ownConditions(engine, own)) query = query.where(condition);
  if (sort === "count") return query.select((eb) => eb.fn.countAll<number>().as("count"));
  if (sort === "names") {
    return query
      .select(["workspaces.id", "workspaces.name_key as nameKey"])
      .orderBy(order("name", asked.has("tag"), own?.tagged?.isRare))
      .limit(p.limit);
  }
  return query
    .select(LISTED_COLUMNS)
    .orderBy(order(sort, asked.has("tag"), own?.tagged?.isRare))
    .limit(p.limit)
    .offset(p.offset);
}

function* ownConditions(
  engine: Engine,
  { visibility, variants = [], excludedOfProject = [], tagged }: OwnConditions,
): Generator<Expression<SqlBool>> {
  if (!seesAll(visibility)) yield visible(engine, sql.ref("workspaces.name_key"), visibility);
  const ofProject = (tags: readonly string[]) => sql<SqlBool>`exists (select 1 from project_tags given
      where given.project_id = workspaces.project_id and ${oneOf(engine, sql.ref("given.tag_id"), tags)})`;
  for (const tags of variants) {
    yield sql<SqlBool>`(exists (select 1 from workspace_tags other
      where other.workspace_id = workspaces.id and ${oneOf(engine, sql.ref("other.tag_id"), tags)}) or ${ofProject(tags)})`;
  }
  if (excludedOfProject.length > 0) yield sql<SqlBool>`not ${ofProject(excludedOfProject)}`;
  if (tagged?.isRare === false) yield workspacesTagged(tagged);
}

/** A tag's links hold the names of its workspaces. */
function nameOf(byTag: boolean) {
  return sql.ref(byTag ? "link.workspace_key" : "workspaces.name_key");
}

/**
 * Names are unique in an organization; the other orders get the id, so that they are total too.
 *
 * @param isRare whether few fit, and are looked up: as a column of an index, the name would have SQLite walk all the others
 *   in its order
 */
function order(sort: WorkspaceSort, byTag: boolean, isRare = false) {
  const name = isRare ? sql`${nameOf(byTag)} || ''` : nameOf(byTag);
  const latestChange = sql.ref("workspaces.latest_change_at");
  const created = sql.ref("workspaces.created_at");
  const id = sql.ref("workspaces.id");
  const orders = {
    name: sql`${name} asc`,
    "-name": sql`${name} desc`,
    "latest-change-at": sql`${latestChange} asc, ${id} asc`,
    "-latest-change-at": sql`${latestChange} desc, ${id} asc`,
    "created-at": sql`${created} asc, ${id} asc`,
    "-created-at": sql`${created} desc, ${id} asc`,
  };
  return orders[sort];
}
