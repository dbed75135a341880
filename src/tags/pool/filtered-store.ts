/** Pages of the pool in other orders, and of the tags that conditions let through. */
import { sql, type Kysely } from "kysely";
import type { Visibility } from "../../rights/rules/visibility.ts";
import { equalsUnled, inRange, seesAll, visible, type TextRange } from "../../storage/reads/conditions.ts";
import type { Reader } from "../../storage/database.ts";
import type { Engine } from "../../storage/engine.ts";
import { defineQuery, type PreparedQuery } from "../../storage/reads/query.ts";
import type { Tables } from "../../storage/tables/tables.ts";
import { holds, leadByName, patternOf } from "./search.ts";
import { notCarriedBy, TAG_COLUMNS, type Tag } from "./store.ts";

/** Orders of the pool; tags that are equal by one come in the order of their names, in the same direction. */
export const TAG_SORTS = ["name", "-name", "count", "-count", "created-at", "-created-at"] as const;
export type TagSort = (typeof TAG_SORTS)[number];

/** Conditions on tags. All conditions must hold. */
export interface TagFilter {
  organization: string;
  /** Folded text that the name holds; see `soughtPart`. */
  part?: string | undefined;
  /** Tags that are a flat tag of this workspace are left out. */
  excludedWorkspace?: string | undefined;
  /** Whether neither a workspace nor a project has it. */
  unused?: boolean | undefined;
  /** Whether they are keys: of a project, which all may see, or of a workspace that is seen. */
  keys?: { are: boolean; seenBy: Visibility } | undefined;
  /** Bounds of how many workspaces carry it. */
  least?: number | undefined;
  most?: number | undefined;
  ids?: TextRange | undefined;
}

/** A page of the tags that the filter lets through. */
export function listFiltered(
  db: Reader,
  filter: TagFilter,
  sort: TagSort,
  limit: number,
  offset: number,
): Promise<Tag[]> {
  return runShape(db, filter, sort, limit, offset) as Promise<Tag[]>;
}

/** How many tags the filter lets through. */
export async function countFiltered(db: Reader, filter: TagFilter): Promise<number> {
  const [row] = (await runShape(db, filter, "count of all", 1, 0)) as { count: number }[];
  return row?.count ?? 0;
}

function paramsOf(filter: TagFilter, limit: number, offset: number) {
  const { part, unused: _, keys: __, ids, ...rest } = filter;
  return {
    ...rest,
    part,
    from: ids?.from,
    to: ids?.to,
    pattern: part === undefined ? undefined : patternOf(part),
    limit,
    offset,
  };
}

type Params = { [N in keyof ReturnType<typeof paramsOf>]-?: NonNullable<ReturnType<typeof paramsOf>[N]> };
type Order = TagSort | "count of all";

/** Built queries by what they ask for: there are few such forms, and building one costs more than running it. */
const built = new Map<string, PreparedQuery<Params, object>>();

function runShape(db: Reader, filter: TagFilter, sort: Order, limit: number, offset: number): Promise<object[]> {
  const params = paramsOf(filter, limit, offset) as Params;
  const asked = Object.entries(params).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const shape: Shape = { asked: new Set(asked), isUnused: filter.unused, keys: filter.keys, sort };
  // Queries limited by visibility are not kept: they differ from token to token.
  if (filter.keys !== undefined && !seesAll(filter.keys.seenBy))
    return build(db.sql, params, db.engine, shape).execute();
  const key = [sort, String(filter.unused), String(filter.keys?.are), ...asked].join();
  let query = built.get(key);
  if (query === undefined) {
    query = defineQuery((kysely, p: Params, engine) => build(kysely, p, engine, shape));
    built.set(key, query);
  }
  return db.run(query, params);
}

interface Shape {
  asked: ReadonlySet<string>;
  /** A part of the form and no parameter: with it as a constant the index of counts is used. */
  isUnused: boolean | undefined;
  keys: TagFilter["keys"];
  sort: Order;
}

function build(db: Kysely<Tables>, p: Params, engine: Engine, { asked, isUnused, keys, sort }: Shape) {
  const query = db
    .selectFrom("tags")
    .$if(!asked.has("from"), (some) => some.where("organization_id", "=", p.organization))
    .$if(asked.has("from"), (some) =>
      some.where(equalsUnled(engine, sql.ref("organization_id"), p.organization)).where(inRange(sql.ref("tags.id"), p)),
    )
    .$if(asked.has("part"), (some) => some.where(holds(engine, p)))
    .$if(asked.has("excludedWorkspace"), (some) => some.where(notCarriedBy(p.excludedWorkspace)))
    .$if(isUnused === true, (some) => some.where(sql<boolean>`instance_count = 0 and project_count = 0`))
    .$if(isUnused === false, (some) => some.where(sql<boolean>`not (instance_count = 0 and project_count = 0)`))
    .$if(keys?.are === true, (some) => some.where(isKey(engine, keys?.seenBy)))
    .$if(keys?.are === false, (some) => some.where(sql<boolean>`not ${isKey(engine, keys?.seenBy)}`))
    .$if(asked.has("least"), (some) => some.where("instance_count", ">=", p.least))
    .$if(asked.has("most"), (some) => some.where("instance_count", "<=", p.most));
  if (sort === "count of all") {
    const isByUses = isUnused === true || asked.has("least") || asked.has("most");
    return query
      .$if(engine === "sqlite" && !isByUses && !asked.has("from"), leadByName)
      .select((eb) => eb.fn.countAll<number>().as("count"));
  }
  return query.select(TAG_COLUMNS).orderBy(ORDERS[sort]).limit(p.limit).offset(p.offset);
}

/** A tag of the outer query is a key. Projects have no other tags. */
function isKey(engine: Engine, seenBy: Visibility | undefined) {
  const isSeen =
    seenBy === undefined || seesAll(seenBy) ? sql`` : sql` and ${visible(engine, sql.ref("workspace_key"), seenBy)}`;
  return sql<boolean>`(project_count > 0 or instance_count > 0
    and exists (select 1 from workspace_tags where tag_id = tags.id and marks > 1${isSeen}))`;
}

/** Names are unique in an organization, so each order is total; and each is one of an index, read from either end. */
const ORDERS = {
  name: sql`name asc`,
  "-name": sql`name desc`,
  count: sql`instance_count asc, name asc`,
  "-count": sql`instance_count desc, name desc`,
  "created-at": sql`created_at asc, name asc`,
  "-created-at": sql`created_at desc, name desc`,
};
