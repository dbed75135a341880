/** Topics that can be watched, and the callers that may see their changes. */
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { authorize, aclNamespaces, seesNamespace, visibleNamespaces } from "../rights/authorize.ts";
import { NAMESPACES, SCOPED_TOPICS } from "../rights/kinds.ts";
import { ANY_NAMESPACE, homeOf, type Scope } from "../rights/scope.ts";
import { indexInSight, NO_INDEX, sightOfNamespaces, sightOfObjects } from "../rights/sight.ts";
import { seesNothing } from "../storage/reads/conditions.ts";
import { goQuote } from "../go/quote.ts";

type Caller = Pick<Context, "actor">;
/** Scope of a changed object, and its key within its table. */
type Place = Scope & { key: string };

const seesAcl = (caller: Caller, place: Place): boolean => authorize(caller.actor, "acl", "", "read", place);
const seesNamespaceItself = ({ actor }: Caller, { partition, key }: Place): boolean =>
  seesNamespace(actor, { partition, namespace: key });

/** By topic, which is the name of a table: whether the caller may know of a change in it. */
const TOPICS: ReadonlyMap<string, (caller: Caller, place: Place) => boolean> = new Map([
  ...SCOPED_TOPICS.map((topic) => [topic, seesAcl] as const),
  [NAMESPACES, seesNamespaceItself],
]);

/** All topics, in order. */
export const TOPIC_NAMES: readonly string[] = [...TOPICS.keys()].toSorted();

/**
 * Reads the parameter `topics`: names with commas between them, `*` or nothing for all.
 *
 * @throws AppError `bad_parameter` on a name that is no topic
 */
export function readTopics(text: string | undefined): ReadonlySet<string> {
  if (text === undefined || text === "" || text === "*") return new Set(TOPIC_NAMES);
  const names = text.split(",").map((name) => name.trim());
  for (const name of names) {
    if (TOPICS.has(name)) continue;
    throw new AppError("bad_parameter", `Unknown topic ${goQuote(name)}; topics are ${TOPIC_NAMES.join(", ")}`);
  }
  return new Set(names);
}

/** Whether the caller may know now that this changed. */
export function maySee(caller: Caller, { table, ...place }: Place & { table: string }): boolean {
  return TOPICS.get(table)?.(caller, place) ?? false;
}

/** Whether the caller may see changes under any of these topics in a scope, or in any namespace of its partition. */
export function maySeeAny({ actor }: Caller, topics: ReadonlySet<string>, scope: Scope): boolean {
  const { partition } = scope;
  const isAny = scope.namespace === ANY_NAMESPACE;
  if (topics.has(NAMESPACES) && !seesNothing(visibleNamespaces(actor, partition))) return true;
  if ([...topics].every((topic) => topic === NAMESPACES)) return false;
  return isAny ? !seesNothing(aclNamespaces(actor, partition)) : authorize(actor, "acl", "", "read", scope);
}

/** The index of the last change under these topics, as far as the caller may know; an index that tells nothing where it may know none. */
export async function indexOfTopics(
  { db, actor }: Pick<Context, "db" | "actor">,
  topics: ReadonlySet<string>,
  scope: Scope,
): Promise<number> {
  const indexes = [...topics].map(async (table) => {
    // Namespaces lie in none and are told of whichever is asked about.
    return table === NAMESPACES
      ? indexInSight(db, table, homeOf(scope.partition), sightOfNamespaces(actor, scope.partition))
      : indexInSight(db, table, scope, sightOfObjects(actor, scope));
  });
  return Math.max(NO_INDEX, ...(await Promise.all(indexes)));
}
