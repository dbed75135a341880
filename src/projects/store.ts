import { sql } from "kysely";
import { fold } from "../fold.ts";
import { contains, equalsUnled, inRange, type TextRange } from "../storage/reads/conditions.ts";
import { apiWriteRecorder } from "../records/api-objects.ts";
import type { Reader, Transaction } from "../storage/database.ts";
import { insertOf, selectionOf, updateOf, type ObjectOf } from "../storage/writes/objects.ts";
import { definePoint, defineQuery, oneOf } from "../storage/reads/query.ts";
import { projectsTagged, type TaggedFilter } from "../tags/holders/bindings/tagged-store.ts";

/** A project as it is stored. */
export type ProjectRow = Omit<ObjectOf<"projects">, "nameKey" | "workspaceCount">;

/** A project as the program knows it, with what its rendering needs of its organization. */
export interface Project extends ProjectRow {
  workspaceCount: number;
  organizationName: string;
  organizationExecutionMode: string;
  /** Id of the organization's default project. */
  defaultProjectId: string;
}

const COLUMNS = [
  ...selectionOf("projects", "name_key"),
  "organizations.name as organizationName",
  "organizations.default_execution_mode as organizationExecutionMode",
  "organizations.default_project_id as defaultProjectId",
] as const;

const byId = definePoint("projects.id", (db) =>
  db.selectFrom("projects").innerJoin("organizations", "organizations.id", "projects.organization_id").select(COLUMNS),
);

/** Finds a project by its id; none whose organization is gone. */
export function findProject(db: Reader, id: string): Promise<Project | undefined> {
  return db.point(byId, id);
}

const addWorkspaces = defineQuery((db, p: { id: string; change: number }) =>
  db
    .updateTable("projects")
    .set((eb) => ({ workspace_count: eb("workspace_count", "+", p.change) }))
    .where("id", "=", p.id),
);

/** Raises or lowers a project's maintained count of workspaces. */
export function addToWorkspaceCount(tx: Transaction, id: string, change: number): void {
  tx.write(addWorkspaces, { id, change });
}

const idByName = defineQuery((db, p: { organization: string; nameKey: string }) =>
  db
    .selectFrom("projects")
    .select("id")
    .where("organization_id", "=", p.organization)
    .where("name_key", "=", p.nameKey),
);

/** Id of the project that has this name, in any case, in its organization. */
export async function findProjectId(db: Reader, organization: string, name: string): Promise<string | undefined> {
  return (await db.run(idByName, { organization, nameKey: fold(name) }))[0]?.id;
}

/** Conditions on projects of an organization. Texts are compared in any case. */
export interface ProjectFilter {
  organization: string;
  /** Part of the name. */
  part?: string | undefined;
  /** Whole names, any of which will do. */
  names?: readonly string[] | undefined;
  tagged?: TaggedFilter | undefined;
  /** Bounds of the IDs. */
  ids?: TextRange | undefined;
}

/** Order by name, by name descending, or the newest first. */
export type ProjectSort = "name" | "-name" | "newest";

/** Names are unique in an organization, so that each order is total. */
const ORDERS = {
  name: sql`projects.name_key asc`,
  "-name": sql`projects.name_key desc`,
  newest: sql`projects.created_at desc, projects.name_key asc`,
} as const;

/** A page of an organization's projects. */
export function listProjects(
  db: Reader,
  filter: ProjectFilter,
  page: { limit: number; offset: number; sort: ProjectSort },
): Promise<Project[]> {
  return filtered(db, filter)
    .select(COLUMNS)
    .orderBy(ORDERS[page.sort])
    .limit(page.limit)
    .offset(page.offset)
    .execute();
}

export async function countProjects(db: Reader, filter: ProjectFilter): Promise<number> {
  const row = await filtered(db, filter)
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirst();
  return row?.count ?? 0;
}

function filtered(db: Reader, filter: ProjectFilter) {
  const key = sql.ref("projects.name_key");
  let query = db.sql.selectFrom("projects").innerJoin("organizations", "organizations.id", "projects.organization_id");
  const organization = sql.ref("projects.organization_id");
  query =
    filter.ids === undefined
      ? query.where("projects.organization_id", "=", filter.organization)
      : query
          .where(equalsUnled(db.engine, organization, filter.organization))
          .where(inRange(sql.ref("projects.id"), filter.ids));
  if (filter.part !== undefined) query = query.where(contains(db.engine, key, fold(filter.part)));
  if (filter.names !== undefined) query = query.where(oneOf(db.engine, key, filter.names.map(fold)));
  if (filter.tagged !== undefined) query = query.where(projectsTagged(filter.tagged));
  return query;
}

const recordWrite = apiWriteRecorder<ProjectRow>("projects", "project");

const insert = insertOf("projects");

export function insertProject(tx: Transaction, project: ProjectRow): void {
  tx.write(insert, { ...project, nameKey: fold(project.name), workspaceCount: 0 });
  recordWrite(tx, undefined, project);
}

const update = updateOf("projects", "name", "name_key", "description", "settings", "default_execution_mode");

/** Stores the name and the attributes of a project. */
/** @param before as it is stored */
export function updateProject(tx: Transaction, project: ProjectRow, before: ProjectRow): void {
  tx.write(update, { ...project, nameKey: fold(project.name) });
  recordWrite(tx, before, project);
}

const remove = defineQuery((db, p: { id: string }) => db.deleteFrom("projects").where("id", "=", p.id));

export function deleteProject(tx: Transaction, project: ProjectRow): void {
  tx.write(remove, { id: project.id });
  recordWrite(tx, project, undefined);
}
