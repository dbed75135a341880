/**
 * Attaching tags to workspaces, inside a transaction of their organization. A tag that does not
 * exist is born by its first use; one born by use leaves with its last.
 */
import { AppError, notFound } from "../errors.ts";
import { newId } from "../ids.ts";
import type { Transaction } from "../storage/database.ts";
import { soughtName, tagName } from "../tags/names.ts";
import {
  addUses,
  bearTags,
  dropUses,
  findTagsById,
  findTagsByName,
  idsOf,
  type NamedTag,
  type UsedTag,
} from "../tags/store.ts";
import { BINDING, BOTH, NO_BINDING, TAG } from "../tags/marks.ts";
import {
  carriesMoreThan,
  countTags,
  deleteLinksOfTag,
  deleteLinksOfWorkspace,
  findCarriers,
  findCrowded,
  insertLink,
  listTagsAfter,
  markLinksOfTag,
  markLinksOfWorkspace,
  updateWorkspaceKey,
} from "./store.ts";

/** A tag as a request names it: by its id, or by its name. */
export type TagReference = { id: string } | { name: string };

/** A workspace that tags are put on or taken from. */
export interface Carrier {
  id: string;
  organizationId: string;
  /** Its folded name. */
  nameKey: string;
}

/** Tags of one workspace: all of them are in its answers, and in the work of its changes. */
export const MAX_TAGS_OF_WORKSPACE = 1000;

/** Names that one transaction may put on a workspace leave room in `position` for its index. */
export const POSITIONS_PER_INDEX = 1024;

/**
 * Checks names before the transaction: those to attach must be valid and come back folded, duplicates once.
 *
 * @param pointer JSON pointer to the list
 * @throws AppError `invalid`
 */
export function checkReferences(references: readonly TagReference[], pointer: string): TagReference[] {
  const seen = new Map<string, TagReference>();
  for (const [index, reference] of references.entries()) {
    if ("id" in reference) seen.set(`id ${reference.id}`, reference);
    else {
      const name = tagName(reference.name, `${pointer}/${index}/attributes/name`);
      seen.set(`name ${name}`, { name });
    }
  }
  return [...seen.values()];
}

/**
 * Puts tags on a workspace in the order given; those that it carries stay where they are.
 *
 * @param references as `checkReferences` gives them
 * @throws AppError `not_found` when an id is none of the organization's, `invalid` when it would carry too many
 */
export function attachTags(
  tx: Transaction,
  workspace: Carrier,
  references: readonly TagReference[],
  now: string,
): Promise<void> {
  return putOn(tx, workspace, references, now, countWhereCrowded(tx, workspace.id, references.length));
}

/**
 * How many tags a workspace carries, or 0 where so many more have room in any case: then nothing is counted. Links to tags
 * that were deleted may still be there, so what seems full is counted by the tags.
 */
async function countWhereCrowded(tx: Transaction, workspace: string, more: number): Promise<number> {
  const isCrowded = await carriesMoreThan(tx, workspace, Math.max(0, MAX_TAGS_OF_WORKSPACE - more));
  return isCrowded ? countTags(tx, workspace, MAX_TAGS_OF_WORKSPACE + 1) : 0;
}

function checkRoom(tags: number): void {
  if (tags <= MAX_TAGS_OF_WORKSPACE) return;
  throw new AppError("invalid", `A workspace may carry at most ${MAX_TAGS_OF_WORKSPACE} tags`);
}

/** @param carried tags that the workspace has, and keeps */
async function putOn(
  tx: Transaction,
  workspace: Carrier,
  references: readonly TagReference[],
  now: string,
  carried: Promise<number> | 0,
): Promise<void> {
  const [index, [named, identified], before] = await Promise.all([
    tx.index(),
    findReferenced(tx, workspace, partsOf(references)),
    carried,
  ]);
  const known = new Map<string, NamedTag>();
  for (const tag of named) known.set(`name ${tag.name}`, tag);
  for (const tag of identified) known.set(`id ${tag.id}`, tag);

  const attached = new Set<string>();
  const used: string[] = [];
  const bound: string[] = [];
  const born: { id: string; name: string }[] = [];
  for (const reference of references) {
    const tag = known.get("id" in reference ? `id ${reference.id}` : `name ${reference.name}`);
    if (tag !== undefined && (hasMark(tag, TAG) || attached.has(tag.id))) continue;
    const id = tag?.id ?? newId("tag");
    attached.add(id);
    if (tag?.marks === BINDING) {
      bound.push(id);
      continue;
    }
    if (tag !== undefined) used.push(id);
    else if ("name" in reference) born.push({ id, name: reference.name });
    insertLink(tx, {
      workspaceId: workspace.id,
      workspaceKey: workspace.nameKey,
      tagId: id,
      position: index * POSITIONS_PER_INDEX + attached.size - 1,
      marks: TAG,
      ...NO_BINDING,
    });
  }
  checkRoom(before + attached.size);
  markLinksOfWorkspace(tx, workspace.id, bound, BOTH);
  addUses(tx, used, 1);
  bearTags(tx, workspace.organizationId, born, now);
}

interface Parts {
  ids: string[];
  names: string[];
}

function partsOf(references: readonly TagReference[]): Parts {
  return {
    ids: references.flatMap((reference) => ("id" in reference ? [reference.id] : [])),
    names: references.flatMap((reference) => ("name" in reference ? [reference.name] : [])),
  };
}

/** Those that have these names, and these ids. @throws AppError `not_found` when an id is none of the organization's */
async function findReferenced(tx: Transaction, { id, organizationId }: Carrier, { ids, names }: Parts) {
  const found = await Promise.all([
    findTagsByName(tx, organizationId, names, id),
    findTagsById(tx, organizationId, ids, id),
  ]);
  if (found[1].length < ids.length) throw notFound("workspace or tag");
  return found;
}

/**
 * Takes tags off a workspace. A name that is unknown, and a tag that it does not carry, are passed over.
 *
 * @throws AppError `not_found` when an id is none of the organization's
 */
export async function detachTags(
  tx: Transaction,
  workspace: Carrier,
  references: readonly TagReference[],
): Promise<void> {
  const { ids, names } = partsOf(references);
  const sought = { ids: [...new Set(ids)], names: names.flatMap((name) => soughtName(name) ?? []) };
  const [named, identified] = await findReferenced(tx, workspace, sought);
  const tags = new Map([...named, ...identified].map((tag) => [tag.id, tag]));
  takeOff(tx, workspace, [...tags.values()], TAG);
}

/** Makes the tags of a workspace exactly these; those that stay keep their place. */
export async function replaceTags(
  tx: Transaction,
  workspace: Carrier,
  references: readonly TagReference[],
  now: string,
): Promise<void> {
  checkRoom(references.length);
  const { ids, names } = partsOf(references);
  const kept = { ids: new Set(ids), names: new Set(names) };
  await forEachSlice(tx, workspace, (tags) => {
    const leaving = tags.filter(({ id, name }) => !kept.ids.has(id) && !kept.names.has(name));
    takeOff(tx, workspace, leaving, TAG);
  });
  await putOn(tx, workspace, references, now, 0);
}

/** Takes everything off a workspace, as when it is deleted. */
export function detachAllTags(tx: Transaction, workspace: Carrier): Promise<void> {
  return forEachSlice(tx, workspace, (tags) => takeOff(tx, workspace, tags, BOTH));
}

/** Follows the rename of a workspace, so that the workspaces of a tag stay in order. */
export function renameCarrier(tx: Transaction, workspace: Carrier, newKey: string): Promise<void> {
  return forEachSlice(tx, workspace, (tags) => updateWorkspaceKey(tx, workspace.id, idsOf(tags), newKey));
}

async function forEachSlice(
  tx: Transaction,
  workspace: Carrier,
  visit: (tags: readonly NamedTag[]) => void,
): Promise<void> {
  let after = "";
  for (;;) {
    const tags = await listTagsAfter(tx, workspace.id, after, SLICE);
    visit(tags);
    const last = tags.at(-1);
    if (tags.length < SLICE || last === undefined) return;
    after = last.id;
  }
}

const SLICE = 1000;

/** Takes these marks off; a link that has none left goes, and with it a use of its tag. */
function takeOff(tx: Transaction, workspace: Carrier, tags: readonly NamedTag[], marks: number): void {
  const marked = tags.filter((tag) => hasMark(tag, marks));
  for (const [left, some] of Map.groupBy(marked, (tag) => tag.marks & ~marks)) {
    if (left !== 0) {
      markLinksOfWorkspace(tx, workspace.id, idsOf(some), left);
      continue;
    }
    deleteLinksOfWorkspace(tx, workspace.id, idsOf(some));
    dropUses(tx, workspace.organizationId, some, 1);
  }
}

function hasMark(tag: { marks: number }, marks: number): boolean {
  return (tag.marks & marks) !== 0;
}

/**
 * Puts one tag on workspaces of its organization; those that carry it stay as they are.
 *
 * @throws AppError `invalid` when one of them would carry too many
 */
export async function attachToWorkspaces(tx: Transaction, tag: string, workspaces: readonly Carrier[]): Promise<void> {
  const [index, carriers] = await Promise.all([
    tx.index(),
    findCarriers(
      tx,
      tag,
      workspaces.map((workspace) => workspace.id),
    ),
  ]);
  const gaining = workspaces.filter(({ id }) => !hasMark({ marks: carriers.get(id) ?? 0 }, TAG));
  for (const full of await findCrowded(tx, idsOf(gaining), MAX_TAGS_OF_WORKSPACE)) {
    checkRoom(1 + (await countTags(tx, full, MAX_TAGS_OF_WORKSPACE)));
  }
  const { bound = [], added = [] } = Object.groupBy(gaining, ({ id }) => (carriers.has(id) ? "bound" : "added"));
  markLinksOfTag(tx, tag, idsOf(bound), BOTH);
  const position = index * POSITIONS_PER_INDEX;
  for (const { id, nameKey } of added) {
    insertLink(tx, { workspaceId: id, workspaceKey: nameKey, tagId: tag, position, marks: TAG, ...NO_BINDING });
  }
  if (added.length > 0) addUses(tx, [tag], added.length);
}

/** Takes one tag off workspaces; those that do not carry it are passed over. */
export async function detachFromWorkspaces(
  tx: Transaction,
  tag: UsedTag,
  organization: string,
  workspaces: readonly string[],
): Promise<void> {
  const carriers = [...(await findCarriers(tx, tag.id, workspaces))];
  const holding = (marks: number) => carriers.flatMap(([id, held]) => (held === marks ? [id] : []));
  markLinksOfTag(tx, tag.id, holding(BOTH), BINDING);
  const leaving = holding(TAG);
  if (leaving.length === 0) return;
  deleteLinksOfTag(tx, tag.id, leaving);
  dropUses(tx, organization, [tag], leaving.length);
}
