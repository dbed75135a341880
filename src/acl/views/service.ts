/**
 * Saved views of lists: search, filters, order, columns and density under a name. A caller holds its own, which nobody else sees
 * and which go with its token or auth method; a shared one belongs to a namespace. Implements `/v1/acl/views` and `/v1/acl/view`.
 */
import type { Context } from "../../context.ts";
import { AppError, invalid } from "../../errors.ts";
import { fold } from "../../fold.ts";
import { authorize } from "../../rights/authorize.ts";
import { checkPermission } from "../../rights/permission.ts";
import { isIn, type Scope } from "../../rights/scope.ts";
import { newUuid } from "../../rights/uuid.ts";
import type { Transaction } from "../../storage/database.ts";
import { inOrder } from "../kit/in-order.ts";
import type { WriteTarget } from "../kit/objects.ts";
import { changeIn, checkCas } from "../kit/write.ts";
import { checkViewContent, type ViewInput } from "./check.ts";
import {
  deleteView,
  findView,
  holderOf,
  insertView,
  isHeldBy,
  isShared,
  listHeld,
  listShared,
  updateView,
  type ViewHolder,
  type View,
} from "./store.ts";

export type { ViewInput } from "./check.ts";
export { isShared, type View } from "./store.ts";

/** Maximum number of views of a holder, and of shared views of a namespace. */
export const MOST_VIEWS = 100;

/**
 * Lists the caller's own views, and with acl:read those that are shared in the namespace, by name.
 *
 * @param list noun of one list; empty for all
 */
export async function listViews(ctx: Context, scope: Scope, list: string): Promise<View[]> {
  const { actor, db } = ctx;
  const holder = holderOf(actor);
  const [own, shared] = await Promise.all([
    holder === undefined ? [] : listHeld(db, holder),
    authorize(actor, "acl", "", "read", scope) ? listShared(db, scope) : [],
  ]);
  return [...own, ...shared]
    .filter((view) => list === "" || view.list === list)
    .toSorted((one, other) => compare(fold(one.name), fold(other.name)) || compare(one.id, other.id));
}

/** By code units, so that the order is that of any server. */
function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/**
 * Saves a view of a list: for the caller, or with acl:write for the namespace.
 *
 * @throws AppError `invalid`, `already_exists`; `forbidden` without acl:write, and for the anonymous token
 */
export async function createView(ctx: Context, scope: Scope, input: ViewInput): Promise<View> {
  const place = placeOf(ctx, scope, input.isShared);
  const { list, name, content } = checkViewContent(input);
  const id = newUuid();
  return changeIn(ctx, place.scope, async (tx) => {
    const [index, all] = await inOrder([tx.index(), listIn(tx, place)]);
    checkNameIsFree(all, { id, list, name });
    if (all.length >= MOST_VIEWS) throw tooMany(place);
    const view: View = {
      id,
      scope: { partition: place.scope.partition, namespace: place.scope.namespace },
      ...columnsOf(place.holder),
      list,
      name,
      content,
      createIndex: index,
      modifyIndex: index,
    };
    insertView(tx, view);
    return view;
  });
}

/**
 * Replaces the name and the content of a view.
 *
 * @throws AppError `invalid`, `not_found`, `already_exists`, `conflict`; `forbidden` without acl:write for a shared view
 */
export async function replaceView(ctx: Context, target: WriteTarget, input: ViewInput): Promise<View> {
  const { place, id } = await locate(ctx, target);
  const { list, name, content } = checkViewContent(input);
  return changeIn(ctx, place.scope, async (tx) => {
    const [index, all] = await inOrder([tx.index(), listIn(tx, place)]);
    const current = all.find((view) => view.id === id);
    if (current === undefined) throw noView();
    checkCas(target.cas, current);
    if (current.list !== list) throw invalid(`List cannot be changed: the view is for "${current.list}"`);
    if (input.isShared !== isShared(current)) throw invalid("Shared cannot be changed. Create another view");
    checkNameIsFree(all, { id, list, name });
    const view = { ...current, name, content, modifyIndex: index };
    updateView(tx, view, current);
    return view;
  });
}

/** Deletes a view. @throws AppError `not_found`, `conflict`; `forbidden` without acl:write for a shared view */
export async function removeView(ctx: Context, target: WriteTarget): Promise<void> {
  const { place, id } = await locate(ctx, target);
  await changeIn(
    ctx,
    place.scope,
    async (tx) => {
      const current = (await listIn(tx, place)).find((view) => view.id === id);
      if (current === undefined) throw noView();
      checkCas(target.cas, current);
      deleteView(tx, current);
    },
    { mayBeMarked: true },
  );
}

/** Set of views that is bounded: those of a holder, or without one the shared views of a namespace. */
interface Place {
  /** Scope whose counter guards it. */
  readonly scope: Scope;
  readonly holder: ViewHolder | undefined;
}

/** @throws AppError `forbidden` */
function placeOf(ctx: Context, scope: Scope, shared: boolean): Place {
  if (shared) {
    checkPermission(ctx, scope, "acl", "write");
    return { scope, holder: undefined };
  }
  const holder = holderOf(ctx.actor);
  if (holder !== undefined) return { scope: ctx.actor.scope, holder };
  const reason = "the anonymous token cannot have saved views";
  const refused = { kind: "request", name: "view", scope: ctx.actor.scope, reason } as const;
  throw new AppError("forbidden", `Permission denied: ${reason}`, { refused });
}

/**
 * Finds the place of a view that the caller may write. A view of another holder is missing.
 *
 * @throws AppError `forbidden` when it is none of the caller's, without acl:write
 */
async function locate(ctx: Context, { scope, key }: WriteTarget): Promise<{ place: Place; id: string }> {
  const id = key.toLowerCase();
  const found = await findView(ctx.db, id);
  const holder = holderOf(ctx.actor);
  if (found !== undefined && isHeldBy(found, holder)) return { place: { scope: ctx.actor.scope, holder }, id };
  checkPermission(ctx, scope, "acl", "write");
  if (found === undefined || !isShared(found) || !isIn(found.scope, scope)) throw noView();
  return { place: { scope, holder: undefined }, id };
}

function listIn(tx: Transaction, { scope, holder }: Place): Promise<View[]> {
  return holder === undefined ? listShared(tx, scope) : listHeld(tx, holder);
}

function columnsOf(holder: ViewHolder | undefined): Pick<View, "accessorId" | "methodId" | "identity"> {
  if (holder === undefined) return { accessorId: null, methodId: "", identity: "" };
  return "accessorId" in holder
    ? { accessorId: holder.accessorId, methodId: "", identity: "" }
    : { accessorId: null, methodId: holder.methodId, identity: holder.identity };
}

function checkNameIsFree(all: readonly View[], { id, list, name }: Pick<View, "id" | "list" | "name">): void {
  const other = all.find((view) => view.id !== id && view.list === list && fold(view.name) === fold(name));
  if (other === undefined) return;
  throw new AppError("already_exists", `A view "${other.name}" of the list "${list}" already exists`);
}

function tooMany({ scope, holder }: Place): AppError {
  const owner = holder === undefined ? `Namespace "${scope.namespace}"` : "The caller";
  return invalid(`${owner} has ${MOST_VIEWS} views; maximum ${MOST_VIEWS}. Delete one first`);
}

function noView(): AppError {
  return new AppError("not_found", "view does not exist");
}
