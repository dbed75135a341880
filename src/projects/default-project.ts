/** The project that every organization has from its beginning. For the feature that makes organizations. */
import type { Reader, Transaction } from "../storage/database.ts";
import { findProject, insertProject, type Project } from "./store.ts";

const NAME = "Default Project";

/** Gives a new organization the project that its workspaces are in unless they name another. */
export function insertDefaultProject(
  tx: Transaction,
  organization: { id: string; defaultProjectId: string; createdAt: string },
): void {
  insertProject(tx, {
    id: organization.defaultProjectId,
    organizationId: organization.id,
    name: NAME,
    description: "",
    settings: "{}",
    defaultExecutionMode: "",
    createdAt: organization.createdAt,
  });
}

/** The default project of an organization; undefined when the organization has just been deleted. */
export function findDefaultProject(
  db: Reader,
  organization: { defaultProjectId: string },
): Promise<Project | undefined> {
  return findProject(db, organization.defaultProjectId);
}
