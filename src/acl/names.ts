import type { ListScope } from "./permission.ts";
import { isIn, type Scope } from "./scope.ts";

/** Names of objects that are linked to, by their IDs, with where they lie. */
export type NamesById = ReadonlyMap<string, Scope & { name: string }>;

export const NO_NAMES: NamesById = new Map();

/** The name of an object of a scope; undefined when it is gone or lies elsewhere, which is the same to who links to it. */
export function nameIn(names: NamesById, scope: Scope, id: string): string | undefined {
  const found = names.get(id);
  return found !== undefined && isIn(found, scope) ? found.name : undefined;
}

/** Whether an object that a list is filtered by is where the list is read: a link to what is gone counts for nothing. */
export function isListed(names: NamesById, scope: ListScope, id: string): boolean {
  const found = names.get(id);
  return (
    found !== undefined && (scope.visible === undefined ? isIn(found, scope) : found.partition === scope.partition)
  );
}
