/** Reads for the compliance report, in slices. */
import { sql } from "kysely";
import type { Visibility } from "../../rights/rules/visibility.ts";
import { visible } from "../../storage/reads/conditions.ts";
import type { Reader } from "../../storage/database.ts";
import { compared, defineQuery, oneOf } from "../../storage/reads/query.ts";

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
    .where(compared(engine, "organization_id"), "=", p.organization)
    .where(oneOf(engine, sql.ref("id"), p.ids))
    .orderBy("name_key"),
);

/**
 * Lists the workspaces of an organization that have these ids, in order of names.
 *
 * @param ids at most as many as a page has
 */
export function listInspected(db: Reader, organization: string, ids: readonly string[]): Promise<InspectedWorkspace[]> {
  return db.run(byIds, { organization, ids });
}
