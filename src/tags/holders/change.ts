/**
 * Changes the tags and keys of one holder inside a transaction of its organization. The first use of a tag creates it when it does not
 * exist; a tag that was created by a use is deleted with its last use.
 */
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import type { Transaction } from "../../storage/database.ts";
import type { TagBinding } from "./bindings/store.ts";
import { loadTagPolicy, warningsOf, type TagWarning } from "../rules/enforce.ts";
import { TAG } from "../pool/marks.ts";
import { settleUses, UseCounts } from "../pool/uses.ts";
import { NOT_HELD, type Holder, type HolderKind } from "./holder.ts";
import { writeHeld } from "./plan.ts";
import { sizeOf, type LinkRequest } from "./request.ts";
import { WantedLinks } from "./wanted.ts";

/** Tags of one holder: all of them are in its answers, and in the work of its changes. */
export const MAX_FLAT_TAGS = 1000;

/** Result of a change to the tags of one holder. */
export interface ChangedLinks {
  /** The bindings that the request names, as they are then. */
  bindings: TagBinding[];
  /** Rules that the holder breaks by it, where they only advise. */
  warnings: TagWarning[];
}

const NO_KEYS: ReadonlySet<string> = new Set();

/**
 * Changes the tags and keys of a holder. Tags that it has already keep their place.
 *
 * @param holder as it is to be
 * @param from id of what it was in, where it moves; empty for a holder that is being made
 * @throws AppError `not_found` when an id is none of the organization's, `invalid` when it would carry too many or
 * break rules of the organization
 */
export async function changeHeld<H extends Holder>(
  ctx: Context,
  tx: Transaction,
  kind: HolderKind<H>,
  holder: H,
  request: LinkRequest,
  from?: string,
): Promise<ChangedLinks> {
  const { tags, bindings } = request;
  const keepsNone = from === "" || tags?.mode === "replace";
  const [, found, carried, policy, inherited] = await Promise.all([
    // Asked for with the rest: on PostgreSQL they travel together.
    tx.index(),
    kind.findConcerned(tx, holder, request),
    keepsNone ? 0 : kind.countWhereCrowded(tx, holder.id, sizeOf(request)),
    loadTagPolicy(tx, holder.organizationId),
    bindings?.wanted.some(({ value }) => value === undefined) ? kind.inheritedKeys(tx, holder) : NO_KEYS,
  ]);
  const now = new Date(ctx.now()).toISOString();
  const links = new WantedLinks(found, now);
  if (tags !== undefined) links.changeTags(tags);
  if (bindings !== undefined) {
    links.bind(kind.hasFlatTags ? bindings : { wanted: bindings.wanted, replaces: bindings.replaces }, inherited);
  }
  makeRoom(links, tags?.mode === "replace" ? links.count(TAG) - links.gained() : carried);
  const diff = links.diff();
  const write = { holder, diff, given: links.given(request), ...(from !== undefined && { from }) };
  const warnings = warningsOf(await kind.judge(tx, policy, [write]));
  const counts = new UseCounts();
  if (diff.length > 0) await writeHeld(ctx, tx, kind, [{ holder, diff }], counts);
  const pool = diff.map(({ tag }) => tag);
  settleUses(tx, holder.organizationId, pool, counts, now);
  return { bindings: (bindings?.wanted ?? []).flatMap(({ key }) => links.bindingOf(key)), warnings };
}

/** Leaves out what is only lent where there is no room. @param before number of flat tags @throws AppError `invalid` */
function makeRoom(links: WantedLinks, before: number): void {
  if (before + links.gained() > MAX_FLAT_TAGS) links.keepLentOff();
  if (links.gained() > 0) checkRoom(before + links.gained());
}

/** @throws AppError `invalid` when a workspace may not carry so many */
export function checkRoom(tags: number): void {
  if (tags <= MAX_FLAT_TAGS) return;
  throw new AppError("invalid", `A workspace can have at most ${MAX_FLAT_TAGS} tags`);
}

/** Removes everything from a holder, as when it is deleted: no rule of the organization keeps it. */
export async function clearHeld<H extends Holder>(
  ctx: Context,
  tx: Transaction,
  kind: HolderKind<H>,
  holder: H,
): Promise<void> {
  const [, held] = await Promise.all([tx.index(), kind.listAll(tx, holder.id)]);
  if (held.length === 0) return;
  const diff = held.map((tag) => ({ id: tag.id, name: tag.name, before: tag, after: NOT_HELD }));
  const counts = new UseCounts();
  await writeHeld(ctx, tx, kind, [{ holder, diff }], counts);
  settleUses(tx, holder.organizationId, held, counts, new Date(ctx.now()).toISOString());
}
