/** What the report on rules for tags reads, in slices. */
import { sql } from "kysely";
import type { Visibility } from "../acl/rules/visibility.ts";
import { visible } from "../storage/conditions.ts";
import type { Reader } from "../storage/database.ts";
import { defineQuery, oneOf } from "../storage/query.ts";

/** A workspace that is looked at. */
export interface InspectedWorkspace {
  id: string;
  name: string;
  nameKey: string;
  projectId: string;
}

const COLUMNS = ["id", "name", "name_key as nameKey", "project_id as projectId"] as const;

const slice = defineQuery((db, p: { organization: string; after: string; limit: number }) =>
  db
    .selectFrom("workspaces")
    .select(COLUMNS)
    .where("organization_id", "=", p.organization)
    .where("name_key", ">", p.after)
    .orderBy("name_key")
    .limit(p.limit),
);

/**
 * Workspaces of an organization in order of names, behind one.
 *
 * @param after folded name; empty for the first
 * @param visibility of those that may be shown; undefined for all
 */
export function listWorkspacesAfter(
  db: Reader,
  organization: string,
  visibility: Visibility | undefined,
  after: string,
  limit: number,
): Promise<InspectedWorkspace[]> {
  if (visibility === undefined) return db.run(slice, { organization, after, limit });
  return db.sql
    .selectFrom("workspaces")
    .select(COLUMNS)
    .where("organization_id", "=", organization)
    .where("name_key", ">", after)
    .where(visible(db.engine, sql.ref("name_key"), visibility))
    .orderBy("name_key")
    .limit(limit)
    .execute();
}

const byIds = defineQuery((db, p: { organization: string; ids: readonly string[] }, engine) =>
  db
    .selectFrom("workspaces")
    .select(COLUMNS)
    .where("organization_id", "=", p.organization)
    .where(oneOf(engine, sql.ref("id"), p.ids))
    .orderBy("name_key"),
);

/** Those of these ids that an organization has, in order of names. @param ids at most as many as a page has */
export function listInspected(db: Reader, organization: string, ids: readonly string[]): Promise<InspectedWorkspace[]> {
  return db.run(byIds, { organization, ids });
}

/** What a workspace carries by one link. */
export interface CarriedTag {
  workspace: string;
  name: string;
  marks: number;
  value: string;
}

const carried = defineQuery((db, p: { workspaces: readonly string[]; limit: number }, engine) =>
  db
    .selectFrom("workspace_tags")
    .innerJoin("tags", "tags.id", "workspace_tags.tag_id")
    .select(["workspace_id as workspace", "tags.name", "marks", "value"])
    .where(oneOf(engine, sql.ref("workspace_id"), p.workspaces))
    // In the order of its key PostgreSQL reads them from the index; without one it may walk the whole table.
    .$if(engine === "postgres", (query) => query.orderBy("workspace_id").orderBy("tag_id"))
    .limit(p.limit),
);

/** What workspaces carry, in no order. @param limit rows after which nothing more is read */
export function listCarried(db: Reader, workspaces: readonly string[], limit: number): Promise<CarriedTag[]> {
  return db.run(carried, { workspaces, limit });
}
