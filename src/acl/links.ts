/**
 * Links to policies and roles, as requests give them and as answers show them.
 */
import { AppError } from "../errors.ts";
import type { Reader, Transaction } from "../storage/database.ts";
import { checkMissing } from "./deleted-links.ts";
import type { Link } from "./grants.ts";
import { nameIn, type NamesById } from "./names.ts";
import { findPolicyByName, findPolicyNames } from "./policies/store.ts";
import { findRoleByName, findRoleNames } from "./roles/store.ts";
import type { Scope } from "./scope.ts";
import { isUuid } from "./uuid.ts";

/** A link as answers show it. */
export interface NamedLink {
  id: string;
  name: string;
}

/**
 * The IDs of linked policies, each once, in the order given.
 *
 * @param unknownId the text for an ID that no policy of the scope has
 * @throws AppError `invalid`
 */
export function resolvePolicies(
  tx: Transaction,
  scope: Scope,
  links: readonly Link[],
  unknownId: (id: string) => string = (id) => `No such ACL policy with ID "${id}"`,
): Promise<string[]> {
  return resolve(scope, links, {
    byIds: (ids) => findPolicyNames(tx, ids),
    byName: async (name) => (await findPolicyByName(tx, scope, name))?.id,
    unknownId,
    unknownName: (name) => `No such ACL policy with name "${name}"`,
  });
}

/** The same for roles. */
export function resolveRoles(tx: Transaction, scope: Scope, links: readonly Link[]): Promise<string[]> {
  return resolve(scope, links, {
    byIds: (ids) => findRoleNames(tx, ids),
    byName: async (name) => (await findRoleByName(tx, scope, name))?.id,
    unknownId: (id) => `No such ACL role with ID "${id}"`,
    unknownName: (name) => `No such ACL role with name "${name}"`,
  });
}

interface Lookup {
  byIds(ids: readonly string[]): Promise<NamesById>;
  byName(name: string): Promise<string | undefined>;
  unknownId(id: string): string;
  unknownName(name: string): string;
}

async function resolve(scope: Scope, links: readonly Link[], lookup: Lookup): Promise<string[]> {
  const ids = links.flatMap(({ id }) => (id !== undefined && isUuid(id) ? [id.toLowerCase()] : []));
  // All look-ups at once: on PostgreSQL they travel together.
  const [known, resolved] = await Promise.all([
    lookup.byIds(ids),
    Promise.all(links.map(async ({ id, name }) => id ?? (name === undefined ? undefined : lookup.byName(name)))),
  ]);
  const result = new Set<string>();
  for (const [index, { id, name }] of links.entries()) {
    const target = resolved[index]?.toLowerCase();
    if (id !== undefined && (target === undefined || nameIn(known, scope, target) === undefined))
      throw invalid(lookup.unknownId(id));
    if (target === undefined) throw invalid(lookup.unknownName(name ?? ""));
    result.add(target);
  }
  return [...result];
}

function invalid(message: string): AppError {
  return new AppError("invalid", message);
}

/** Names that links of objects of a scope are shown with, read together for many objects. Dead links have none and are left out. */
export interface LinkNames {
  policies(scope: Scope, ids: readonly string[]): NamedLink[];
  roles(scope: Scope, ids: readonly string[]): NamedLink[];
}

/** Reads the names of all that these objects link to. @throws StorageDamaged when some of it was lost */
export async function readLinkNames(
  db: Reader,
  objects: readonly { policies: readonly string[]; roles?: readonly string[] }[],
): Promise<LinkNames> {
  const policyIds = [...new Set(objects.flatMap((each) => each.policies))];
  const roleIds = [...new Set(objects.flatMap((each) => each.roles ?? []))];
  const [policies, roles] = await Promise.all([findPolicyNames(db, policyIds), findRoleNames(db, roleIds)]);
  await checkMissing(db, "policies", policyIds, policies);
  await checkMissing(db, "roles", roleIds, roles);
  const named = (names: NamesById) => (scope: Scope, ids: readonly string[]) =>
    ids.flatMap((id) => {
      const name = nameIn(names, scope, id);
      return name === undefined ? [] : [{ id, name }];
    });
  return { policies: named(policies), roles: named(roles) };
}
