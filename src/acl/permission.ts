import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { authorize } from "./authorize.ts";
import type { Resource } from "./rules/rule.ts";

/** Whether the caller has this permission; for what is left out of an answer rather than refused. */
export function hasPermission(
  { actor }: Pick<Context, "actor">,
  resource: Resource,
  access: "read" | "write",
  name = "",
): boolean {
  return authorize(actor, resource, name, access);
}

/**
 * Asks for a permission before anything is looked up, so that a refusal tells nothing of what exists.
 *
 * @param name of the object, for resources that have names
 * @throws AppError `forbidden` with the text that clients know
 */
export function checkPermission(
  ctx: Pick<Context, "actor">,
  resource: Resource,
  access: "read" | "write",
  name = "",
): void {
  if (hasPermission(ctx, resource, access, name)) return;
  const permission = `lacks permission '${resource}:${access}'${name === "" ? "" : ` on "${name}"`}`;
  const { anonymous, accessorId } = ctx.actor;
  throw new AppError(
    "forbidden",
    anonymous
      ? `Permission denied: anonymous token ${permission}. ` +
          "The anonymous token is used implicitly when a request does not specify a token."
      : `Permission denied: token with AccessorID '${accessorId}' ${permission}`,
  );
}
