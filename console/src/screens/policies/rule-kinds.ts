/** The words of rules that the editor and the access check offer. The server's lists are those of the model. */
import { ACCESSES, INERT, LABELLED, permissionsOf, SCALARS, SCOPES } from "../../../../packages/model/rule-kinds.ts";

/** Kinds without a name of anything: one rule is about all of it. */
export const SCALAR_KINDS: readonly string[] = SCALARS;

/** Every word that a rule can begin with. */
export const ALL_KINDS: readonly string[] = [
  ...SCALARS,
  ...[...LABELLED, ...INERT, ...SCOPES].flatMap((kind) => [kind, `${kind}_prefix`]),
];

/** Returns the permissions that a rule of this kind can have. */
export function accessesOf(kind: string): readonly string[] {
  return permissionsOf(kind.replace(/_prefix$/, ""));
}

/** Resources for access checks. */
export const ASKED_RESOURCES: readonly string[] = [...ACCESSES.keys()].toSorted();

/** Returns the accesses that can be asked of a resource. */
export function askedAccessesOf(resource: string): readonly string[] {
  return ACCESSES.get(resource) ?? [];
}

/** Checks whether there are several of a resource, which have names. */
export function hasNames(resource: string): boolean {
  return !SCALAR_KINDS.includes(resource);
}
