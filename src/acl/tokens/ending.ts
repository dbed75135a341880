import type { Watched } from "../../watch/watches.ts";
import type { Actor } from "../actor.ts";
import { AUTH_METHODS } from "../auth-methods/lookup.ts";
import { NAMESPACES } from "../namespaces/lookup.ts";
import { PARTITIONS } from "../partitions/lookup.ts";
import { homeOf, isRootScope } from "../scope.ts";
import { TOKENS } from "./lookup.ts";

/** What can end a token before its time, for who watches on behalf of one: its own deletion, and that of the auth method that made it and of where it lies. */
export function endingOf({ accessorId, scope, method }: Actor): Watched[] {
  const own: Watched[] = [{ ...scope, table: TOKENS, key: accessorId }];
  if (method !== undefined) own.push({ ...method, table: AUTH_METHODS });
  if (isRootScope(scope)) return own;
  const home = homeOf(scope.partition);
  return [
    ...own,
    { ...home, table: NAMESPACES, key: scope.namespace },
    { ...home, table: PARTITIONS, key: scope.partition },
  ];
}
