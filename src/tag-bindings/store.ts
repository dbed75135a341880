/** Queries on keys and values of workspaces and projects. */
import { sql, type Kysely } from "kysely";
import type { Reader, Transaction } from "../storage/database.ts";
import { insertOf, type ObjectOf } from "../storage/objects.ts";
import { defineQuery, oneOf } from "../storage/query.ts";
import { runInSlices } from "../storage/slices.ts";
import type { Tables } from "../storage/tables.ts";
import { BINDING, BOTH, NO_BINDING, TAG } from "../tags/marks.ts";
import type { UsedTag } from "../tags/store.ts";

/** A binding with what is shown of it. */
export interface Binding {
  /** Of the workspace or project that has it. */
  holder: string;
  bindingId: string;
  key: string;
  value: string;
  boundAt: string;
}

/** One of a holder that is being changed, with what decides about its tag. */
export interface HeldBinding extends Binding, UsedTag {
  /** As what a workspace carries the tag; of a project always a binding. */
  marks: number;
}

const USED = [
  "tags.id",
  "tags.pinned",
  "tags.instance_count as instanceCount",
  "tags.project_count as projectCount",
] as const;

function ofWorkspaces(db: Kysely<Tables>) {
  return db
    .selectFrom("workspace_tags as link")
    .innerJoin("tags", "tags.id", "link.tag_id")
    .where("link.marks", "<>", TAG)
    .select(["link.workspace_id as holder", ...SHOWN])
    .orderBy("link.position")
    .orderBy("link.tag_id");
}

function ofProjects(db: Kysely<Tables>) {
  return db
    .selectFrom("project_tags as link")
    .innerJoin("tags", "tags.id", "link.tag_id")
    .select(["link.project_id as holder", ...SHOWN])
    .orderBy("link.position")
    .orderBy("link.tag_id");
}

const SHOWN = ["link.binding_id as bindingId", "tags.name as key", "link.value", "link.bound_at as boundAt"] as const;

const byWorkspaces = defineQuery((db, p: { holders: readonly string[] }, engine) =>
  ofWorkspaces(db).where(oneOf(engine, sql.ref("link.workspace_id"), p.holders)),
);
const byProjects = defineQuery((db, p: { holders: readonly string[] }, engine) =>
  ofProjects(db).where(oneOf(engine, sql.ref("link.project_id"), p.holders)),
);

/** What these workspaces are bound to themselves, of each in the order of adding. */
export function listWorkspaceBindings(db: Reader, workspaces: readonly string[]): Promise<Binding[]> {
  return runInSlices(db, byWorkspaces, workspaces, (holders) => ({ holders }));
}

/** The same of projects. */
export function listProjectBindings(db: Reader, projects: readonly string[]): Promise<Binding[]> {
  return runInSlices(db, byProjects, projects, (holders) => ({ holders }));
}

const heldByWorkspace = defineQuery((db, p: { holder: string }) =>
  ofWorkspaces(db)
    .select([...USED, "link.marks"])
    .where("link.workspace_id", "=", p.holder),
);
const heldByProject = defineQuery((db, p: { holder: string }) =>
  ofProjects(db)
    .select([...USED, sql<number>`${sql.lit(BINDING)}`.as("marks")])
    .where("link.project_id", "=", p.holder),
);

/** What a workspace is bound to, for a change. */
export function findHeldByWorkspace(db: Reader, holder: string): Promise<HeldBinding[]> {
  return db.run(heldByWorkspace, { holder });
}

/** What a project is bound to, for a change. */
export function findHeldByProject(db: Reader, holder: string): Promise<HeldBinding[]> {
  return db.run(heldByProject, { holder });
}

/** What a link says of a binding. */
type Bound = Pick<ObjectOf<"workspace_tags">, "value" | "bindingId" | "boundAt">;

const bind = defineQuery((db, p: Bound & { workspace: string; tag: string; marks: number }) =>
  db
    .updateTable("workspace_tags")
    .set({ marks: p.marks, value: p.value, binding_id: p.bindingId, bound_at: p.boundAt })
    .where("workspace_id", "=", p.workspace)
    .where("tag_id", "=", p.tag),
);

/** Binds a workspace to a tag that it carries, or to another value of it. */
export function bindLink(tx: Transaction, workspace: string, tag: string, marks: number, bound: Bound): void {
  tx.write(bind, { workspace, tag, marks, ...bound });
}

/** Leaves of these links the flat tags that they are too. */
export function unbindLinks(tx: Transaction, workspace: string, tags: readonly string[]): void {
  for (const tag of tags) tx.write(bind, { workspace, tag, marks: TAG, ...NO_BINDING });
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

/** Whether a link is a flat tag besides. */
export function isTagToo({ marks }: { marks: number }): boolean {
  return marks === BOTH;
}

const reservedKeys = defineQuery((db, p: { organization: string }) =>
  db
    .selectFrom("reserved_tag_keys")
    .select(["key", "disable_overrides as disableOverrides"])
    .where("organization_id", "=", p.organization),
);

/** The keys that an organization has reserved. */
export function listReservedKeys(
  db: Reader,
  organization: string,
): Promise<{ key: string; disableOverrides: number }[]> {
  return db.run(reservedKeys, { organization });
}
