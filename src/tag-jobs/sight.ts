import { authorize, visibleWorkspaces } from "../acl/authorize.ts";
import type { Context } from "../context.ts";
import { seesNothing } from "../storage/conditions.ts";

/** Whether the caller may read an organization, or possibly some workspace of it. */
export function seesSome({ actor }: Pick<Context, "actor">, organizationName: string): boolean {
  if (authorize(actor, "organization", organizationName, "read")) return true;
  return !seesNothing(visibleWorkspaces(actor, organizationName));
}
