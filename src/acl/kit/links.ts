/**
 * Links to policies and roles, as requests give them and as answers show them.
 */
import { invalid } from "../../errors.ts";
import type { Reader } from "../../storage/database.ts";
import { NO_GRANTS, sizeOfIdentities, type Grants, type GrantLink } from "../grants.ts";
import {
  checkMissing,
  findIds,
  findNames,
  nameIn,
  type LinkingObject,
  type LinkedTable,
  type NamesById,
} from "./link-store.ts";
import { sizeOfPolicies } from "../policies/store.ts";
import { roleStore } from "../roles/store.ts";
import { addSizes, checkRules } from "../rule-limit.ts";
import { fold } from "../../fold.ts";
import type { Scope } from "../../rights/scope.ts";
import { isUuid } from "../../rights/uuid.ts";

/** A link as answers show it. */
export interface NamedLink {
  id: string;
  name: string;
}

const NOUNS = { policies: "policy", roles: "role" } as const;

/**
 * The IDs of what is linked to, each once, in the order given.
 *
 * @param unknownId the text for an ID that nothing of the scope has
 * @throws AppError `invalid`
 */
export async function resolveLinks(
  tx: Reader,
  table: LinkedTable,
  scope: Scope,
  links: readonly GrantLink[],
  unknownId = (id: string) => `No such ACL ${NOUNS[table]} with ID "${id}"`,
): Promise<string[]> {
  const ids = links.flatMap(({ id }) => (id !== undefined && isUuid(id) ? [id.toLowerCase()] : []));
  const named = links.flatMap(({ id, name }) => (id === undefined && name !== undefined ? [fold(name)] : []));
  // Together: on PostgreSQL they travel together.
  const [names, found] = await Promise.all([findNames(tx, table, ids), findIds(tx, table, scope, named)]);
  const result = new Set<string>();
  for (const { id, name = "" } of links) {
    const target = id?.toLowerCase() ?? found.get(fold(name))?.id;
    if (id !== undefined && nameIn(names, scope, id.toLowerCase()) === undefined) throw invalid(unknownId(id));
    if (target === undefined) throw invalid(`No such ACL ${NOUNS[table]} with name "${name}"`);
    result.add(target);
  }
  return [...result];
}

/** Grants to all objects that link to it. */
type Linked = Pick<Grants, "policies"> & { roles?: readonly string[] } & Partial<Grants>;

/** @throws AppError `invalid` when an object with these grants would exceed the limit of rules */
export async function checkSize(what: "token" | "role", db: Reader, scope: Scope, given: Linked): Promise<void> {
  const roles = await roleStore.all(db, scope, given.roles ?? []);
  const policies = [...new Set([given, ...roles].flatMap((each) => each.policies))];
  const stored = await sizeOfPolicies(db, scope, policies);
  checkRules(what, addSizes([stored, ...[{ ...NO_GRANTS, ...given }, ...roles].map(sizeOfIdentities)]));
}

/** Names that links of objects of a scope are shown with, read together for many objects. Dead links have none and are left out. */
export interface LinkNames {
  policies(scope: Scope, ids: readonly string[]): NamedLink[];
  roles(scope: Scope, ids: readonly string[]): NamedLink[];
}

/** An object's links, by IDs. */
export interface LinksOf extends LinkingObject {
  policies: readonly string[];
  roles?: readonly string[];
}

/** Reads the names of all that these objects link to. @throws StorageDamaged when some of it was lost */
export async function readLinkNames(db: Reader, objects: readonly LinksOf[]): Promise<LinkNames> {
  const policyIds = [...distinct(objects, ({ policies }) => policies)];
  const roleIds = [...distinct(objects, ({ roles }) => roles)];
  const [policies, roles] = await Promise.all([findNames(db, "policies", policyIds), findNames(db, "roles", roleIds)]);
  await checkMissing(db, "policies", policyIds, policies, (id) => objects.filter((each) => each.policies.includes(id)));
  await checkMissing(db, "roles", roleIds, roles, (id) => objects.filter((each) => each.roles?.includes(id)));
  const named = (names: NamesById) => (scope: Scope, ids: readonly string[]) => {
    const found: NamedLink[] = [];
    for (const id of ids) {
      const name = nameIn(names, scope, id);
      if (name !== undefined) found.push({ id, name });
    }
    return found;
  };
  return { policies: named(policies), roles: named(roles) };
}

function distinct<T>(objects: readonly T[], idsOf: (object: T) => readonly string[] | undefined): Set<string> {
  const ids = new Set<string>();
  for (const object of objects) for (const id of idsOf(object) ?? []) ids.add(id);
  return ids;
}
