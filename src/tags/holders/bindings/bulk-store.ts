/** Reads the keys of projects for bulk work. */
import { sql } from "kysely";
import type { Reader } from "../../../storage/database.ts";
import { defineQuery, oneOf } from "../../../storage/reads/query.ts";
import { runInSlices } from "../../../storage/purge/slices.ts";
import type { Holder } from "../holder.ts";

/** A project that bulk work concerns. */
export type BulkProject = Holder & { nameKey: string };

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
