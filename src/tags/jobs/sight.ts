/** Rights of callers to see the jobs of an organization, and to request jobs. */
import { authorize, visibleWorkspaces, writableWorkspaces, questionOf } from "../../rights/authorize.ts";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import type { Organization } from "../../organizations/store.ts";
import { seesAll, seesNothing } from "../../storage/reads/conditions.ts";
import type { Job } from "./job.ts";

type Asking = Pick<Context, "actor">;

/** Whether the caller may read an organization, or possibly some workspace of it. */
export function seesSome({ actor }: Asking, organizationName: string): boolean {
  if (authorize(actor, "organization", organizationName, "read")) return true;
  return !seesNothing(visibleWorkspaces(actor, organizationName));
}

/** Whether the caller may write an organization. */
export function writesAll({ actor }: Asking, organizationName: string): boolean {
  return authorize(actor, "organization", organizationName, "write");
}

/**
 * Returns the organization that was found, for a caller that may write it, or possibly some workspace of it. Other
 * callers have nothing to request.
 *
 * @throws AppError `not_found`
 */
export function organizationToAsk(ctx: Asking, found: Organization | undefined): Organization {
  if (found === undefined) throw notFound("organization");
  const { name } = found;
  if (writesAll(ctx, name) || !seesNothing(writableWorkspaces(ctx.actor, name))) return found;
  throw notFound("organization", questionOf("organization", name, "write"));
}

/** The job as the caller may see it: what was refused is named to who asked for it, and to who may see all that it names. */
export function shown<J extends Job & { organizationName: string }>(ctx: Asking, job: J): J {
  const { organizationName, accessorId, errors } = job;
  const isNamed =
    errors.length === 0 ||
    accessorId === ctx.actor.accessorId ||
    (writesAll(ctx, organizationName) && seesAll(visibleWorkspaces(ctx.actor, organizationName)));
  return isNamed ? job : { ...job, errors: [] };
}
