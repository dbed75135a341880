/**
 * Organizations for those who may know of them, for other features. Apart from
 * `service.ts`, which uses other features itself, so that the imports make no circle.
 */
import { permitted } from "../rights/authorize.ts";
import type { Access } from "../rights/rules/rule.ts";
import type { Context } from "../context.ts";
import type { Reader } from "../storage/database.ts";
import { findOrganization, findOrganizationById, type Organization } from "./store.ts";

/**
 * The organization of that name (in any case), for a caller that needs `access` to it.
 *
 * @throws AppError `not_found` when it is missing or the caller lacks that access
 */
export async function getOrganization(ctx: Context, name: string, access: Access = "read"): Promise<Organization> {
  return accessibleOrganization(ctx, await findOrganization(ctx.db, name), access);
}

/** Returns the organization that was found, unless the caller lacks `access` to it. @throws AppError `not_found` */
export function accessibleOrganization(
  ctx: Context,
  organization: Organization | undefined,
  access: Access,
): Organization {
  return permitted(ctx, "organization", organization, "organization", ({ name }) => name, access);
}

/**
 * Asks for the right again inside a transaction: the organization may have got another name since.
 *
 * @throws AppError `not_found`
 */
export async function checkOrganization(ctx: Context, tx: Reader, id: string, access: Access): Promise<void> {
  accessibleOrganization(ctx, await findOrganizationById(tx, id), access);
}

/**
 * Returns the organization that was found, for a caller that may write a workspace of this name in it.
 *
 * @throws AppError `not_found`
 */
export function organizationForWorkspace(
  ctx: Context,
  organization: Organization | undefined,
  workspaceName: string,
): Organization {
  return permitted(ctx, "organization", organization, "workspace", ({ name }) => `${name}/${workspaceName}`, "write");
}
