/** A request about what one workspace carries, and the tags that it concerns, read in its transaction. */
import { notFound } from "../errors.ts";
import type { Transaction } from "../storage/database.ts";
import type { AddedBinding } from "../tag-bindings/keys.ts";
import { soughtName } from "../tags/names.ts";
import { findTagsById, findTagsByName, type NamedTag } from "../tags/store.ts";
import type { Carrier } from "./records.ts";
import { partsOf, type TagReference } from "./references.ts";
import { carriesMoreThan, countTags, findBound, listTagsAfter } from "./store.ts";

/** Tags of one workspace: all of them are in its answers, and in the work of its changes. */
export const MAX_TAGS_OF_WORKSPACE = 1000;

/** Change that a request makes to the tags and keys of a workspace. */
export interface LinkRequest {
  /** Flat tags; references to add are as `checkReferences` gives them. */
  tags?: { references: readonly TagReference[]; mode: "add" | "remove" | "replace" } | undefined;
  /** Keys, as `checkBindings` lets them through. */
  bindings?: BindingRequest | undefined;
}

export interface BindingRequest {
  /** Without a value the one that is there stays; what is inherited then gets none of its own. */
  wanted: readonly AddedBinding[];
  /** Whether keys that the request does not name are removed. */
  replaces: boolean;
  /**
   * A key for which no value is given is put on as a flat tag too, where it is a name of one: `terraform` asks for both in
   * turn until it finds both.
   */
  tagsToo?: boolean;
}

export function sizeOf({ tags, bindings }: LinkRequest): number {
  return (tags?.references.length ?? 0) + (bindings?.wanted.length ?? 0);
}

/**
 * How many tags a workspace carries, or 0 where so many more have room in any case: then nothing is counted. Links to tags
 * that were deleted may still be there, so what seems full is counted by the tags.
 */
export async function countWhereCrowded(tx: Transaction, workspace: string, more: number): Promise<number> {
  const isCrowded = await carriesMoreThan(tx, workspace, Math.max(0, MAX_TAGS_OF_WORKSPACE - more));
  return isCrowded ? countTags(tx, workspace, MAX_TAGS_OF_WORKSPACE + 1) : 0;
}

/**
 * Finds the tags that the request names, and the tags that it would remove without naming them.
 *
 * @throws AppError `not_found`
 */
export async function findConcerned(
  tx: Transaction,
  { id, organizationId }: Carrier,
  { tags, bindings }: LinkRequest,
): Promise<NamedTag[]> {
  const { ids, names } = partsOf(tags?.references ?? []);
  const sought = tags?.mode === "remove" ? names.flatMap((name) => soughtName(name) ?? []) : names;
  const keys = (bindings?.wanted ?? []).map(({ key }) => key);
  const wantedIds = [...new Set(ids)];
  const [named, identified, held, bound] = await Promise.all([
    findTagsByName(tx, organizationId, [...new Set([...sought, ...keys])], id),
    findTagsById(tx, organizationId, wantedIds, id),
    tags?.mode === "replace" ? listAll(tx, id) : [],
    bindings !== undefined && tags?.mode !== "replace" ? findBound(tx, id) : [],
  ]);
  if (identified.length < wantedIds.length) throw notFound("workspace or tag");
  return [...named, ...identified, ...held, ...bound];
}

/** Lists all tags and keys of a workspace. */
export async function listAll(tx: Transaction, workspace: string): Promise<NamedTag[]> {
  const all: NamedTag[] = [];
  await forEachSlice(tx, workspace, (some) => all.push(...some));
  return all;
}

/** Visits what a workspace carries in slices. */
export async function forEachSlice(
  tx: Transaction,
  workspace: string,
  visit: (tags: readonly NamedTag[]) => void,
): Promise<void> {
  let after = "";
  for (;;) {
    const tags = await listTagsAfter(tx, workspace, after, SLICE);
    visit(tags);
    const last = tags.at(-1);
    if (tags.length < SLICE || last === undefined) return;
    after = last.id;
  }
}

const SLICE = 1000;
