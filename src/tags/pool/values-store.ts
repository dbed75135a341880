/** The values that keys of the pool have. */
import { sql, type Expression, type Kysely, type SqlBool } from "kysely";
import type { Visibility } from "../../rights/rules/visibility.ts";
import { seesAll, visible } from "../../storage/reads/conditions.ts";
import type { Reader } from "../../storage/database.ts";
import type { Engine } from "../../storage/engine.ts";
import { defineQuery, oneOf } from "../../storage/reads/query.ts";
import type { Tables } from "../../storage/tables/tables.ts";

/** A value of a key, and how many have it. */
export interface ValueUse {
  value: string;
  workspaces: number;
  projects: number;
}

/** The values of a key. */
export interface TagValues {
  /** The most used ones, `MAX_VALUES` at most. */
  values: ValueUse[];
  /** How many different ones there are. */
  count: number;
}

/** Values of one tag that are shown. */
export const MAX_VALUES = 100;

/** @param tags at most as many as a page has @param isSeen of a link, by the name of its workspace; undefined for all */
function build(db: Kysely<Tables>, tags: readonly string[], engine: Engine, isSeen?: Expression<SqlBool>) {
  const isOneOf = oneOf(engine, sql.ref("tag_id"), tags);
  // Counted by the index of values first, so that what is sorted afterwards are values and not links.
  const uses = sql`
    select tag_id, value, count(*) as workspaces, 0 as projects from workspace_tags
    where ${isOneOf} and marks > 1${isSeen === undefined ? sql`` : sql` and ${isSeen}`} group by tag_id, value
    union all
    select tag_id, value, 0, count(*) from project_tags where ${isOneOf} group by tag_id, value`;
  const sums = sql`select tag_id, value, cast(sum(workspaces) as bigint) as workspaces,
    cast(sum(projects) as bigint) as projects from (${uses}) uses group by tag_id, value`;
  const placed = sql<ValueUse & { tag: string; count: number; place: number }>`(
    select tag_id as tag, value, workspaces, projects, count(*) over (partition by tag_id) as count,
      row_number() over (partition by tag_id order by workspaces desc, projects desc, value) as place
    from (${sums}) sums)`;
  return db
    .selectFrom(placed.as("placed"))
    .select(["tag", "value", "workspaces", "projects", "count"])
    .where("place", "<=", sql<number>`${sql.lit(MAX_VALUES)}`)
    .orderBy("tag")
    .orderBy("place");
}

const all = defineQuery((db, p: { tags: readonly string[] }, engine) => build(db, p.tags, engine));

/**
 * The values of these tags, by their ids; of those alone that are keys.
 *
 * @param visibility of the workspaces whose values may be shown; those of projects all may
 */
export async function listValues(
  db: Reader,
  tags: readonly string[],
  visibility: Visibility,
): Promise<Map<string, TagValues>> {
  if (tags.length === 0) return new Map();
  const rows = seesAll(visibility)
    ? await db.run(all, { tags })
    : await build(db.sql, tags, db.engine, visible(db.engine, sql.ref("workspace_key"), visibility)).execute();
  const found = new Map<string, TagValues>();
  for (const { tag, count, value, workspaces, projects } of rows) {
    const known = found.get(tag) ?? { values: [], count };
    found.set(tag, known);
    known.values.push({ value, workspaces, projects });
  }
  return found;
}
