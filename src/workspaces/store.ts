import { sql } from "kysely";
import { fold } from "../acl/rules/fold.ts";
import type { Reader, Transaction } from "../storage/database.ts";
import { definePoint, defineQuery, oneOf } from "../storage/query.ts";
import { runInSlices } from "../storage/slices.ts";
import type { Tables } from "../storage/tables.ts";

/** A workspace as the program knows it, with what its rendering needs of its organization and project. */
export interface Workspace {
  id: string;
  organizationId: string;
  organizationName: string;
  organizationExecutionMode: string;
  projectId: string;
  /** Empty while the project follows the organization. */
  projectExecutionMode: string;
  name: string;
  nameKey: string;
  /** JSON object of the options that were given, by wire name. */
  settings: string;
  /** 0 or 1. */
  locked: number;
  lockedReason: string;
  /** AccessorID of the token that locked it. */
  lockedBy: string;
  createdAt: string;
  updatedAt: string;
  latestChangeAt: string;
}

/** Columns of the workspace itself and of its project. */
export const OWN_COLUMNS = [
  "workspaces.id",
  "workspaces.project_id as projectId",
  "projects.default_execution_mode as projectExecutionMode",
  "workspaces.name",
  "workspaces.name_key as nameKey",
  "workspaces.settings",
  "workspaces.locked",
  "workspaces.locked_reason as lockedReason",
  "workspaces.locked_by as lockedBy",
  "workspaces.created_at as createdAt",
  "workspaces.updated_at as updatedAt",
  "workspaces.latest_change_at as latestChangeAt",
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

/** What a bulk operation needs to know of a workspace. */
export type WorkspaceName = Pick<
  Workspace,
  "id" | "organizationId" | "organizationName" | "projectId" | "name" | "nameKey"
>;

/** Workspaces by their ids, in no order. */
export function findWorkspaces(db: Reader, ids: readonly string[]): Promise<WorkspaceName[]> {
  return runInSlices(db, byIds, ids, (slice) => ({ ids: slice }));
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

/** The columns that a request can change. */
export type WorkspaceChange = Omit<Tables["workspaces"], "id" | "organization_id" | "created_at">;

const insert = defineQuery((db, p: Tables["workspaces"]) =>
  db.insertInto("workspaces").values({
    id: p.id,
    organization_id: p.organization_id,
    project_id: p.project_id,
    name: p.name,
    name_key: p.name_key,
    settings: p.settings,
    locked: p.locked,
    locked_reason: p.locked_reason,
    locked_by: p.locked_by,
    created_at: p.created_at,
    updated_at: p.updated_at,
    latest_change_at: p.latest_change_at,
  }),
);

export function insertWorkspace(tx: Transaction, row: Tables["workspaces"]): void {
  tx.write(insert, row);
}

const update = defineQuery((db, p: WorkspaceChange & { id: string }) =>
  db
    .updateTable("workspaces")
    .set({
      project_id: p.project_id,
      name: p.name,
      name_key: p.name_key,
      settings: p.settings,
      locked: p.locked,
      locked_reason: p.locked_reason,
      locked_by: p.locked_by,
      updated_at: p.updated_at,
      latest_change_at: p.latest_change_at,
    })
    .where("id", "=", p.id),
);

/** Writes the changed columns of a workspace; those not given keep the value of `before`. */
export function updateWorkspace(tx: Transaction, before: Workspace, change: Partial<WorkspaceChange>): void {
  tx.write(update, {
    id: before.id,
    project_id: before.projectId,
    name: before.name,
    name_key: before.nameKey,
    settings: before.settings,
    locked: before.locked,
    locked_reason: before.lockedReason,
    locked_by: before.lockedBy,
    updated_at: before.updatedAt,
    latest_change_at: before.latestChangeAt,
    ...change,
  });
}

const remove = defineQuery((db, p: { id: string }) => db.deleteFrom("workspaces").where("id", "=", p.id));

export function deleteWorkspace(tx: Transaction, id: string): void {
  tx.write(remove, { id });
}
