/**
 * Jobs that delete tags of the pool, or merge them into one: what of their uses changes before they leave it. The same is
 * worked out for a preview and in each slice.
 */
import { NOTHING_OWNED, type OwnedAmong } from "../../../acl/declarations/owners.ts";
import type { Reader } from "../../../storage/database.ts";
import { listProjectsOfTag, type BulkProject } from "../../holders/bindings/bulk-store.ts";
import { NO_VERDICT } from "../../rules/enforce.ts";
import { NOT_HELD, type Carrier, type HeldChange } from "../../holders/holder.ts";
import { hasMark } from "../../holders/links.ts";
import { planHeld, type Decide } from "../../holders/plan.ts";
import { PROJECTS } from "../../holders/projects.ts";
import { WORKSPACES } from "../../holders/workspaces.ts";
import { BINDING, joined, valued } from "../../pool/marks.ts";
import { findTagsById, idsOf, type NamedTag } from "../../pool/store.ts";
import type { BulkTag } from "../../pool/uses.ts";
import { listCarriersOfTag } from "../../holders/workspace-tags/store.ts";
import type { CountsByReason } from "../job.ts";
import { findOwnedTags, NO_TAGS } from "../owned-tags.ts";
import { findNamed, findTarget, takePlace } from "./names.ts";
import { judgeDeletion } from "./rules.ts";
import { listPoolTags, sumPoolTags, type PoolSums } from "./store.ts";
import { fits, type PoolRequest } from "../request.ts";
import { warnedOf } from "../warned.ts";

export type PoolJob = Exclude<PoolRequest, { action: "rename" }>;

/** Tags that are looked at at a time at the most. */
const MOST_TAGS = 200;

/** Some of the tags that a job asks for, in order of their names. */
export interface FoundTags {
  tags: readonly { id: string; name: string }[];
  /** Whether there are none behind them. */
  isLast: boolean;
}

/** Place at which a job continues. */
export interface PoolPlace {
  /** Name behind which its tags begin. */
  after: string;
  /** Before those comes one that has lost some of its uses already, so that a filter by their number would not find it. */
  left?: { id: string; name: string } | undefined;
}

/** The next tags that a job asks for. */
export async function findPoolTags(
  db: Reader & { long: Reader },
  organization: string,
  job: PoolJob,
  { after, left }: PoolPlace,
  limit: number,
): Promise<FoundTags> {
  if (left === undefined) return findBehind(db, organization, job, after, limit);
  const { tags, isLast } = await findBehind(db, organization, job, left.name, limit);
  return { tags: [left, ...tags], isLast };
}

async function findBehind(
  db: Reader & { long: Reader },
  organization: string,
  { selection }: PoolJob,
  after: string,
  limit: number,
): Promise<FoundTags> {
  const most = Math.min(limit, MOST_TAGS);
  if ("filter" in selection) {
    const tags = await listPoolTags(db.long, organization, selection.filter, after, most);
    return { tags, isLast: tags.length < most };
  }
  const named = (await findNamed(db, organization, selection.names)).filter(({ name }) => name > after);
  return { tags: named.slice(0, most), isLast: named.length <= most };
}

function inOrder<T extends { name: string }>(tags: readonly T[]): T[] {
  return tags.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** How much there is to do: each tag, and each of its uses. */
export async function sumPool(db: Reader & { long: Reader }, organization: string, job: PoolJob): Promise<PoolSums> {
  const { selection } = job;
  const target = job.action === "merge" ? await findTarget(db, organization, job.to) : undefined;
  if ("filter" in selection) return sumPoolTags(db.long, organization, selection.filter, target?.name ?? "");
  const tags = (await findNamed(db, organization, selection.names)).filter(({ id }) => id !== target?.id);
  return {
    tags: tags.length,
    workspaces: tags.reduce((sum, { instanceCount }) => sum + instanceCount, 0),
    projects: tags.reduce((sum, { projectCount }) => sum + projectCount, 0),
  };
}

/** Plan for some tags. */
export interface PoolPlan {
  workspaces: HeldChange[];
  projects: HeldChange[];
  /** Tags that nothing holds any more then. */
  leaving: NamedTag[];
  /** Tag of which only some uses are removed. */
  left: NamedTag | undefined;
  /** Tag that replaces them. */
  target: BulkTag | undefined;
  /** Tags that the tag policy keeps. */
  refused: NamedTag[];
  /** Tags that are left alone, being owned or on something that is. */
  owned: NamedTag[];
  warned: CountsByReason;
  /** Number of uses that are removed. */
  uses: number;
  /** Place at which the job continues. Undefined when all tags that were found are done. */
  next: PoolPlace | undefined;
}

/**
 * Works out what to do about tags that were found, as far as it concerns `limit` uses and tags.
 *
 * @param db the transaction, where it is to be written
 */
export async function planForPool(
  db: Reader,
  organization: string,
  job: PoolJob,
  found: FoundTags["tags"],
  { place, limit, owned = NOTHING_OWNED }: { place: PoolPlace; limit: number; owned?: OwnedAmong },
): Promise<PoolPlan> {
  const known = job.action === "merge" ? await findTarget(db, organization, job.to) : undefined;
  const isMeant = meantBy(job, found, place, known);
  const all = inOrder((await findTagsById(db, organization, idsOf(found))).filter(isMeant));
  const left = owned === NOTHING_OWNED ? NO_TAGS : await findOwnedTags(db, owned, organization, all, limit);
  const meant = all.filter((tag) => !left.has(tag));
  const judged = job.action === "delete" ? await judgeDeletion(db, organization, meant) : undefined;
  const tags = judged?.allowed ?? meant;
  const gathered = await gather(db, tags, limit);
  const sources = gathered.left === undefined ? gathered.whole : [...gathered.whole, gathered.left];
  const { target, verdict } =
    job.action === "merge"
      ? await takePlace(db, organization, job.to, known, sources)
      : { target: undefined, verdict: judged?.verdict ?? NO_VERDICT };
  const changes = await planUses(db, gathered, sources, target);
  const isWhole = sources.length === tags.length && gathered.left === undefined;
  const after = gathered.whole.at(-1)?.name ?? place.after;
  // The next slice finds the tags behind it again.
  const reached = gathered.left?.name ?? after;
  const ended = [...gathered.whole.map(({ name }) => name), ...(target?.isNew === true ? [target.name] : [])];
  return {
    ...changes,
    leaving: gathered.whole,
    left: gathered.left,
    target,
    refused: (judged?.refused ?? []).filter(({ name }) => isWhole || name < reached),
    owned: [...left].filter(({ name }) => isWhole || name < reached),
    warned: warnedOf(verdict, ended),
    next: isWhole ? undefined : { after, left: gathered.left && { id: gathered.left.id, name: gathered.left.name } },
  };
}

/** Plans the changes of workspaces and projects that have these tags. */
async function planUses(
  db: Reader,
  { workspaces: carriers, projects: holders }: Gathered,
  sources: readonly NamedTag[],
  target: BulkTag | undefined,
): Promise<Pick<PoolPlan, "workspaces" | "projects" | "uses">> {
  const involved = target === undefined ? sources : [...sources, target];
  const decide = target ? moveTo(sources, target) : takeOff(sources);
  const [{ changes: workspaces }, { changes: projects }] = await Promise.all([
    planHeld(db, WORKSPACES, [...carriers.values()], involved, decide, { isJudged: false }),
    planHeld(db, PROJECTS, [...holders.values()], involved, decide, { isJudged: false }),
  ]);
  const isSource = new Set(idsOf(sources));
  const gone = [...workspaces, ...projects].flatMap(({ diff }) => [...diff].filter(({ id }) => isSource.has(id)));
  return { workspaces, projects, uses: gone.length };
}

/** Tells whether a tag still is what was asked for. */
function meantBy(
  { selection }: PoolJob,
  found: FoundTags["tags"],
  { left }: PoolPlace,
  target: NamedTag | undefined,
): (tag: NamedTag) => boolean {
  const names = new Map(found.map(({ id, name }) => [id, name]));
  return (tag) => {
    if (tag.id === target?.id) return false;
    if (tag.id === left?.id) return true;
    return "filter" in selection ? fits(selection.filter, tag) : names.get(tag.id) === tag.name;
  };
}

interface Gathered {
  whole: NamedTag[];
  left: NamedTag | undefined;
  workspaces: Map<string, Carrier>;
  projects: Map<string, BulkProject>;
}

/** The uses of these tags, tag by tag, until there are as many as there may be. */
async function gather(db: Reader, tags: readonly NamedTag[], limit: number): Promise<Gathered> {
  const gathered: Gathered = { whole: [], left: undefined, workspaces: new Map(), projects: new Map() };
  let room = limit;
  for (const tag of tags) {
    if (room <= 0) return gathered;
    const isUsed = tag.instanceCount + tag.projectCount > 0;
    const [carriers, projects] = isUsed
      ? await Promise.all([listCarriersOfTag(db, tag.id, room + 1), listProjectsOfTag(db, tag.id, room + 1)])
      : [[], []];
    for (const each of carriers.slice(0, room)) gathered.workspaces.set(each.id, each);
    for (const each of projects.slice(0, room)) gathered.projects.set(each.id, each);
    if (carriers.length > room || projects.length > room) {
      gathered.left = tag;
      return gathered;
    }
    gathered.whole.push(tag);
    room -= carriers.length + projects.length + 1;
  }
  return gathered;
}

function takeOff(sources: readonly NamedTag[]): Decide {
  return (_holder, held) => sources.flatMap((tag) => (held.has(tag.id) ? [[tag, NOT_HELD] as const] : []));
}

/** Marks add up; of values that of the target stays, or else that of the first by name. */
function moveTo(sources: readonly NamedTag[], target: BulkTag): Decide {
  return (_holder, held) => {
    const moved = sources.filter(({ id }) => held.has(id));
    let after = held.get(target.id) ?? NOT_HELD;
    for (const { id } of moved) {
      const link = held.get(id) ?? NOT_HELD;
      const kept = hasMark(after, BINDING) || !hasMark(link, BINDING) ? after : link;
      after = { ...kept, marks: valued(joined(after.marks, link.marks), kept.value) };
    }
    if (moved.length === 0) return [];
    return [...moved.map((tag) => [tag, NOT_HELD] as const), [target, after] as const];
  };
}
