/** Workspaces as holders of tags: flat tags and keys share a link to one row of the pool. */
import { notFound } from "../../errors.ts";
import type { Reader, Transaction } from "../../storage/database.ts";
import { MAX_BINDINGS } from "./bindings/keys.ts";
import { listProjectBindings } from "./bindings/store.ts";
import { judgeWorkspaces } from "../rules/judge.ts";
import {
  deleteLinksOfTag,
  deleteLinksOfWorkspace,
  insertLinks,
  updateLink,
  updateWorkspaceKey,
} from "./workspace-store.ts";
import {
  carriesMoreThan,
  countBound,
  countTags,
  findBound,
  findCrowded,
  findLinks,
  listTagsAfter,
} from "./workspace-tags/store.ts";
import { BINDING, TAG } from "../pool/marks.ts";
import { soughtName } from "../pool/names.ts";
import { findTagsById, findTagsByName, idsOf, ONE_WORKSPACE, type NamedTag } from "../pool/store.ts";
import { MAX_FLAT_TAGS } from "./change.ts";
import type { Carrier, HeldChange, HolderKind } from "./holder.ts";
import { gain } from "./links.ts";
import { partsOf } from "./references.ts";
import type { LinkRequest } from "./request.ts";

export const WORKSPACES: HolderKind<Carrier> = {
  name: "workspace",
  use: ONE_WORKSPACE,
  hasFlatTags: true,
  findLinks,
  findConcerned,
  listAll,
  // Links to tags that were deleted may still be there, so what seems full is counted by the tags.
  async countWhereCrowded(tx, workspace, more) {
    const isCrowded = await carriesMoreThan(tx, workspace, Math.max(0, MAX_FLAT_TAGS - more));
    return isCrowded ? countTags(tx, workspace, MAX_FLAT_TAGS + 1) : 0;
  },
  async inheritedKeys(tx, { projectId }) {
    const inherited = await listProjectBindings(tx, projectId);
    return new Set(inherited.map(({ key }) => key));
  },
  findFull,
  judge(db, policy, writes) {
    const judged = writes.map(({ holder, diff, given, from = holder.projectId }) => ({
      workspace: holder,
      from,
      diff,
      sets: given.map(({ name }) => name),
    }));
    return judgeWorkspaces(db, policy, judged);
  },
  insertAll(tx, links) {
    insertLinks(
      tx,
      links.map(({ holder: { id, nameKey }, tag: tagId, position, link }) => ({
        workspaceId: id,
        workspaceKey: nameKey,
        tagId,
        position,
        ...link,
      })),
    );
  },
  update: updateLink,
  removeFromHolder: deleteLinksOfWorkspace,
  removeFromAll: deleteLinksOfTag,
};

async function findConcerned(
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

async function findFull(db: Reader, changes: readonly HeldChange<Carrier>[], poolSize: number): Promise<Set<string>> {
  const full = new Set<string>();
  const binding = changes.filter(({ diff }) => gain(diff, BINDING) > 0);
  const counts = await countBound(
    db,
    binding.map(({ holder }) => holder.id),
  );
  for (const { holder, diff } of binding) {
    if ((counts.get(holder.id) ?? 0) + gain(diff, BINDING) > MAX_BINDINGS) full.add(holder.id);
  }
  const gains = new Map<string, number>();
  for (const { holder, diff } of changes) {
    const gained = gain(diff, TAG);
    if (gained > 0) gains.set(holder.id, gained);
  }
  const most = Math.max(0, ...gains.values());
  // No workspace can get more tags than it may have where the organization has too few: most have.
  if (most === 0 || poolSize + most <= MAX_FLAT_TAGS) return full;
  // Links to tags that were deleted may still be there, so what seems full is counted by the tags.
  const crowded = await findCrowded(db, [...gains.keys()], Math.max(1, MAX_FLAT_TAGS - most + 1));
  for (const id of crowded) {
    const carried = await countTags(db, id, MAX_FLAT_TAGS);
    if (carried + (gains.get(id) ?? 0) > MAX_FLAT_TAGS) full.add(id);
  }
  return full;
}

async function listAll(tx: Transaction, workspace: string): Promise<NamedTag[]> {
  const all: NamedTag[] = [];
  await forEachSlice(tx, workspace, (some) => all.push(...some));
  return all;
}

/** Tags that one statement reads. */
const SLICE = 1000;

/** Visits the tags and keys of a workspace in slices. */
async function forEachSlice(
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

/** Follows the rename of a workspace, so that the workspaces of a tag stay in order. */
export function renameCarrier(tx: Transaction, workspace: Carrier, newKey: string): Promise<void> {
  return forEachSlice(tx, workspace.id, (tags) => updateWorkspaceKey(tx, workspace.id, idsOf(tags), newKey));
}
