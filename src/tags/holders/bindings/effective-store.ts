/**
 * Reads the keys that apply to workspaces at one instant: their own, and those of the project that they are in then.
 */
import { sql } from "kysely";
import type { Reader } from "../../../storage/database.ts";
import { defineQuery, valuesOf } from "../../../storage/reads/query.ts";
import { runInSlices } from "../../../storage/purge/slices.ts";
import { TAG } from "../../pool/marks.ts";

/** A key that a workspace has or could inherit. */
export interface AppliedKey {
  /** The workspace. */
  holder: string;
  tag: string;
  key: string;
  value: string;
  /** The project whose key it is; empty for the workspace's own. */
  project: string;
  /** Order of adding on whoever has it. */
  position: number;
  /** 1 where the organization lets no workspace give the key another value than its project. */
  isFixed: number;
}

// Cross joins keep SQLite to the order: from the few workspaces to what is theirs.
const applied = defineQuery((db, p: { workspaces: readonly string[] }, engine) => {
  const own = db
    .selectFrom(valuesOf(engine, p.workspaces))
    .crossJoin("workspace_tags as link")
    .crossJoin("tags")
    .whereRef("link.workspace_id", "=", "listed.value")
    .whereRef("tags.id", "=", "link.tag_id")
    .where("link.marks", "<>", TAG)
    .select(["link.workspace_id as holder", "link.tag_id as tag", "tags.name as key", "link.value", "link.position"])
    .select([sql<string>`''`.as("project"), sql<number>`0`.as("isFixed")]);
  const inherited = db
    .selectFrom(valuesOf(engine, p.workspaces))
    .crossJoin("workspaces")
    .crossJoin("project_tags as link")
    .crossJoin("tags")
    .leftJoin("reserved_tag_keys as reserved", (join) =>
      join.onRef("reserved.organization_id", "=", "workspaces.organization_id").onRef("reserved.key", "=", "tags.name"),
    )
    .whereRef("workspaces.id", "=", "listed.value")
    .whereRef("link.project_id", "=", "workspaces.project_id")
    .whereRef("tags.id", "=", "link.tag_id")
    .select(["workspaces.id as holder", "link.tag_id as tag", "tags.name as key", "link.value", "link.position"])
    .select(["link.project_id as project", sql<number>`coalesce(reserved.disable_overrides, 0)`.as("isFixed")]);
  return own.unionAll(inherited);
});

/** The keys of these workspaces and of their projects, in no order. */
export function listApplied(db: Reader, workspaces: readonly string[]): Promise<AppliedKey[]> {
  return runInSlices(db, applied, workspaces, (some) => ({ workspaces: some }));
}
