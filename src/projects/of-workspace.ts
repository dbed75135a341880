import { authorize } from "../acl/authorize.ts";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import type { Reader } from "../storage/database.ts";
import { findProject, type Project } from "./store.ts";

/**
 * The project that a workspace is to be in, for other features.
 *
 * @param organization the workspace's; its default project may be used by whoever may write the workspace
 * @throws AppError `not_found` when it is missing, of another organization, or may not be seen
 */
export async function findProjectOf(
  ctx: Context,
  db: Reader,
  organization: { id: string; name: string; defaultProjectId: string },
  id: string,
): Promise<Project> {
  const project = await findProject(db, id);
  if (project?.organizationId !== organization.id) throw notFound("project");
  if (id !== organization.defaultProjectId && !authorize(ctx.actor, "organization", organization.name, "read")) {
    throw notFound("project");
  }
  return project;
}
