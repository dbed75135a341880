/** Queries on keys and values of workspaces and projects. */
import { sql, type Kysely } from "kysely";
import type { Reader, Transaction } from "../storage/database.ts";
import { insertOf, type ObjectOf } from "../storage/writes/objects.ts";
import { defineQuery, oneOf } from "../storage/reads/query.ts";
import type { Tables } from "../storage/tables/tables.ts";
import { TAG } from "../tags/marks.ts";
import type { UsedTag } from "../tags/store.ts";

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

/** A binding of a project that is being changed, with what decides about its tag. */
export type HeldBinding = TagBinding & UsedTag;

const heldByProject = defineQuery((db, p: { holder: string }) =>
  ofProjects(db)
    .select(["tags.id", "tags.pinned"])
    .select(["tags.instance_count as instanceCount", "tags.project_count as projectCount"])
    .where("link.project_id", "=", p.holder),
);

/** Finds the bindings of a project, for a change. */
export function findHeldByProject(db: Reader, holder: string): Promise<HeldBinding[]> {
  return db.run(heldByProject, { holder });
}

const insertOfProject = insertOf("project_tags");

export function insertProjectLink(tx: Transaction, link: ObjectOf<"project_tags">): void {
  tx.write(insertOfProject, link);
}

const revalue = defineQuery((db, p: { project: string; tag: string; value: string }) =>
  db
    .updateTable("project_tags")
    .set({ value: p.value })
    .where("project_id", "=", p.project)
    .where("tag_id", "=", p.tag),
);

/** Gives a key of a project another value. */
export function updateProjectValue(tx: Transaction, project: string, tag: string, value: string): void {
  tx.write(revalue, { project, tag, value });
}

const removeOfProject = defineQuery((db, p: { project: string; tags: readonly string[] }, engine) =>
  db
    .deleteFrom("project_tags")
    .where("project_id", "=", p.project)
    .where(oneOf(engine, sql.ref("tag_id"), p.tags)),
);

/** Takes keys off a project. */
export function deleteProjectLinks(tx: Transaction, project: string, tags: readonly string[]): void {
  if (tags.length > 0) tx.write(removeOfProject, { project, tags });
}
