/**
 * Declarations: what each directory of files owns, which `tessera apply` keeps here, so that what a directory no longer names can
 * be told from what somebody else made. Implements `/v1/acl/declaration` and `/v1/acl/declarations`. Who asks not to write what
 * they own is held to it (`owners.ts`); nobody is given a right by them.
 */
import type { Context } from "../../context.ts";
import { AppError, invalid } from "../../errors.ts";
import { authorize, questionOf } from "../../rights/authorize.ts";
import type { Transaction } from "../../storage/database.ts";
import type { RecordExtras } from "../audited.ts";
import { DECLARATIONS } from "../../rights/kinds.ts";
import { deleteObject, listObjects, readObject, type Edit, type WriteTarget } from "../kit/objects.ts";
import type { ListOf } from "../../lists/page.ts";
import { checkPermission, lacking } from "../../rights/permission.ts";
import { fold } from "../../fold.ts";
import { DEFAULT_SCOPE, type Scope } from "../../rights/scope.ts";
import { checkUuid, newUuid } from "../../rights/uuid.ts";
import { changeIn, checkCas } from "../kit/write.ts";
import { organizationOf, partitionOf } from "./owned-keys.ts";
import { declarationStore, writeDeclarations, type Declaration } from "./store.ts";
import { OBJECT_NAME } from "../kit/names.ts";

export type { Declaration } from "./store.ts";

/** Content of a declaration in a request. */
export type DeclarationInput = Pick<Declaration, "name" | "description" | "objects">;

/** @throws AppError `not_found`, `forbidden` */
export function readDeclaration(ctx: Context, scope: Scope, id: string): Promise<Declaration> {
  return readObject(ctx, scope, "declaration", () =>
    declarationStore.find(ctx.db, scope, checkUuid(id, "declaration")),
  );
}

/** The same by its name, in any case. */
export function readDeclarationByName(ctx: Context, scope: Scope, name: string): Promise<Declaration> {
  return readObject(ctx, scope, "declaration", () => declarationStore.byName(ctx.db, scope, name));
}

/** The list of declarations, in order of namespaces and names. @throws AppError `forbidden` */
export function listDeclarations(ctx: Context, scope: Scope): ListOf<Declaration> {
  return listObjects<Declaration>(ctx, scope, () => ({ ...declarationStore, sorted: declarationStore.sorted() }));
}

/** @throws AppError `invalid`, `already_exists`, `conflict`, `forbidden` */
export async function createDeclaration(
  ctx: Context,
  { scope, cas }: WriteTarget,
  input: DeclarationInput,
): Promise<Declaration> {
  checkPermission(ctx, scope, "acl", "write");
  checkInput(input);
  checkClaims(ctx, scope, input.objects);
  const id = newUuid();
  return changeIn(ctx, scope, async (tx, change) => {
    checkCas(cas, undefined);
    const [index] = await Promise.all([tx.index(), checkName(tx, scope, input.name, undefined)]);
    const declaration = { ...input, id, scope, createIndex: index, modifyIndex: index };
    writeDeclarations.insert(tx, declaration, toldOf([], input.objects));
    change(DECLARATIONS, id);
    return declaration;
  });
}

/**
 * Replaces a declaration by what `edit` makes of it.
 *
 * @throws AppError `not_found`, `invalid`, `already_exists`, `conflict`, `forbidden`
 */
export async function updateDeclaration(
  ctx: Context,
  { scope, key: id, cas }: WriteTarget,
  edit: Edit<DeclarationInput>,
): Promise<Declaration> {
  checkPermission(ctx, scope, "acl", "write");
  const key = checkUuid(id, "declaration");
  return changeIn(ctx, scope, async (tx, change) => {
    const current = await declarationStore.find(tx, scope, key);
    if (current === undefined) throw new AppError("not_found", `cannot find declaration ${key}`);
    checkCas(cas, current);
    const { name, description, objects } = edit(current);
    checkInput({ name, description, objects });
    const had = new Set(current.objects);
    checkClaims(
      ctx,
      scope,
      objects.filter((object) => !had.has(object)),
    );
    const [index] = await Promise.all([tx.index(), checkName(tx, scope, name, key)]);
    const declaration = { ...current, name, description, objects, modifyIndex: index };
    writeDeclarations.update(tx, declaration, current, toldOf(current.objects, objects));
    change(DECLARATIONS, key);
    return declaration;
  });
}

/** Forgets what a directory owns; the objects stay. @throws AppError `not_found`, `conflict`, `forbidden` */
export async function deleteDeclaration(ctx: Context, { scope, key: id, cas }: WriteTarget): Promise<void> {
  checkPermission(ctx, scope, "acl", "write");
  const key = checkUuid(id, "declaration");
  const find = (tx: Transaction) => declarationStore.find(tx, scope, key);
  await deleteObject(ctx, scope, { noun: "declaration", cas }, find, (tx, change, current) => {
    writeDeclarations.remove(tx, [current], toldOf(current.objects, []));
    change(DECLARATIONS, key);
  });
}

/** Maximum number of objects of each sort that a record names. */
const NAMED = 100;

/** Returns the added and released objects for a record, not all that are owned: there may be ten thousand. */
function toldOf(before: readonly string[], after: readonly string[]): RecordExtras {
  const [old, now] = [new Set(before), new Set(after)];
  const added = after.filter((object) => !old.has(object));
  const released = before.filter((object) => !now.has(object));
  const detail = {
    added: added.slice(0, NAMED),
    "added-count": added.length,
    released: released.slice(0, NAMED),
    "released-count": released.length,
  };
  return { detail };
}

const MAX_OBJECT = 512;

function checkInput({ name, objects }: DeclarationInput): void {
  if (!OBJECT_NAME.test(name)) {
    throw invalid("Invalid Declaration: invalid Name. 1 to 128 alphanumeric characters, '-' and '_' are allowed");
  }
  if (objects.some((object) => object === "" || object.length > MAX_OBJECT)) {
    throw invalid(`Invalid Declaration: each entry of Objects must have 1 to ${MAX_OBJECT} characters`);
  }
}

/**
 * Checks that a partition's declaration owns only objects that its writers could write anyway: it cannot keep writers
 * from objects elsewhere by naming them.
 *
 * @throws AppError `forbidden`
 */
function checkClaims(ctx: Context, { partition }: Scope, objects: readonly string[]): void {
  if (partition === DEFAULT_SCOPE.partition) return;
  for (const object of objects) {
    const key = fold(object);
    if (partitionOf(key) === partition) continue;
    const { resource, segment, scope } = claimOn(key);
    if (!authorize(ctx.actor, resource, segment, "write", scope))
      throw lacking(ctx, questionOf(resource, segment, "write", scope));
  }
}

interface Claim {
  resource: "acl" | "operator" | "organization" | "workspace";
  segment: string;
  scope: Scope;
}

/** The right by which an object is written. */
function claimOn(key: string): Claim {
  const [scope, home, organization] = [DEFAULT_SCOPE, partitionOf(key), organizationOf(key)];
  const workspace = "workspace ";
  if (key.startsWith(workspace)) return { resource: "workspace", segment: key.slice(workspace.length), scope };
  if (organization !== undefined) return { resource: "organization", segment: organization, scope };
  if (home === undefined) return { resource: "operator", segment: "", scope };
  return { resource: "acl", segment: "", scope: { ...scope, partition: home } };
}

async function checkName(tx: Transaction, scope: Scope, name: string, ownId: string | undefined): Promise<void> {
  const other = await declarationStore.byName(tx, scope, name);
  if (other === undefined || other.id === ownId) return;
  throw new AppError("already_exists", `Invalid Declaration: A declaration with name "${name}" already exists`);
}
