import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { authorize } from "./authorize.ts";

/** Resources of `/v1` that are not named one by one. */
type Scalar = "acl" | "operator";

/** Whether the caller has this permission; for what is left out of an answer rather than refused. */
export function hasPermission({ actor }: Context, resource: Scalar, access: "read" | "write"): boolean {
  return authorize(actor, resource, "", access);
}

/**
 * Asks for a permission before anything is looked up, so that a refusal tells nothing of what exists.
 *
 * @throws AppError `forbidden` with the text that clients know
 */
export function checkPermission(ctx: Context, resource: Scalar, access: "read" | "write"): void {
  if (hasPermission(ctx, resource, access)) return;
  const permission = `lacks permission '${resource}:${access}'`;
  const { anonymous, accessorId } = ctx.actor;
  throw new AppError(
    "forbidden",
    anonymous
      ? `Permission denied: anonymous token ${permission}. ` +
          "The anonymous token is used implicitly when a request does not specify a token."
      : `Permission denied: token with AccessorID '${accessorId}' ${permission}`,
  );
}
