/**
 * The trash of a namespace: lists what requests deleted there, and restores it by the write that creates such an object, with the
 * permissions, checks, limits and records of that. Implements `/v1/acl/trash`.
 */
import type { Context } from "../../context.ts";
import { AppError, invalid } from "../../errors.ts";
import { authorize } from "../../rights/authorize.ts";
import { fold } from "../../fold.ts";
import { checkPermission } from "../../rights/permission.ts";
import { DEFAULT_SCOPE, homeOf, isIn, type Scope } from "../../rights/scope.ts";
import type { Reader, Transaction } from "../../storage/database.ts";
import { unnoteDeletedLink } from "../kit/link-store.ts";
import { readLinkNames, type NamedLink } from "../kit/links.ts";
import { takeFromTrash, type Linking, type Restoring } from "../kit/trash.ts";
import { TRASH_KINDS, type RestoredObject, type RestoreChecks } from "./kinds.ts";
import { findEntry, findTrashedNames, listEntries, type ListedEntry, type TrashEntry } from "./store.ts";

export type { ListedEntry } from "./store.ts";

/** Link of an object in the trash to an object that no longer exists. */
export interface LostLink {
  kind: "policy" | "role";
  id: string;
  /** Name of the object, if the trash has it; otherwise empty. */
  name: string;
}

/** Entry with the consequences of a restore. */
export interface PreviewedEntry extends ListedEntry {
  leftOut: LostLink[];
  isNameTaken: boolean;
}

/** Result of a restore. */
export interface RestoredFromTrash {
  entry: TrashEntry;
  name: string;
  leftOut: LostLink[];
  made: RestoredObject;
}

/** Kinds that the caller may restore, and therefore see. */
type Sight = (entry: Pick<TrashEntry, "kind">) => boolean;

/** @throws AppError `forbidden` when the caller may restore none of it */
function checkSight(ctx: Context, scope: Scope): Sight {
  const isHome = isIn(scope, homeOf(scope.partition));
  // Namespaces are written with permission for the whole server.
  const seesNamespaces = isHome && authorize(ctx.actor, "operator", "", "write", DEFAULT_SCOPE);
  if (!seesNamespaces) checkPermission(ctx, scope, "acl", "write");
  const seesOthers = !seesNamespaces || authorize(ctx.actor, "acl", "", "write", scope);
  return ({ kind }) => (kind === "namespace" ? seesNamespaces : seesOthers);
}

/** Lists the objects that the caller may restore, the latest deletion first. @throws AppError `forbidden` */
export async function listTrash(ctx: Context, scope: Scope): Promise<ListedEntry[]> {
  const sees = checkSight(ctx, scope);
  // SQLite passes over the content of each entry to the columns behind it: half a megabyte, a thousand times.
  return (await listEntries(ctx.db.long, scope, ctx.now())).filter(sees);
}

/** Reads one entry, and what its restore would leave out. @throws AppError `not_found`, `forbidden` */
export async function previewRestore(ctx: Context, scope: Scope, id: string): Promise<PreviewedEntry> {
  const entry = await find(ctx, ctx.db, scope, id, checkSight(ctx, scope));
  const [{ leftOut }, holder] = await Promise.all([
    sortLinks(ctx.db, entry),
    TRASH_KINDS[entry.kind].byName?.(ctx.db, scope, entry.name),
  ]);
  return { ...entry, leftOut, isNameTaken: holder !== undefined };
}

async function find(
  { now }: Pick<Context, "now">,
  db: Reader,
  scope: Scope,
  id: string,
  sees: Sight,
): Promise<TrashEntry> {
  const entry = await findEntry(db, scope, id.toLowerCase());
  if (entry !== undefined && entry.endsAt > now() && sees(entry)) return entry;
  throw new AppError(
    "not_found",
    `trash entry "${id.slice(0, 40)}" not found. List the entries with GET /v1/acl/trash`,
  );
}

/** Tells the links of an object whose targets exist from the others. */
async function sortLinks(db: Reader, entry: TrashEntry): Promise<{ living: Linking; leftOut: LostLink[] }> {
  const links = TRASH_KINDS[entry.kind].linksOf?.(entry);
  if (links === undefined) return { living: {}, leftOut: [] };
  const { scope, policies, roles = [] } = links;
  const names = await readLinkNames(db, [links]);
  const living = { policies: names.policies(scope, policies), roles: names.roles(scope, roles) };
  const lost = [...lostOf("policy", policies, living.policies), ...lostOf("role", roles, living.roles)];
  const trashed = await findTrashedNames(
    db,
    scope,
    lost.map(({ id }) => id),
  );
  return { living, leftOut: lost.map((link) => ({ ...link, name: trashed.get(link.id) ?? "" })) };
}

function lostOf(
  kind: LostLink["kind"],
  ids: readonly string[],
  living: readonly NamedLink[],
): Omit<LostLink, "name">[] {
  const there = new Set(living.map(({ id }) => id));
  return ids.filter((id) => !there.has(id)).map((id) => ({ kind, id }));
}

/**
 * Restores an object under its ID; an auth method and a namespace are new ones. Of two restores one finds the entry.
 *
 * @param name another name; empty for the one that it had
 * @throws AppError `not_found`, and as the write that creates such an object
 */
export async function restoreEntry(
  ctx: Context,
  scope: Scope,
  { id, name: given }: { id: string; name: string },
  options: RestoreChecks,
): Promise<RestoredFromTrash> {
  const sees = checkSight(ctx, scope);
  const entry = await find(ctx, ctx.db, scope, id, sees);
  const { isNamed, restore } = TRASH_KINDS[entry.kind];
  if (given !== "" && !isNamed) throw invalid(`Name is not allowed: a ${entry.kind.replace("-", " ")} has no name`);
  const wanted = given === "" ? entry.name : given;
  // Names of namespaces are in lower case.
  const name = entry.kind === "namespace" ? fold(wanted) : wanted;
  const result: Pick<RestoredFromTrash, "leftOut"> = { leftOut: [] };
  const restoring: Restoring = {
    objectId: entry.objectId,
    told: { action: "restore", detail: { trash: entry.id } },
    async take<I extends Linking>(tx: Transaction, input: I): Promise<I> {
      // Read again: another restore may have been first.
      const [, { living, leftOut }] = await Promise.all([find(ctx, tx, scope, id, sees), sortLinks(tx, entry)]);
      result.leftOut = leftOut;
      takeFromTrash(tx, [entry.id]);
      if (entry.kind === "policy" || entry.kind === "role") unnoteDeletedLink(tx, entry.objectId);
      return { ...input, ...living };
    },
  };
  const made = await restore({ ctx, entry, name, restoring, options });
  return { entry, name, leftOut: result.leftOut, made };
}
