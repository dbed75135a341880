import type { Context } from "../context.ts";
import { aclNamespaces } from "./authorize.ts";
import { checkPermission } from "./permission.ts";
import type { Visibility } from "./rules/visibility.ts";
import { ANY_NAMESPACE, type Scope } from "./scope.ts";

/** Where a list is read: one namespace, or with `*` those of the partition that the caller may read. */
export interface ListScope extends Scope {
  /** Which they are; undefined for one namespace. */
  visible?: Visibility;
}

/**
 * Where a list of `acl` objects is read.
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
