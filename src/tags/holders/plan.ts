/**
 * Changes tags of holders inside a transaction of their organization: the difference, room for it, what the organization's rules
 * say, the links, the counts and the record. All ways that put tags on holders or remove them come through here; the first
 * half only reads, so that a preview shows it too.
 */
import type { Author } from "../changes/record.ts";
import type { Reader, Transaction } from "../../storage/database.ts";
import { loadTagPolicy, NO_VERDICT, refusedBy, warningsOf, type TagWarning, type Verdict } from "../rules/enforce.ts";
import { idsOf, type TagLink } from "../pool/store.ts";
import type { BulkTag, UseCounts } from "../pool/uses.ts";
import {
  NOT_HELD,
  POSITIONS_PER_INDEX,
  type AddedLink,
  type HeldChange,
  type Holder,
  type HolderKind,
  type LinkDiff,
} from "./holder.ts";
import { hasMark, isChange, linkOf } from "./links.ts";
import { recordTags } from "./records.ts";
import { BINDING } from "../pool/marks.ts";

/** How a holder holds the tags in question, by the tag's id. */
export type Holding = ReadonlyMap<string, TagLink>;

/**
 * Returns the wanted links of a holder to some of the tags. `NOT_HELD` removes a tag. Tags that it does not name stay.
 *
 * @param held links that the holder has
 */
export type Decide = (holder: string, held: Holding) => Iterable<readonly [tag: BulkTag, after: TagLink]>;

/** Planned changes of some holders, which nothing has written yet. */
export interface HeldPlan<H extends Holder> {
  /** Holders that change. */
  changes: HeldChange<H>[];
  /** Ids of those that have no room for it. They stay as they are. */
  full: Set<string>;
  /** Verdict of the tag policy on the others. Holders that it refuses stay unchanged too. */
  verdict: Verdict;
}

const NOTHING: Holding = new Map();

/** Facts that the caller of a plan has read already. */
export interface Planned {
  /** Whether rules for tags are asked: not where the pool itself is changed, of which all its uses follow. */
  isJudged?: boolean;
  /** Number of tags of the organization, where the caller has read it: most have so few that no holder can be full. */
  poolSize?: number;
}

/**
 * Works out what changes; writes nothing.
 *
 * @param tags all that `decide` may name
 */
export async function planHeld<H extends Holder>(
  db: Reader,
  kind: HolderKind<H>,
  holders: readonly H[],
  tags: readonly BulkTag[],
  decide: Decide,
  { isJudged = true, poolSize = Infinity }: Planned = {},
): Promise<HeldPlan<H>> {
  const known = tags.filter(({ isNew }) => isNew !== true);
  const held = await kind.findLinks(db, idsOf(known), idsOf(holders));
  const planned = holders.flatMap((holder): HeldChange<H>[] => {
    const diff = differenceOf(holder.id, held.get(holder.id) ?? NOTHING, decide);
    return diff.length === 0 ? [] : [{ holder, diff }];
  });
  const full = await kind.findFull(db, planned, poolSize);
  const fitting = planned.filter(({ holder }) => !full.has(holder.id));
  const verdict = isJudged ? await judge(db, kind, fitting) : NO_VERDICT;
  const refused = refusedBy(verdict);
  return { changes: fitting.filter(({ holder }) => !refused.has(holder.id)), full, verdict };
}

function differenceOf(holder: string, held: Holding, decide: Decide): LinkDiff[] {
  return [...decide(holder, held)].flatMap(([{ id, name }, after]) => {
    const each = { id, name, before: held.get(id) ?? NOT_HELD, after };
    return isChange(each) ? [each] : [];
  });
}

async function judge<H extends Holder>(
  db: Reader,
  kind: HolderKind<H>,
  changes: readonly HeldChange<H>[],
): Promise<Verdict> {
  const [first] = changes;
  if (first === undefined) return NO_VERDICT;
  const policy = await loadTagPolicy(db, first.holder.organizationId);
  if (policy === undefined) return NO_VERDICT;
  const writes = changes.map((change) => ({
    ...change,
    given: change.diff.flatMap(({ name, after }) =>
      after.marks === 0 ? [] : [{ name, value: hasMark(after, BINDING) ? after.value : undefined }],
    ),
  }));
  return kind.judge(db, policy, writes);
}

/**
 * Judges holders that move: their own links stay, what they inherit is another.
 *
 * @param moves each holder as it is to be, with the id of what it lay in
 * @returns rules that they break by it, where those only advise
 * @throws AppError `invalid` where rules refuse
 */
export async function judgeMoves<H extends Holder>(
  db: Reader,
  kind: HolderKind<H>,
  moves: readonly { holder: H; from: string }[],
): Promise<TagWarning[]> {
  const [first] = moves;
  if (first === undefined) return [];
  const policy = await loadTagPolicy(db, first.holder.organizationId);
  const writes = moves.map((move) => ({ ...move, diff: [], given: [] }));
  return warningsOf(await kind.judge(db, policy, writes));
}

/**
 * Writes what was worked out in the same transaction, with a record for each holder. The uses are noted in `counts`, to be counted
 * with others that the transaction changes (`settleUses`).
 *
 * @param jobId the job that it is part of
 */
export async function writeHeld<H extends Holder>(
  author: Author,
  tx: Transaction,
  kind: HolderKind<H>,
  changes: readonly HeldChange<H>[],
  counts: UseCounts,
  jobId?: string,
): Promise<void> {
  if (changes.length === 0) return;
  const index = await tx.index();
  const { workspaces, projects } = kind.use;
  const unuse = { workspaces: -workspaces, projects: -projects };
  const added: AddedLink<H>[] = [];
  for (const { holder, diff } of changes) {
    let position = index * POSITIONS_PER_INDEX;
    for (const { id, before, after } of diff) {
      if (before.marks === 0) {
        added.push({ holder, tag: id, position, link: linkOf(after) });
        position += 1;
        counts.add(id, kind.use);
      } else if (after.marks === 0) counts.add(id, unuse);
      else kind.update(tx, holder.id, id, after);
    }
  }
  kind.insertAll(tx, added);
  await recordTags(tx, author, kind.name, changes, jobId);
  removeLinks(tx, kind, changes);
}

/** One statement for each tag, or one for all tags of a single holder. */
function removeLinks<H extends Holder>(tx: Transaction, kind: HolderKind<H>, changes: readonly HeldChange<H>[]): void {
  const [first] = changes;
  if (first !== undefined && changes.length === 1) {
    const gone = first.diff.filter(({ after }) => after.marks === 0);
    kind.removeFromHolder(tx, first.holder.id, idsOf(gone));
    return;
  }
  const gone = new Map<string, string[]>();
  for (const { holder, diff } of changes) {
    for (const { id, after } of diff) {
      if (after.marks !== 0) continue;
      const holders = gone.get(id);
      if (holders === undefined) gone.set(id, [holder.id]);
      else holders.push(holder.id);
    }
  }
  for (const [tag, holders] of gone) kind.removeFromAll(tx, tag, holders);
}
