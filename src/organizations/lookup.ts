/**
 * What other features need of organizations. Apart from `service.ts`, which
 * uses other features itself, so that the imports make no circle.
 */
import { authorize } from "../acl/authorize.ts";
import type { Access } from "../acl/rights.ts";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import { findOrganization, type Organization } from "./store.ts";

export { addToOrganizationCounts, findOrganization, findOrganizationById, type Organization } from "./store.ts";

/**
 * The organization of that name (in any case), for a caller that needs `access` to it.
 *
 * @throws AppError `not_found` when it is missing or the caller lacks that access
 */
export async function getOrganization(ctx: Context, name: string, access: Access = "read"): Promise<Organization> {
  return accessibleOrganization(ctx, await findOrganization(ctx.db, name), access);
}

/**
 * What a look-up found, unless the caller lacks `access` to it.
 *
 * @throws AppError `not_found`, with the very same text for both
 */
export function accessibleOrganization(
  ctx: Context,
  organization: Organization | undefined,
  access: Access,
): Organization {
  if (organization === undefined || !authorize(ctx.actor, "organization", organization.name, access)) {
    throw notFound("organization");
  }
  return organization;
}

/**
 * The organization in which a workspace of this name is to be made.
 *
 * @throws AppError `not_found` when it is missing or the caller may not write that workspace
 */
export async function getOrganizationForWorkspace(
  ctx: Context,
  name: string,
  workspaceName: string,
): Promise<Organization> {
  const organization = await findOrganization(ctx.db, name);
  if (
    organization === undefined ||
    !authorize(ctx.actor, "workspace", `${organization.name}/${workspaceName}`, "write")
  ) {
    throw notFound("organization");
  }
  return organization;
}

/** The organization of this name, whether or not the caller may read it: for lists that ask for rights themselves. */
export function findOrganizationForList(ctx: Context, name: string): Promise<Organization | undefined> {
  return findOrganization(ctx.db, name);
}
