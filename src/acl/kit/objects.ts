/**
 * Functions that the services of namespaced kinds share. They check permissions and existence, in one order for all
 * kinds.
 */
import type { Context } from "../../context.ts";
import type { Reader, Transaction } from "../../storage/database.ts";
import { listKey } from "../../storage/reads/conditions.ts";
import { changeIn, checkCas, type NoteChange } from "./write.ts";
import { checkListScope, type ListScope, checkPermission } from "../../rights/permission.ts";
import { listReader, type ListOf, type PageRequest, type TextForm, type TextPiece } from "../../lists/page.ts";
import { type Scope, DEFAULT_SCOPE } from "../../rights/scope.ts";
import type { SortedObjects } from "./scoped-objects.ts";
import { deletionBy, type Deletion } from "./trash.ts";
import { AppError } from "../../errors.ts";

/** Target of a write. */
export interface WriteTarget {
  scope: Scope;
  /** Key as the request spells it; empty for an object to create. */
  key: string;
  /** The ModifyIndex that it must still have; undefined for any. */
  cas: number | undefined;
}

/** Change by an update: returns the new content from the current one. Without side effects, since it may run again. */
export type Edit<I> = (current: I) => I;

/**
 * Reads one object.
 *
 * @param noun name of the kind in texts, such as `policy`
 * @param find runs after the check of the caller's permission
 * @throws AppError `forbidden`, `not_found`
 */
export async function readObject<T>(
  ctx: Context,
  scope: Scope,
  noun: string,
  find: () => Promise<T | undefined>,
): Promise<T> {
  checkPermission(ctx, scope, "acl", "read");
  const object = await find();
  if (object === undefined) throw missing(noun, scope);
  return object;
}

/** Source of a list. */
interface ObjectList<T> {
  /** Whether a filter of its own may skip rows. */
  isFiltered?: boolean;
  /** @param db reader for a slice of this list */
  list(db: Reader, scope: ListScope, page: PageRequest & { size: number }): Promise<T[]>;
  /** Returns the key by which an object is sorted within its namespace. */
  sortKey(object: T): string;
  /** A slice of one namespace as text; see `ListOf`. */
  texts?(scope: Scope, page: PageRequest & { size: number }, form: TextForm): Promise<readonly TextPiece[]>;
  hasHidden(db: Reader, scope: ListScope): Promise<boolean>;
  sorted: SortedObjects<T>;
}

/**
 * Lists the objects that the caller may read, in order of namespaces and of their sort key.
 *
 * @param listOf runs after the check of the caller's permission: its errors reveal nothing to other callers
 * @throws AppError `forbidden`
 */
export function listObjects<T extends { scope: Scope }>(
  ctx: Context,
  asked: Scope,
  listOf: () => ObjectList<T>,
): ListOf<T> {
  const scope = checkListScope(ctx, asked);
  const { isFiltered = false, list, texts, sortKey, hasHidden, sorted } = listOf();
  const isOfOne = scope.visible === undefined;
  return {
    slice: (page) => list(listReader(ctx.db, page, isFiltered || scope.visible !== undefined), scope, page),
    keyOf: (object) => listKey(scope, object.scope.namespace, sortKey(object)),
    isFiltered: () => hasHidden(ctx.db.long, scope),
    texts: isOfOne && texts !== undefined ? (page, form) => texts(scope, page, form) : undefined,
    sorted: {
      slice: (page) => sorted.list(ctx.db.long, scope, page),
      count: (found) => sorted.count(ctx.db.long, scope, found),
    },
  };
}

/** A sorted list whose entries are shown with what lies elsewhere. @param shown gives entries in the order of its rows */
export function shownSorted<R, T>(
  sorted: SortedObjects<R>,
  shown: (db: Reader, rows: R[]) => Promise<Iterable<T>>,
): SortedObjects<T> {
  return {
    async list(db, scope, page) {
      const placed = await sorted.list(db, scope, page);
      const entries = [
        ...(await shown(
          db,
          placed.map(({ entry }) => entry),
        )),
      ];
      return entries.map((entry, index) => ({ entry, cursor: placed[index]?.cursor ?? "" }));
    },
    count: sorted.count,
  };
}

/**
 * Deletes one object, for a caller whose right was asked for.
 *
 * @param find what is there, for the transaction
 * @param remove puts it into the trash, where the kind is kept there
 * @throws AppError `not_found`, `conflict`
 */
export async function deleteObject<T extends { modifyIndex: number }>(
  ctx: Context,
  scope: Scope,
  { noun, cas }: { noun: string; cas: number | undefined },
  find: (tx: Transaction) => Promise<T | undefined>,
  remove: (tx: Transaction, change: NoteChange, current: T, deletion: Deletion) => void | Promise<void>,
): Promise<void> {
  const deletion = deletionBy(ctx);
  const work = async (tx: Transaction, change: NoteChange) => {
    const current = await find(tx);
    if (current === undefined) throw new AppError("not_found", `Cannot find ${noun} to delete`);
    checkCas(cas, current);
    await remove(tx, change, current, deletion);
  };
  await changeIn(ctx, scope, work, { mayBeMarked: true });
}

/**
 * The answer to a read of what is not there. It names the namespace where that
 * may be the reason, as servers with namespaces do.
 *
 * @param what as the text names it, such as `policy`
 */
export function missing(what: string, { namespace }: Scope): AppError {
  const text = namespace === DEFAULT_SCOPE.namespace ? "does not exist" : `not found in namespace ${namespace}`;
  return new AppError("not_found", `Requested ${what} ${text}: ACL not found`);
}
