/**
 * Determines the part of a table that a caller may know. It alone decides which index an answer contains, which changes
 * wake a waiting read, and the source of event IDs.
 */
import { seesAll, seesNothing } from "../storage/reads/conditions.ts";
import type { Database } from "../storage/database.ts";
import type { Watched } from "../watch/watches.ts";
import type { Actor } from "./actor.ts";
import { aclNamespaces, authorize, visibleNamespaces } from "./authorize.ts";
import { NAMESPACES } from "./kinds.ts";
import { isVisible, type Visibility } from "./rules/visibility.ts";
import { ANY_NAMESPACE, type Scope } from "./scope.ts";

/** All of a table in its scope, nothing of it, or what lies in some namespaces. */
export type Sight = "all" | "nothing" | Visibility;

/** The sight of a table of `acl` objects, whose scope may be all namespaces of a partition. */
export function sightOfObjects(actor: Actor, scope: Scope): Sight {
  if (scope.namespace === ANY_NAMESPACE) return sightOf(aclNamespaces(actor, scope.partition));
  return authorize(actor, "acl", "", "read", scope) ? "all" : "nothing";
}

/** The sight of the namespaces of a partition themselves. */
export function sightOfNamespaces(actor: Actor, partition: string): Sight {
  return sightOf(visibleNamespaces(actor, partition));
}

function sightOf(visibility: Visibility): Sight {
  if (seesAll(visibility)) return "all";
  return seesNothing(visibility) ? "nothing" : visibility;
}

/** Index that every caller may know. */
export const NO_INDEX = 1;

/**
 * Maximum number of namespaces that are examined one by one; a caller who may see more of them gets the index of their
 * partition's table.
 */
const MOST_NAMED = 64;

/**
 * Returns the index of a table that a caller may know: of the whole table, of the
 * namespaces that the caller may see, or 1, for which nothing is read.
 */
export function indexInSight(
  db: Pick<Database, "tableIndex">,
  table: string,
  scope: Scope,
  sight: Sight,
): number | Promise<number> {
  if (sight === "nothing") return NO_INDEX;
  const named = table === NAMESPACES ? undefined : namesIn(sight);
  if (named === undefined) return db.tableIndex(table, scope);
  const indexes = named.map((namespace) => db.tableIndex(table, { ...scope, namespace }));
  if (indexes.every((index) => typeof index === "number")) return Math.max(NO_INDEX, ...indexes);
  return Promise.all(indexes.map((index) => Promise.resolve(index))).then((all) => Math.max(NO_INDEX, ...all));
}

/** Returns the changes of a table that may wake a caller. @param watched for a caller who sees the whole table */
export function watchedInSight(watched: Watched, sight: Sight): Watched[] {
  if (sight === "nothing") return [];
  if (sight === "all") return [watched];
  const named = namesIn(sight);
  if (watched.table === NAMESPACES) {
    if (named !== undefined) return named.map((key) => ({ ...watched, key }));
    return [{ ...watched, sees: ({ key }) => isVisible(sight, key) }];
  }
  if (named !== undefined) return named.map((namespace) => ({ ...watched, namespace }));
  return [{ ...watched, sees: ({ namespace }) => isVisible(sight, namespace) }];
}

/** The namespaces, where they are few and known by name. */
function namesIn(sight: Sight): string[] | undefined {
  if (typeof sight === "string" || sight.ranges.length > 0 || sight.names.length > MOST_NAMED) return undefined;
  return sight.names.filter((name) => !sight.except.includes(name));
}
