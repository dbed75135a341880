/** Names of stored resources, in order, for searches of the decision point. */
import { sql } from "kysely";
import type { Reader } from "../storage/database.ts";
import { defineQuery } from "../storage/reads/query.ts";

/** A resource: its name in policy rules, and where a list continues after it. */
export interface NamedResource {
  readonly name: string;
  readonly key: string;
}

/** Joins the parts of a key; no name has it. */
const SEPARATOR = "/";

const organizations = defineQuery((db, p: { after: string; limit: number }) =>
  db
    .selectFrom("organizations")
    .select(["name", "name_key as key"])
    .where("name_key", ">", p.after)
    .orderBy("name_key")
    .limit(p.limit),
);

/** @param after the `key` of the last one that is known; empty for the first page */
export function listOrganizationNames(db: Reader, after: string, limit: number): Promise<NamedResource[]> {
  return db.run(organizations, { after, limit });
}

const workspaces = defineQuery((db, p: { organization: string; workspace: string; limit: number }) =>
  db
    .selectFrom("workspaces")
    .innerJoin("organizations", "organizations.id", "workspaces.organization_id")
    .select([
      sql<string>`organizations.name || ${SEPARATOR} || workspaces.name`.as("name"),
      sql<string>`organizations.name_key || ${SEPARATOR} || workspaces.name_key`.as("key"),
    ])
    .where((eb) =>
      eb.or([
        eb("organizations.name_key", ">", p.organization),
        eb.and([eb("organizations.name_key", "=", p.organization), eb("workspaces.name_key", ">", p.workspace)]),
      ]),
    )
    .orderBy("organizations.name_key")
    .orderBy("workspaces.name_key")
    .limit(p.limit),
);

/** As `listOrganizationNames`, of workspaces of all organizations: `ORGANIZATION/WORKSPACE`. */
export function listWorkspaceNames(db: Reader, after: string, limit: number): Promise<NamedResource[]> {
  const [organization = "", workspace = ""] = after.split(SEPARATOR);
  return db.run(workspaces, { organization, workspace, limit });
}
