import { definePoint, defineQuery } from "../storage/query.ts";
import type { Reader, Transaction } from "../storage/database.ts";

/** A project as the program knows it, with what its rendering needs of its organization. */
export interface Project {
  id: string;
  organizationId: string;
  organizationName: string;
  organizationExecutionMode: string;
  /** Id of the organization's default project. */
  defaultProjectId: string;
  name: string;
  description: string;
  /** JSON object of the remaining attributes, by wire name. */
  settings: string;
  /** Empty while it follows the organization's. */
  defaultExecutionMode: string;
  createdAt: string;
  workspaceCount: number;
}

const COLUMNS = [
  "projects.id",
  "projects.organization_id as organizationId",
  "organizations.name as organizationName",
  "organizations.default_execution_mode as organizationExecutionMode",
  "organizations.default_project_id as defaultProjectId",
  "projects.name",
  "projects.description",
  "projects.settings",
  "projects.default_execution_mode as defaultExecutionMode",
  "projects.created_at as createdAt",
  "projects.workspace_count as workspaceCount",
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
