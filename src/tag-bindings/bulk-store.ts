/** Reads the keys of projects for bulk work. */
import { sql } from "kysely";
import type { Reader } from "../storage/database.ts";
import { defineQuery, oneOf } from "../storage/reads/query.ts";
import { runInSlices } from "../storage/purge/slices.ts";
import type { BoundProject } from "./bind.ts";

const values = defineQuery((db, p: { tags: readonly string[]; projects: readonly string[] }, engine) =>
  db
    .selectFrom("project_tags")
    .select(["project_id as project", "tag_id as tag", "value"])
    .where(oneOf(engine, sql.ref("project_id"), p.projects))
    .where(oneOf(engine, sql.ref("tag_id"), p.tags)),
);

/** The values that these projects give these keys, by the project's id and the tag's. */
export async function findProjectValues(
  db: Reader,
  tags: readonly string[],
  projects: readonly string[],
): Promise<Map<string, Map<string, string>>> {
  const rows = await runInSlices(db, values, projects, (slice) => ({ tags, projects: slice }));
  const found = new Map<string, Map<string, string>>();
  for (const { project, tag, value } of rows) found.set(project, (found.get(project) ?? new Map()).set(tag, value));
  return found;
}

const counts = defineQuery((db, p: { projects: readonly string[] }, engine) =>
  db
    .selectFrom("project_tags")
    .innerJoin("tags", "tags.id", "project_tags.tag_id")
    .select(["project_id as id", (eb) => eb.fn.countAll<number>().as("count")])
    .where(oneOf(engine, sql.ref("project_id"), p.projects))
    .groupBy("project_id"),
);

/** How many keys each of these projects has; none where it is not mentioned. */
export async function countBoundProjects(db: Reader, projects: readonly string[]): Promise<Map<string, number>> {
  const rows = await runInSlices(db, counts, projects, (slice) => ({ projects: slice }));
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** A project that bulk work concerns. */
export type BulkProject = BoundProject & { nameKey: string };

const COLUMNS = [
  "projects.id",
  "projects.organization_id as organizationId",
  "projects.name",
  "projects.name_key as nameKey",
] as const;

const byTag = defineQuery((db, p: { tag: string; limit: number }) =>
  db
    .selectFrom("project_tags")
    .innerJoin("projects", "projects.id", "project_tags.project_id")
    .select(COLUMNS)
    .where("tag_id", "=", p.tag)
    .orderBy("project_id")
    .limit(p.limit),
);

/** Some projects that have the key. */
export function listProjectsOfTag(db: Reader, tag: string, limit: number): Promise<BulkProject[]> {
  return db.run(byTag, { tag, limit });
}

const after = defineQuery((db, p: { organization: string; after: string; limit: number }) =>
  db
    .selectFrom("projects")
    .select(COLUMNS)
    .where("organization_id", "=", p.organization)
    .where("name_key", ">", p.after)
    .orderBy("name_key")
    .limit(p.limit),
);

/** Projects of an organization in order of their folded names, after one. */
export function listProjectsAfter(
  db: Reader,
  organization: string,
  name: string,
  limit: number,
): Promise<BulkProject[]> {
  return db.run(after, { organization, after: name, limit });
}

const byIds = defineQuery((db, p: { ids: readonly string[] }, engine) =>
  db
    .selectFrom("projects")
    .select(COLUMNS)
    .where(oneOf(engine, sql.ref("id"), p.ids)),
);

/** Projects by their ids, in no order; those of other organizations are left out. */
export async function findBulkProjects(
  db: Reader,
  organization: string,
  ids: readonly string[],
): Promise<BulkProject[]> {
  const rows = await runInSlices(db, byIds, ids, (slice) => ({ ids: slice }));
  return rows.filter(({ organizationId }) => organizationId === organization);
}
