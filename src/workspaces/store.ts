import { sql } from "kysely";
import { fold } from "../fold.ts";
import { apiWriteRecorder } from "../records/api-objects.ts";
import type { Reader, Transaction } from "../storage/database.ts";
import { insertOf, selectionOf, updateOf, type ObjectOf } from "../storage/writes/objects.ts";
import { definePoint, defineQuery, oneOf } from "../storage/reads/query.ts";
import { runInSlices, slices } from "../storage/purge/slices.ts";

/** A workspace as the program knows it, with what its rendering needs of its organization and project. */
export interface Workspace extends ObjectOf<"workspaces"> {
  organizationName: string;
  organizationExecutionMode: string;
  /** Empty while the project follows the organization. */
  projectExecutionMode: string;
  /** As they are stored of the project. */
  projectSettings: string;
}

/** The organization whose workspaces are listed: its columns are the same in every row, so they are not read again. */
export type ListedOrganization = Pick<Workspace, "organizationId" | "organizationName" | "organizationExecutionMode">;

/** A workspace as a page has it. */
export interface ListedWorkspace extends Workspace {
  /** Bytes of its settings. Where they are long, these are empty: they are read while its text is made. */
  settingsBytes: number;
}

const OF_PROJECT = [
  "projects.default_execution_mode as projectExecutionMode",
  "projects.settings as projectSettings",
] as const;

/** Columns of the workspace itself and of its project, for who knows its organization. */
const OWN_COLUMNS = [...selectionOf("workspaces", "organization_id"), ...OF_PROJECT] as const;

/** Settings of more bytes are not read with a page: it may have a hundred such. */
const SHORT_SETTINGS = 4096;
const settingsBytes = sql<number>`octet_length(workspaces.settings)`;

/** Columns of a workspace in a page, whose rows are `ListedWorkspace`. */
export const LISTED_COLUMNS = [
  ...selectionOf("workspaces", "organization_id", "settings"),
  ...OF_PROJECT,
  settingsBytes.as("settingsBytes"),
  sql<string>`case when ${settingsBytes} <= ${sql.lit(SHORT_SETTINGS)} then workspaces.settings else '' end`.as(
    "settings",
  ),
] as const;

const WORKSPACE_COLUMNS = [
  ...OWN_COLUMNS,
  "workspaces.organization_id as organizationId",
  "organizations.name as organizationName",
  "organizations.default_execution_mode as organizationExecutionMode",
] as const;

const byId = definePoint("workspaces.id", (db) =>
  db
    .selectFrom("workspaces")
    .innerJoin("organizations", "organizations.id", "workspaces.organization_id")
    .innerJoin("projects", "projects.id", "workspaces.project_id")
    .select(WORKSPACE_COLUMNS),
);

/** Finds a workspace by its id; none whose organization is gone. */
export function findWorkspace(db: Reader, id: string): Promise<Workspace | undefined> {
  return db.point(byId, id);
}

const byName = defineQuery((db, p: { organizationKey: string; nameKey: string }) =>
  db
    .selectFrom("organizations")
    .innerJoin("workspaces", "workspaces.organization_id", "organizations.id")
    .innerJoin("projects", "projects.id", "workspaces.project_id")
    .select(WORKSPACE_COLUMNS)
    .where("organizations.name_key", "=", p.organizationKey)
    .where("workspaces.name_key", "=", p.nameKey),
);

/** Finds a workspace by the names of its organization and its own, in any case. */
export async function findWorkspaceByName(
  db: Reader,
  organization: string,
  name: string,
): Promise<Workspace | undefined> {
  return (await db.run(byName, { organizationKey: fold(organization), nameKey: fold(name) }))[0];
}

const byIds = defineQuery((db, p: { ids: readonly string[] }, engine) =>
  db
    .selectFrom("workspaces")
    .innerJoin("organizations", "organizations.id", "workspaces.organization_id")
    .select([
      "workspaces.id",
      "workspaces.organization_id as organizationId",
      "organizations.name as organizationName",
      "workspaces.project_id as projectId",
      "workspaces.name",
      "workspaces.name_key as nameKey",
    ])
    .where(oneOf(engine, sql.ref("workspaces.id"), p.ids)),
);

/** Columns of a workspace that bulk operations need. */
export type WorkspaceName = Pick<
  Workspace,
  "id" | "organizationId" | "organizationName" | "projectId" | "name" | "nameKey"
>;

/** Workspaces by their ids, in no order. */
export function findWorkspaces(db: Reader, ids: readonly string[]): Promise<WorkspaceName[]> {
  return runInSlices(db, byIds, ids, (slice) => ({ ids: slice }));
}

const wholeByIds = defineQuery((db, p: { ids: readonly string[] }, engine) =>
  db
    .selectFrom("workspaces")
    .innerJoin("projects", "projects.id", "workspaces.project_id")
    .select(OWN_COLUMNS)
    .where(oneOf(engine, sql.ref("workspaces.id"), p.ids)),
);

/** Workspaces of an organization by their ids, with all that is stored of them, in no order. */
export async function findWhole(
  db: Reader,
  organization: ListedOrganization,
  ids: readonly string[],
): Promise<Workspace[]> {
  const rows = await db.run(wholeByIds, { ids });
  return rows.map((row) => Object.assign(row, organization));
}

const nameTaken = defineQuery((db, p: { organization: string; nameKey: string }) =>
  db
    .selectFrom("workspaces")
    .select("id")
    .where("organization_id", "=", p.organization)
    .where("name_key", "=", p.nameKey),
);

/** Id of the workspace of an organization that has this folded name. */
export async function findWorkspaceId(db: Reader, organization: string, nameKey: string): Promise<string | undefined> {
  return (await db.run(nameTaken, { organization, nameKey }))[0]?.id;
}

const recordWrite = apiWriteRecorder<Workspace>("workspaces", "workspace");

const insert = insertOf("workspaces");

export function insertWorkspace(tx: Transaction, workspace: Workspace): void {
  tx.write(insert, workspace);
  recordWrite(tx, undefined, workspace);
}

const update = updateOf(
  "workspaces",
  "project_id",
  "name",
  "name_key",
  "settings",
  "locked",
  "locked_reason",
  "locked_by",
  "updated_at",
  "latest_change_at",
);

/** Stores what can change of a workspace. */
/** @param before as it is stored @param action where it is more than an update */
export function updateWorkspace(tx: Transaction, workspace: Workspace, before: Workspace, action?: string): void {
  tx.write(update, workspace);
  recordWrite(tx, before, workspace, action);
}

const remove = defineQuery((db, p: { id: string }) => db.deleteFrom("workspaces").where("id", "=", p.id));

export function deleteWorkspace(tx: Transaction, workspace: Workspace): void {
  tx.write(remove, { id: workspace.id });
  recordWrite(tx, workspace, undefined);
}

const move = defineQuery((db, p: { ids: readonly string[]; project: string; now: string }, engine) =>
  db
    .updateTable("workspaces")
    .set({ project_id: p.project, updated_at: p.now, latest_change_at: p.now })
    .where(oneOf(engine, sql.ref("id"), p.ids)),
);

/** Puts workspaces into a project. The counts of the projects are the caller's to keep. */
export function moveWorkspaces(tx: Transaction, ids: readonly string[], project: string, now: string): void {
  for (const slice of slices(tx, ids)) tx.write(move, { ids: slice, project, now });
}
