/** The values that keys of the pool have. */
import { sql } from "kysely";
import type { Reader } from "../storage/database.ts";
import { defineQuery, oneOf } from "../storage/query.ts";

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

/** @param tags at most as many as a page has */
const values = defineQuery((db, p: { tags: readonly string[] }, engine) => {
  const isOneOf = oneOf(engine, sql.ref("tag_id"), p.tags);
  // Counted by the index of values first, so that what is sorted afterwards are values and not links.
  const uses = sql`
    select tag_id, value, count(*) as workspaces, 0 as projects from workspace_tags
    where ${isOneOf} and marks > 1 group by tag_id, value
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
});

/** The values of these tags, by their ids; of those alone that are keys. */
export async function listValues(db: Reader, tags: readonly string[]): Promise<Map<string, TagValues>> {
  if (tags.length === 0) return new Map();
  const rows = await db.run(values, { tags });
  const found = new Map<string, TagValues>();
  for (const { tag, count, value, workspaces, projects } of rows) {
    const known = found.get(tag) ?? { values: [], count };
    found.set(tag, known);
    known.values.push({ value, workspaces, projects });
  }
  return found;
}
