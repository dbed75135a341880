import { AppError } from "../errors.ts";
import { authorize, aclNamespaces, questionOf } from "./authorize.ts";
import type { RefusedQuestion } from "../refused.ts";
import type { Resource } from "./rules/rule.ts";
import { DEFAULT_SCOPE, type Scope, ANY_NAMESPACE } from "./scope.ts";
import type { Context } from "../context.ts";
import type { Visibility } from "./rules/visibility.ts";

type Caller = Pick<Context, "actor">;

/**
 * Asks for a permission before anything is looked up, so that a refusal tells nothing of what exists.
 *
 * @param scope where the object lies
 * @param name of the object, for resources that have names
 * @throws AppError `forbidden` with the text that clients know
 */
export function checkPermission(
  ctx: Caller,
  scope: Scope,
  resource: Resource,
  access: "read" | "write",
  name = "",
): void {
  if (authorize(ctx.actor, resource, name, access, scope)) return;
  throw lacking(ctx, questionOf(resource, name, access, scope));
}

/**
 * Returns the error for a caller who lacks a permission.
 *
 * @param told permission that the client's message names, when it is not the permission of the question
 */
export function lacking({ actor }: Caller, refused: RefusedQuestion, told: Lacking = refused): AppError {
  const { resource, access, segment = "", scope } = told;
  const what = `lacks permission '${resource}:${access}'${segment === "" ? "" : ` on "${segment}"`}${where(scope)}`;
  const { anonymous, accessorId } = actor;
  return new AppError(
    "forbidden",
    anonymous
      ? `Permission denied: anonymous token ${what}. ` +
          "The anonymous token is used implicitly when a request does not specify a token."
      : `Permission denied: token with AccessorID '${accessorId}' ${what}`,
    { refused },
  );
}

type Lacking = Pick<RefusedQuestion, "resource" | "access" | "scope"> & { segment?: string };

/** Permission that a denial names when the caller may not see a thing. */
export const OPERATOR_READ: Lacking = { resource: "operator", access: "read", scope: DEFAULT_SCOPE };

/** Names a scope in a message, unless clients without namespaces know it. */
function where({ namespace, partition }: Scope): string {
  const inNamespace = namespace === DEFAULT_SCOPE.namespace ? "" : ` in namespace "${namespace}"`;
  return partition === DEFAULT_SCOPE.partition ? inNamespace : `${inNamespace} in partition "${partition}"`;
}

/** Scope of a list: one namespace, or with `*` the namespaces of the partition that the caller may read. */
export interface ListScope extends Scope {
  /** Namespaces of the list; undefined for one namespace. */
  visible?: Visibility;
}

/**
 * Returns the scope of a list of `acl` objects.
 *
 * @throws AppError `forbidden` when it is one namespace and the caller may not read there
 */
export function checkListScope(ctx: Pick<Context, "actor">, scope: Scope): ListScope {
  if (scope.namespace === ANY_NAMESPACE) {
    return { ...scope, visible: aclNamespaces(ctx.actor, scope.partition) };
  }
  checkPermission(ctx, scope, "acl", "read");
  return scope;
}
