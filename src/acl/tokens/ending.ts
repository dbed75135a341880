import type { Watched } from "../../watch/watches.ts";
import type { Actor } from "../actor.ts";
import { NAMESPACES } from "../namespaces/lookup.ts";
import { PARTITIONS } from "../partitions/lookup.ts";
import { homeOf, isRootScope } from "../scope.ts";
import { TOKENS } from "./lookup.ts";

/** What can end a token before its time, for who watches on behalf of one: its own deletion, and that of where it lies. */
export function endingOf({ accessorId, scope }: Actor): Watched[] {
  const own = { ...scope, table: TOKENS, key: accessorId };
  if (isRootScope(scope)) return [own];
  const home = homeOf(scope.partition);
  return [
    own,
    { ...home, table: NAMESPACES, key: scope.namespace },
    { ...home, table: PARTITIONS, key: scope.partition },
  ];
}
