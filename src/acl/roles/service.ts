/**
 * Roles: named bundles of policies and identities that tokens link to.
 * Implements `/v1/acl/role` and `/v1/acl/roles`.
 */
import type { TextsOf } from "../../../packages/model/text-members.ts";
import type { Context } from "../../context.ts";
import { AppError, invalid, TakenName } from "../../errors.ts";
import type { Transaction } from "../../storage/database.ts";
import { checkCas, changeIn } from "../kit/write.ts";
import { checkIdentities, type GrantsInput } from "../grants.ts";
import { digest } from "../kit/records.ts";
import { inOrder } from "../kit/in-order.ts";
import { checkSize, readLinkNames, resolveLinks, type LinkNames, type NamedLink } from "../kit/links.ts";
import { isListed } from "../kit/link-store.ts";
import { deleteObject, listObjects, shownSorted, readObject, type Edit, type WriteTarget } from "../kit/objects.ts";
import type { ListOf } from "../../lists/page.ts";
import { checkPermission } from "../../rights/permission.ts";
import type { Scope } from "../../rights/scope.ts";
import { checkFilterId, checkUuid, isUuid, newUuid } from "../../rights/uuid.ts";
import { ROLES } from "../../rights/kinds.ts";
import {
  roleStore,
  writeRoles,
  deleteRole as deleteRow,
  listRoles as listRows,
  sortedRoles,
  type Role,
  type RoleFilter,
} from "./store.ts";
import { ROLE_NAME } from "../kit/names.ts";
import { textsIn } from "../kit/texts.ts";
import type { Restoring } from "../kit/trash.ts";

export type { Role } from "./store.ts";

/** Members of a role that a request sets. */
export type RoleInput = GrantsInput & Pick<Role, "name" | keyof TextsOf<"role">>;

/** Role with the names of its links. */
export interface LinkedRole extends Omit<Role, "policies"> {
  policies: readonly NamedLink[];
}

/** @throws AppError `not_found`, `forbidden` */
export async function readRole(ctx: Context, scope: Scope, id: string): Promise<LinkedRole> {
  return linked(ctx, await readObject(ctx, scope, "role", () => roleStore.find(ctx.db, scope, checkUuid(id, "role"))));
}

/** The same by its name, in any case. */
export async function readRoleByName(ctx: Context, scope: Scope, name: string): Promise<LinkedRole> {
  return linked(ctx, await readObject(ctx, scope, "role", () => roleStore.byName(ctx.db, scope, name)));
}

async function linked({ db }: Context, role: Role): Promise<LinkedRole> {
  return withNames(role, await readLinkNames(db, [role]));
}

function withNames(role: Role, names: LinkNames): LinkedRole {
  return { ...role, policies: names.policies(role.scope, role.policies) };
}

/**
 * The list of roles, in order of namespaces and names.
 *
 * @throws AppError `bad_parameter` on a filter that is no ID, `forbidden`
 */
export function listRoles(ctx: Context, asked: Scope, filter: RoleFilter): ListOf<LinkedRole> {
  return listObjects<LinkedRole>(ctx, asked, () => {
    const policy = checkFilterId(filter.policy, "policy");
    return {
      isFiltered: policy !== "",
      async list(db, scope, page) {
        if (policy !== "" && !(await isListed(ctx.db, "policies", scope, policy))) return [];
        const roles = await listRows(db, scope, { policy }, page);
        const names = await readLinkNames(db, roles);
        return roles.map((role) => withNames(role, names));
      },
      sorted: shownSorted(sortedRoles({ policy }), async (db, roles) => {
        const names = await readLinkNames(db, roles);
        return roles.map((role) => withNames(role, names));
      }),
      sortKey: roleStore.sortKey,
      hasHidden: roleStore.hasHidden,
    };
  });
}

/**
 * @param restoring when the role comes from the trash
 * @throws AppError `invalid`, `already_exists`, `conflict`, `forbidden`
 */
export async function createRole(
  ctx: Context,
  { scope, cas }: WriteTarget,
  input: RoleInput,
  restoring?: Restoring,
): Promise<LinkedRole> {
  checkPermission(ctx, scope, "acl", "write");
  checkInput(input, scope);
  const id = restoring?.objectId ?? newUuid();
  const role = await changeIn(ctx, scope, async (tx, change) => {
    checkCas(cas, undefined);
    const living = restoring === undefined ? input : await restoring.take(tx, input);
    const made = await assemble(tx, { id, scope }, living, undefined);
    writeRoles.insert(tx, made, restoring?.told);
    change(ROLES, id);
    return made;
  });
  return linked(ctx, role);
}

/**
 * Replaces a role by what `edit` makes of it.
 *
 * @throws AppError `not_found`, `invalid`, `already_exists`, `conflict`, `forbidden`
 */
export async function updateRole(
  ctx: Context,
  { scope, key: id, cas }: WriteTarget,
  edit: Edit<RoleInput>,
): Promise<LinkedRole> {
  checkPermission(ctx, scope, "acl", "write");
  if (!isUuid(id)) throw new AppError("not_found", "Role ID invalid UUID");
  const key = id.toLowerCase();
  const role = await changeIn(ctx, scope, async (tx, change) => {
    const current = await roleStore.find(tx, scope, key);
    if (current === undefined) throw new AppError("not_found", `cannot find role ${key}`);
    checkCas(cas, current);
    const input = edit({ ...current, policies: await livingLinks(tx, current) });
    checkInput(input, scope);
    const changed = await assemble(tx, current, input, current);
    writeRoles.update(tx, changed, current);
    change(ROLES, key);
    return changed;
  });
  return linked(ctx, role);
}

/** Links of a role to policies that still exist: a write prunes the others. */
async function livingLinks(tx: Transaction, role: Role): Promise<NamedLink[]> {
  return (await readLinkNames(tx, [role])).policies(role.scope, role.policies);
}

/** @throws AppError `not_found`, `conflict`, `forbidden` */
export async function deleteRole(ctx: Context, { scope, key: id, cas }: WriteTarget): Promise<void> {
  checkPermission(ctx, scope, "acl", "write");
  const key = checkUuid(id, "role");
  const find = (tx: Transaction) => roleStore.find(tx, scope, key);
  await deleteObject(ctx, scope, { noun: "role", cas }, find, async (tx, change, current, deletion) => {
    await deleteRow(tx, current, deletion);
    change(ROLES, key);
  });
}

/** Puts a role together, with what it links to and its hash. @param current undefined for a new one */
async function assemble(
  tx: Transaction,
  { id, scope }: Pick<Role, "id" | "scope">,
  input: RoleInput,
  current: Role | undefined,
): Promise<Role> {
  const { name, description } = input;
  const [modifyIndex, , policies] = await inOrder([
    tx.index(),
    checkName(tx, scope, name, current),
    resolveLinks(tx, "policies", scope, input.policies, unknownPolicy),
  ]);
  await checkSize("role", tx, scope, { ...input, policies });
  const identities = checkIdentities(input, "role", false, scope);
  const { serviceIdentities, nodeIdentities, templatedPolicies } = identities;
  const meaning = [name, description, policies, serviceIdentities, nodeIdentities, templatedPolicies];
  const hash = digest([scope.partition, scope.namespace, ...meaning]);
  const createIndex = current?.createIndex ?? modifyIndex;
  const texts = textsIn("role", input);
  return { id, scope, createIndex, modifyIndex, name, ...texts, policies, ...identities, hash };
}

function checkInput(input: RoleInput, scope: Scope): void {
  if (input.name === "") throw invalid("Invalid Role: no Name is set");
  if (!ROLE_NAME.test(input.name)) {
    throw invalid("Invalid Role: invalid Name. Only alphanumeric characters, '-' and '_' are allowed");
  }
  checkIdentities(input, "role", false, scope);
}

/** On an update also a change of the case of its own letters is a duplicate, as clients know it. */
async function checkName(tx: Transaction, scope: Scope, name: string, current: Role | undefined): Promise<void> {
  if (name === current?.name) return;
  if ((await roleStore.byName(tx, scope, name)) === undefined) return;
  const role = current === undefined ? "A Role with Name" : "A role with name";
  throw new TakenName(`Invalid Role: ${role} "${name}" already exists`);
}

function unknownPolicy(id: string): string {
  return `Failed to apply role upsert request: No such policy with ID: ${id}`;
}
