/**
 * One tag put on or taken off many workspaces, inside a transaction of their organization; what one workspace carries is
 * changed in `links.ts`.
 */
import type { Author } from "../changes/record.ts";
import { newId } from "../ids.ts";
import type { Transaction } from "../storage/database.ts";
import { MAX_BINDINGS } from "../tag-bindings/keys.ts";
import { BINDING, NO_BINDING, TAG } from "../tags/marks.ts";
import { addUses, dropUses, idsOf, type Link, type UsedTag } from "../tags/store.ts";
import { deleteLinksOfTag, insertLink, updateLink } from "./link-store.ts";
import { hasMark, MAX_TAGS_OF_WORKSPACE, NOT_HELD, withoutMark } from "./links.ts";
import { countBound, countTags, findCarriers, findCrowded } from "./store.ts";
import { recordTags, type Carrier } from "./records.ts";
import { POSITIONS_PER_INDEX } from "./write-links.ts";

/** As what a tag is put on workspaces: flat, or as a key with this value. */
export type Put = "tag" | { value: string };

/** A tag of the pool that is put on workspaces or taken off. */
export type PutTag = UsedTag & { name: string };

/** How a workspace held the tag before, and holds it now; undefined for not at all. */
export interface CarrierChange {
  workspace: Carrier;
  before: Link | undefined;
  after: Link | undefined;
}

/**
 * Puts one tag on workspaces of its organization; those that hold it so stay as they are.
 *
 * @param jobId the job that it is part of
 * @returns what changed, and the ids of those that have no room for it, which were left as they are
 */
export async function putOnWorkspaces(
  author: Author,
  tx: Transaction,
  tag: PutTag,
  workspaces: readonly Carrier[],
  as: Put,
  jobId?: string,
): Promise<{ changes: CarrierChange[]; full: Set<string> }> {
  const [index, held] = await Promise.all([tx.index(), findCarriers(tx, tag.id, idsOf(workspaces))]);
  const boundAt = new Date(author.now()).toISOString();
  const wanted = workspaces.flatMap((workspace): CarrierChange[] => {
    const before = held.get(workspace.id);
    const after = putLink(before, as, boundAt);
    return after === before ? [] : [{ workspace, before, after }];
  });
  const full = await findFull(tx, wanted, as === "tag" ? TAG : BINDING);
  const changes = wanted.filter(({ workspace }) => !full.has(workspace.id));
  const position = index * POSITIONS_PER_INDEX;
  for (const { workspace, before, after } of changes) {
    if (after === undefined) continue;
    const place = { workspaceId: workspace.id, workspaceKey: workspace.nameKey, tagId: tag.id };
    if (before === undefined) insertLink(tx, { ...place, position, ...after });
    else updateLink(tx, workspace.id, tag.id, after);
  }
  const added = changes.filter(({ before }) => before === undefined).length;
  if (added > 0) addUses(tx, [tag.id], { workspaces: added, projects: 0 });
  await record(author, tx, tag, changes, jobId);
  return { changes, full };
}

/** @returns the very link when it says so already */
function putLink(before: Link | undefined, as: Put, boundAt: string): Link {
  if (as === "tag") {
    if (before === undefined) return { marks: TAG, ...NO_BINDING };
    return hasMark(before, TAG) ? before : { ...before, marks: before.marks | TAG };
  }
  const { value } = as;
  if (before === undefined) return { marks: BINDING, value, bindingId: newId("tb"), boundAt };
  if (!hasMark(before, BINDING)) return { marks: before.marks | BINDING, value, bindingId: newId("tb"), boundAt };
  return before.value === value ? before : { ...before, value };
}

/** Those that would get one more than they may have. */
async function findFull(tx: Transaction, changes: readonly CarrierChange[], mark: number): Promise<Set<string>> {
  const gaining = changes.flatMap(({ workspace: { id }, before }) =>
    before !== undefined && hasMark(before, mark) ? [] : [id],
  );
  if (mark === BINDING) {
    const counts = await countBound(tx, gaining);
    return new Set(gaining.filter((id) => (counts.get(id) ?? 0) >= MAX_BINDINGS));
  }
  const full = new Set<string>();
  for (const id of await findCrowded(tx, gaining, MAX_TAGS_OF_WORKSPACE)) {
    if ((await countTags(tx, id, MAX_TAGS_OF_WORKSPACE)) >= MAX_TAGS_OF_WORKSPACE) full.add(id);
  }
  return full;
}

/**
 * Takes one tag off workspaces; those that do not hold it are passed over.
 *
 * @param marks as what it is taken off
 * @returns what changed
 */
export async function takeOffWorkspaces(
  author: Author,
  tx: Transaction,
  tag: PutTag,
  organization: string,
  workspaces: readonly Carrier[],
  marks: number,
  jobId?: string,
): Promise<CarrierChange[]> {
  const held = await findCarriers(tx, tag.id, idsOf(workspaces));
  const changes = workspaces.flatMap((workspace): CarrierChange[] => {
    const before = held.get(workspace.id);
    if (before === undefined || !hasMark(before, marks)) return [];
    const left = withoutMark(before, marks);
    return [{ workspace, before, after: left.marks === 0 ? undefined : left }];
  });
  const gone: string[] = [];
  for (const { workspace, after } of changes) {
    if (after === undefined) gone.push(workspace.id);
    else updateLink(tx, workspace.id, tag.id, after);
  }
  await record(author, tx, tag, changes, jobId);
  if (gone.length === 0) return changes;
  deleteLinksOfTag(tx, tag.id, gone);
  dropUses(tx, organization, [tag], { workspaces: gone.length, projects: 0 });
  return changes;
}

async function record(
  author: Author,
  tx: Transaction,
  { id, name }: PutTag,
  changes: readonly CarrierChange[],
  jobId: string | undefined,
): Promise<void> {
  for (const { workspace, before = NOT_HELD, after = NOT_HELD } of changes) {
    await recordTags(tx, author, workspace, [{ id, name, before, after }], jobId);
  }
}
