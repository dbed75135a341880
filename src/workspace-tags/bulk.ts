/**
 * Some tags on many workspaces, changed inside a transaction of their organization: all that bulk work does to workspaces. As
 * for one workspace (`links.ts`) it is worked out as differences first, by what may only read, so that it can be shown too.
 */
import type { Author } from "../changes/record.ts";
import { newId } from "../ids.ts";
import type { Reader, Transaction } from "../storage/database.ts";
import { MAX_BINDINGS } from "../tag-bindings/keys.ts";
import { loadTagPolicy, NO_VERDICT, refusedBy, type Verdict } from "../tag-policies/enforce.ts";
import { judgeWorkspaces } from "../tag-policies/judge.ts";
import { BINDING, TAG, valued } from "../tags/marks.ts";
import { idsOf, type TagLink } from "../tags/store.ts";
import type { BulkTag, UseCounts } from "../tags/uses.ts";
import { deleteLinksOfTag, insertLink, updateLink } from "./link-store.ts";
import { MAX_TAGS_OF_WORKSPACE } from "./link-request.ts";
import { hasMark, NOT_HELD } from "./links.ts";
import { recordTags, type Carrier, type LinkDiff } from "./records.ts";
import { countBound, countTags, findCrowded, findLinks } from "./store.ts";
import { POSITIONS_PER_INDEX } from "./write-links.ts";

/** How a workspace holds the tags in question, by the tag's id. */
export type Holding = ReadonlyMap<string, TagLink>;

/**
 * Returns the wanted links of a workspace to some of the tags. `NOT_HELD` removes a tag. Tags that it does not name
 * stay.
 *
 * @param held links that the workspace has
 */
export type Decide = (workspace: string, held: Holding) => Iterable<readonly [tag: BulkTag, after: TagLink]>;

/** Links of one workspace that change. */
export interface WorkspaceChange<W extends Carrier = Carrier> {
  workspace: W;
  diff: readonly Omit<LinkDiff, "tag">[];
}

export interface WorkspacePlan<W extends Carrier> {
  /** Workspaces that change. */
  changes: WorkspaceChange<W>[];
  /** Ids of those that have no room for it. They stay as they are. */
  full: Set<string>;
  /** Verdict of the tag policy on the others. Workspaces that it refuses stay unchanged too. */
  verdict: Verdict;
}

/** A link as a binding with this value. @param before how the workspace holds the tag */
export function bound(before: TagLink | undefined, value: string, boundAt: string): TagLink {
  const marks = BINDING | valued(before?.marks ?? 0, value);
  if (before !== undefined && hasMark(before, BINDING)) return { ...linkOf(before), marks, value };
  return { marks, value, bindingId: newId("tb"), boundAt };
}

/** Returns the columns of the link alone. */
function linkOf({ marks, value, bindingId, boundAt }: TagLink): TagLink {
  return { marks, value, bindingId, boundAt };
}

/**
 * Works out what changes; writes nothing.
 *
 * @param tags all that `decide` may name
 * @param isJudged whether rules for tags are asked: not where the pool itself is changed, of which all its uses follow
 */
export async function planWorkspaces<W extends Carrier>(
  db: Reader,
  workspaces: readonly W[],
  tags: readonly BulkTag[],
  decide: Decide,
  isJudged = true,
): Promise<WorkspacePlan<W>> {
  const known = tags.filter(({ isNew }) => isNew !== true);
  const held = await findLinks(db, idsOf(known), idsOf(workspaces));
  const planned = workspaces.flatMap((workspace): WorkspaceChange<W>[] => {
    const before = held.get(workspace.id) ?? NOTHING;
    const diff = [...decide(workspace.id, before)].flatMap(([{ id, name }, after]) => {
      const each = { id, name, before: before.get(id) ?? NOT_HELD, after };
      return isChange(each) ? [each] : [];
    });
    return diff.length === 0 ? [] : [{ workspace, diff }];
  });
  const full = await findFull(db, planned);
  const fitting = planned.filter(({ workspace }) => !full.has(workspace.id));
  const verdict = isJudged ? await judge(db, fitting) : NO_VERDICT;
  const refused = refusedBy(verdict);
  return { changes: fitting.filter(({ workspace }) => !refused.has(workspace.id)), full, verdict };
}

async function judge(db: Reader, changes: readonly WorkspaceChange[]): Promise<Verdict> {
  const [first] = changes;
  if (first === undefined) return NO_VERDICT;
  const policy = await loadTagPolicy(db, first.workspace.organizationId);
  const writes = changes.map(({ workspace, diff }) => {
    const sets = diff.flatMap(({ name, after }) => (after.marks === 0 ? [] : [name]));
    return { workspace, from: workspace.projectId, diff, sets };
  });
  return judgeWorkspaces(db, policy, writes);
}

const NOTHING: Holding = new Map();

function isChange({ before, after }: { before: TagLink; after: TagLink }): boolean {
  return before.marks !== after.marks || before.value !== after.value;
}

/** How many more a workspace would have as this; negative for fewer. */
function gain({ diff }: WorkspaceChange, mark: number): number {
  return diff.reduce((sum, { before, after }) => sum + Number(hasMark(after, mark)) - Number(hasMark(before, mark)), 0);
}

async function findFull(db: Reader, changes: readonly WorkspaceChange[]): Promise<Set<string>> {
  const full = new Set<string>();
  const binding = changes.filter((change) => gain(change, BINDING) > 0);
  const counts = await countBound(
    db,
    binding.map(({ workspace }) => workspace.id),
  );
  for (const change of binding) {
    const { id } = change.workspace;
    if ((counts.get(id) ?? 0) + gain(change, BINDING) > MAX_BINDINGS) full.add(id);
  }
  const tagging = changes.filter((change) => gain(change, TAG) > 0);
  const most = Math.max(0, ...tagging.map((change) => gain(change, TAG)));
  const gains = new Map(tagging.map((change) => [change.workspace.id, gain(change, TAG)]));
  // Links to tags that were deleted may still be there, so what seems full is counted by the tags.
  const crowded = await findCrowded(db, [...gains.keys()], Math.max(1, MAX_TAGS_OF_WORKSPACE - most + 1));
  for (const id of crowded) {
    const carried = await countTags(db, id, MAX_TAGS_OF_WORKSPACE);
    if (carried + (gains.get(id) ?? 0) > MAX_TAGS_OF_WORKSPACE) full.add(id);
  }
  return full;
}

/**
 * Writes what was worked out in the same transaction. The uses are noted in `counts`, to be counted with others that the
 * transaction changes (`settleUses`).
 */
export async function writeWorkspaces(
  author: Author,
  tx: Transaction,
  changes: readonly WorkspaceChange[],
  counts: UseCounts,
  jobId?: string,
): Promise<void> {
  const index = await tx.index();
  const gone = new Map<string, string[]>();
  for (const { workspace, diff } of changes) {
    for (const [at, { id: tagId, before, after }] of diff.entries()) {
      const place = { workspaceId: workspace.id, workspaceKey: workspace.nameKey, tagId };
      if (before.marks === 0) {
        insertLink(tx, { ...place, position: index * POSITIONS_PER_INDEX + at, ...linkOf(after) });
        counts.add(tagId, { workspaces: 1, projects: 0 });
      } else if (after.marks === 0) {
        gone.set(tagId, [...(gone.get(tagId) ?? []), workspace.id]);
        counts.add(tagId, { workspaces: -1, projects: 0 });
      } else updateLink(tx, workspace.id, tagId, after);
    }
    await recordTags(tx, author, workspace, diff, jobId);
  }
  for (const [tag, ids] of gone) deleteLinksOfTag(tx, tag, ids);
}
