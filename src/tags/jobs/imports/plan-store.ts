/** Reads the objects that a file names, for imports. */
import { sql } from "kysely";
import type { Reader } from "../../../storage/database.ts";
import { defineQuery, oneOf } from "../../../storage/reads/query.ts";
import { runInSlices } from "../../../storage/purge/slices.ts";
import type { BulkTag } from "../../pool/uses.ts";
import type { Carrier, Holder } from "../../holders/holder.ts";

type ByKeys = { organization: string; keys: readonly string[] };

const workspaces = defineQuery((db, p: ByKeys, engine) =>
  db
    .selectFrom("workspaces")
    .select(["id", "organization_id as organizationId", "name", "name_key as nameKey", "project_id as projectId"])
    .where("organization_id", "=", p.organization)
    .where(oneOf(engine, sql.ref("name_key"), p.keys)),
);

/** Workspaces by their folded names. */
export async function findByKeys(
  db: Reader,
  organization: string,
  keys: readonly string[],
): Promise<Map<string, Carrier>> {
  const rows = await runInSlices(db, workspaces, keys, (some) => ({ organization, keys: some }));
  return new Map(rows.map((row) => [row.nameKey, row]));
}

const projects = defineQuery((db, p: ByKeys, engine) =>
  db
    .selectFrom("projects")
    .select(["id", "organization_id as organizationId", "name", "name_key as nameKey"])
    .where("organization_id", "=", p.organization)
    .where(oneOf(engine, sql.ref("name_key"), p.keys)),
);

/** Projects by their folded names. */
export async function findProjectsByKeys(
  db: Reader,
  organization: string,
  keys: readonly string[],
): Promise<Map<string, Holder>> {
  const rows = await runInSlices(db, projects, keys, (some) => ({ organization, keys: some }));
  return new Map(rows.map(({ nameKey, ...row }) => [nameKey, row]));
}

const TAG_COLUMNS = [
  "tags.id",
  "tags.name",
  "tags.pinned",
  "tags.instance_count as instanceCount",
  "tags.project_count as projectCount",
] as const;

const heldByWorkspaces = defineQuery((db, p: { holders: readonly string[] }, engine) =>
  db
    .selectFrom("workspace_tags as link")
    .innerJoin("tags", "tags.id", "link.tag_id")
    .select(TAG_COLUMNS)
    .where(oneOf(engine, sql.ref("link.workspace_id"), p.holders)),
);

const heldByProjects = defineQuery((db, p: { holders: readonly string[] }, engine) =>
  db
    .selectFrom("project_tags as link")
    .innerJoin("tags", "tags.id", "link.tag_id")
    .select(TAG_COLUMNS)
    .where(oneOf(engine, sql.ref("link.project_id"), p.holders)),
);

/** The tags of the pool that these workspaces, or projects, hold; one may come more than once. */
export function listHeld(db: Reader, kind: "workspaces" | "projects", holders: readonly string[]): Promise<BulkTag[]> {
  return runInSlices(db, kind === "workspaces" ? heldByWorkspaces : heldByProjects, holders, (some) => ({
    holders: some,
  }));
}
