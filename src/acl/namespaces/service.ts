/**
 * Namespaces: they divide what lies in a partition, and give all tokens in
 * them default policies and roles. Implements `/v1/namespace` and `/v1/namespaces`.
 */
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { seesAll } from "../../storage/reads/conditions.ts";
import { authorize, seesNamespace, visibleNamespaces, questionOf } from "../../rights/authorize.ts";
import { checkCas, changeIn, changeRegardless, type NoteChange } from "../kit/write.ts";
import { checkCount, type GrantLink } from "../grants.ts";
import type { RecordExtras } from "../audited.ts";
import { deletionBy, type Restoring } from "../kit/trash.ts";
import { inOrder } from "../kit/in-order.ts";
import { checkSize, readLinkNames, resolveLinks, type LinkNames, type LinksOf, type NamedLink } from "../kit/links.ts";
import { listReader, type ListOf } from "../../lists/page.ts";
import { checkPermission, lacking, OPERATOR_READ } from "../../rights/permission.ts";
import { DEFAULT_SCOPE, homeIn, homeOf, type Scope } from "../../rights/scope.ts";
import { checkDeletable, checkMeta, checkScopeName } from "./check.ts";
import { markedForDeletion } from "./living.ts";
import {
  discardNamespace,
  findNamespace,
  hasHiddenNamespaces,
  listNamespaces as listRows,
  updateNamespace,
  type NamespaceDefaults,
  type Namespace,
  insertNamespace,
  namespaceOf,
  sortableNamespaces,
} from "./store.ts";
import { sortedBy } from "../../lists/sorted.ts";
import { endEmptyNamespace } from "../deletion/at-once.ts";
import type { Reader, Transaction } from "../../storage/database.ts";
import { insertNamespaceManagement } from "../policies/builtin.ts";
import { NAMESPACES } from "../../rights/kinds.ts";

/** Defaults as a request gives them. */
export interface DefaultLinks {
  policies: readonly GrantLink[];
  roles: readonly GrantLink[];
}

/** Content of a namespace in a request. */
export interface NamespaceInput extends Pick<Namespace, "description" | "meta"> {
  /** Undefined for a namespace without defaults. */
  defaults: DefaultLinks | undefined;
}

/** Change that a request makes to a namespace. */
export interface NamespaceEdit {
  /** Returns the new content from the current one; undefined: none yet. Without side effects, since it may run again. */
  edit(current: NamespaceInput | undefined): NamespaceInput;
  /** Links that the request itself names: the caller needs permission to write their targets. */
  links: DefaultLinks;
  /** The ModifyIndex that it must still have; undefined for any. */
  cas: number | undefined;
  /** Set when the namespace comes from the trash; `cas` is then 0. */
  restoring?: Restoring;
}

/** A namespace with the names of what it links to. */
export interface LinkedNamespace extends Omit<Namespace, "defaults"> {
  defaults: { policies: readonly NamedLink[]; roles: readonly NamedLink[] } | undefined;
}

/**
 * Reads a namespace, by `operator:read` or any right to read in it.
 *
 * @param scope whose namespace is the one to read, folded
 * @throws AppError `not_found`, `forbidden`
 */
export async function readNamespace(ctx: Context, scope: Scope): Promise<LinkedNamespace> {
  if (!seesNamespace(ctx.actor, scope)) {
    throw lacking(ctx, questionOf("namespace", scope.namespace, "read", scope), OPERATOR_READ);
  }
  const namespace = await findNamespace(ctx.db, scope);
  if (namespace === undefined) throw missing(scope.namespace);
  return linked(ctx, namespace);
}

/** The list of those namespaces of a partition that the caller may see, in order of names. */
export function listNamespaces(ctx: Context, { partition }: Scope): ListOf<LinkedNamespace> {
  const seen = visibleNamespaces(ctx.actor, partition);
  const sortable = sortableNamespaces(ctx.db, partition, seen);
  const { long } = ctx.db;
  const linkedAll = async (reader: Reader, namespaces: readonly Namespace[]) => {
    const names = await readLinkNames(reader, namespaces.map(linksOf));
    return namespaces.map((namespace) => withNames(namespace, names));
  };
  return {
    async slice(page) {
      const reader = listReader(ctx.db, page, !seesAll(seen));
      return linkedAll(reader, await listRows(reader, partition, seen, page));
    },
    sorted: sortedBy(long, sortable, (rows) => linkedAll(long, rows.map(namespaceOf))),
    keyOf: ({ name }) => name,
    isFiltered: () => hasHiddenNamespaces(ctx.db.long, partition, seen),
  };
}

/**
 * Writes a namespace, which is made when it is missing.
 *
 * @param scope whose namespace is the one to write, folded
 * @throws AppError `invalid`, `conflict` when it is being deleted or has changed, `forbidden`
 */
export async function writeNamespace(
  ctx: Context,
  scope: Scope,
  { edit, links, cas, restoring }: NamespaceEdit,
): Promise<LinkedNamespace> {
  checkPermission(ctx, DEFAULT_SCOPE, "operator", "write");
  checkScopeName("Namespace", scope.namespace);
  checkLinks(ctx, scope, links);
  const home = homeIn(scope);
  const written = await changeIn(ctx, home, async (tx, change) => {
    const current = await findNamespace(tx, scope);
    if (current !== undefined && current.deletedAt !== "") throw markedForDeletion("Namespace", scope.namespace);
    checkCas(cas, current);
    const input = edit(current && (await inputOf(tx, current)));
    checkMeta(input.meta);
    const living = (await restoring?.take(tx, input.defaults ?? {})) ?? input.defaults;
    const wanted = input.defaults && { ...input.defaults, ...living };
    const [index, defaults] = await Promise.all([tx.index(), resolveDefaults(tx, home, wanted)]);
    const base = current ?? { partition: scope.partition, name: scope.namespace, deletedAt: "", createIndex: index };
    const { description, meta } = input;
    const namespace = { ...base, description, meta, defaults, modifyIndex: index };
    await put(tx, change, namespace, current, restoring?.told);
    return namespace;
  });
  return linked(ctx, written);
}

async function put(
  tx: Transaction,
  change: NoteChange,
  namespace: Namespace,
  current: Namespace | undefined,
  told: RecordExtras | undefined,
): Promise<void> {
  if (current === undefined) return addNamespace(tx, change, namespace, told);
  updateNamespace(tx, namespace, current);
  change(NAMESPACES, namespace.name);
}

/**
 * Deletes a namespace that holds nothing but its built-in policy. Any other is marked for deletion: from now on nothing can be
 * written in it, its tokens are unknown, and all that lies in it goes in the background.
 *
 * @throws AppError `not_found`, `invalid` for `default`, `conflict`, `forbidden`
 */
export async function deleteNamespace(ctx: Context, scope: Scope, cas: number | undefined): Promise<void> {
  checkPermission(ctx, DEFAULT_SCOPE, "operator", "write");
  const { namespace: name } = scope;
  checkDeletable("Namespace", name);
  const deletion = deletionBy(ctx);
  const deletedAt = new Date(deletion.at).toISOString();
  const gone = () => new AppError("not_found", `Cannot find namespace "${name}" to delete`);
  // Also where there is no such partition.
  if ((await findNamespace(ctx.db, scope)) === undefined) throw gone();
  await changeRegardless(ctx, homeOf(scope.partition), async (tx, change) => {
    const current = await findNamespace(tx, scope);
    if (current === undefined) throw gone();
    if (current.deletedAt !== "") return;
    checkCas(cas, current);
    updateNamespace(tx, { ...current, deletedAt, modifyIndex: await tx.index() }, current, "delete");
    await discardNamespace(tx, current, deletion);
    change(NAMESPACES, name);
    await endEmptyNamespace(tx, scope);
  });
}

/** Checks that a caller who grants a policy to all tokens of a namespace has permission to write that policy. */
function checkLinks(ctx: Context, scope: Scope, { policies, roles }: DefaultLinks): void {
  checkCount(policies, "PolicyDefaults");
  checkCount(roles, "RoleDefaults");
  const [first] = [...policies, ...roles];
  const home = homeOf(scope.partition);
  if (first === undefined || authorize(ctx.actor, "acl", "", "write", home)) return;
  const told = { resource: "acl", access: "write", scope: home, segment: first.name ?? first.id ?? "" } as const;
  throw lacking(ctx, questionOf("acl", "", "write", home), told);
}

async function resolveDefaults(
  tx: Transaction,
  home: Scope,
  links: DefaultLinks | undefined,
): Promise<NamespaceDefaults | undefined> {
  if (links === undefined) return undefined;
  const [policies, roles] = await inOrder([
    resolveLinks(tx, "policies", home, links.policies),
    resolveLinks(tx, "roles", home, links.roles),
  ]);
  // No token of the namespace could be used with more.
  await checkSize("token", tx, home, { policies, roles });
  return { policies, roles };
}

/** The content that a namespace has, without links to what is gone. */
async function inputOf(tx: Transaction, namespace: Namespace): Promise<NamespaceInput> {
  return withNames(namespace, await readLinkNames(tx, [linksOf(namespace)]));
}

const NO_LINKS: NamespaceDefaults = { policies: [], roles: [] };

function linksOf({ defaults = NO_LINKS, partition }: Namespace): LinksOf {
  return { ...defaults, scope: homeOf(partition) };
}

async function linked({ db }: Context, namespace: Namespace): Promise<LinkedNamespace> {
  return withNames(namespace, await readLinkNames(db, [linksOf(namespace)]));
}

function withNames(namespace: Namespace, names: LinkNames): LinkedNamespace {
  const { defaults, partition } = namespace;
  const home = homeOf(partition);
  return {
    ...namespace,
    defaults: defaults && {
      policies: names.policies(home, defaults.policies),
      roles: names.roles(home, defaults.roles),
    },
  };
}

/** Adds a namespace, with the policy by which it is managed. @param change of its partition */
async function addNamespace(
  tx: Transaction,
  change: NoteChange,
  namespace: Namespace,
  told?: RecordExtras,
): Promise<void> {
  const { partition, name } = namespace;
  insertNamespace(tx, namespace, told);
  await insertNamespaceManagement(tx, { partition, namespace: name });
  change(NAMESPACES, name);
}

/** Gives a new partition the namespace in which all lies that says nothing else. */
export async function addDefaultNamespace(tx: Transaction, change: NoteChange, partition: string): Promise<void> {
  const index = await tx.index();
  const { namespace: name } = DEFAULT_SCOPE;
  const description = "Builtin Default Namespace";
  const indexes = { createIndex: index, modifyIndex: index };
  const content = { description, meta: {}, defaults: undefined, deletedAt: "" };
  await addNamespace(tx, change, { partition, name, ...content, ...indexes });
}

/** The answer where there is no namespace of this name. */
export function missing(name: string): AppError {
  return new AppError("not_found", `Namespace "${name}" does not exist`);
}
