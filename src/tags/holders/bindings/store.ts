/** Queries on keys and values of workspaces and projects. */
import { sql, type Kysely } from "kysely";
import type { Reader } from "../../../storage/database.ts";
import { defineQuery, oneOf } from "../../../storage/reads/query.ts";
import type { Tables } from "../../../storage/tables/tables.ts";
import { TAG } from "../../pool/marks.ts";

/** A binding with what is shown of it. */
export interface TagBinding {
  bindingId: string;
  key: string;
  value: string;
  boundAt: string;
}

const SHOWN = ["link.binding_id as bindingId", "tags.name as key", "link.value", "link.bound_at as boundAt"] as const;

const ofWorkspace = defineQuery((db, p: { holder: string }) =>
  db
    .selectFrom("workspace_tags as link")
    .innerJoin("tags", "tags.id", "link.tag_id")
    .select(SHOWN)
    .where("link.workspace_id", "=", p.holder)
    .where("link.marks", "<>", TAG)
    .orderBy("link.position")
    .orderBy("link.tag_id"),
);

function ofProjects(db: Kysely<Tables>) {
  return db
    .selectFrom("project_tags as link")
    .innerJoin("tags", "tags.id", "link.tag_id")
    .select(SHOWN)
    .orderBy("link.position")
    .orderBy("link.tag_id");
}

const byProject = defineQuery((db, p: { holder: string }) => ofProjects(db).where("link.project_id", "=", p.holder));

const byProjects = defineQuery((db, p: { holders: readonly string[] }, engine) =>
  ofProjects(db)
    .select("link.project_id as holder")
    .where(oneOf(engine, sql.ref("link.project_id"), p.holders)),
);

/** Lists the own bindings of a workspace, in the order of adding. */
export function listWorkspaceBindings(db: Reader, holder: string): Promise<TagBinding[]> {
  return db.run(ofWorkspace, { holder });
}

/** Lists the bindings of a project, in the order of adding. */
export function listProjectBindings(db: Reader, holder: string): Promise<TagBinding[]> {
  return db.run(byProject, { holder });
}

/** Lists the bindings of many projects, each with the id of its project. */
export function listBindingsOfProjects(
  db: Reader,
  holders: readonly string[],
): Promise<(TagBinding & { holder: string })[]> {
  return holders.length === 0 ? Promise.resolve([]) : db.run(byProjects, { holders });
}
