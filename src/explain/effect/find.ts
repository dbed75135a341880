/** Finds gains and losses by a drafted change. Runs with other long reads. */
import type { ApartSource, ApartWork } from "../../storage/database.ts";
import { startTurn } from "../../turns.ts";
import {
  byScope,
  SUBJECTS,
  isBefore,
  placeOf,
  slicesOf,
  type AccessPlace,
  type AccessSearch,
  type Candidate,
  type SubjectKind,
} from "../access/find.ts";
import { inTurns, type AccessHolder, type RunInTurns } from "../access/held.ts";
import { NO_GRANTS } from "../../acl/grants.ts";
import type { RoleGrants } from "../../acl/roles/store.ts";
import { fold } from "../../fold.ts";
import { isVisible, type Visibility } from "../../rights/rules/visibility.ts";
import type { Scope } from "../../rights/scope.ts";
import type { ResolvedGrants } from "../../acl/tokens/service.ts";
import { pointsOfDrafts, type DraftLists } from "./drafts.ts";
import type { AccessChange } from "./changes.ts";
import { EffectDecider, type HolderDifference } from "./decider.ts";

export interface EffectSearch extends Omit<AccessSearch, "question"> {
  /** Scope of all drafts. */
  home: Scope;
  /** Namespaces of its partition whose policies the caller may read; undefined where nobody is told of names. */
  readable: Visibility | undefined;
  drafts: DraftLists;
  /** ID of a change: the page then contains only its subjects. Empty for all. */
  change: string;
}

/** Subject that gains or loses; plain data. */
export interface EffectEntry extends HolderDifference {
  kind: SubjectKind;
  id: string;
  name: string;
  scope: Scope;
  description?: string;
  selector?: string;
  authMethod?: string;
  place: AccessPlace;
}

/** How many gain something, and how many lose something. */
export interface EffectCount {
  gain: number;
  lose: number;
}

/** A change of access, and the number of subjects that it affects. */
export interface CountedChange extends AccessChange {
  subjects: Record<SubjectKind, number>;
}

export interface Effect {
  /** Whether all was asked that the change is about. */
  isComplete: boolean;
  /** One page of them, and one more where there is another page. */
  entries: EffectEntry[];
  /** Counts over all subjects that the caller may see. */
  counts: Record<SubjectKind, EffectCount>;
  /** All changes, over all of these subjects; the ones of most subjects first. */
  changes: CountedChange[];
  /** Number of subjects that gain or lose an access. */
  affected: number;
}

/** Maximum time in milliseconds: later the caller has given up. */
export const LONGEST_MS = 20_000;

/** Returns nothing when it would take too long: the work grows by rules times roles times holders. */
export const WHO_CHANGES: ApartWork<EffectSearch, Effect | undefined> = {
  name: "who gains and loses what",
  async run(source, asked) {
    try {
      return await findChanges(source, asked);
    } catch (error) {
      if (error instanceof TakesTooLong) return undefined;
      throw error;
    }
  },
};

async function findChanges(
  source: ApartSource,
  { home, readable, drafts, after, size, change, ...search }: EffectSearch,
): Promise<Effect> {
  const end = performance.now() + LONGEST_MS;
  // The policies of a single subject may take long.
  const run: RunInTurns = (work) => inTurns(until(end, work));
  const points = await pointsOfDrafts(source, home, drafts, search.options, run);
  const tokens = new Map(drafts.tokens);
  const roles = new Map(drafts.roles);
  const decider = new EffectDecider(
    source,
    { points: points.all(), rules: points.changed() },
    { policies: new Map(drafts.policies), roles, defaults: new Map(drafts.defaults) },
    search.options,
    run,
    ({ home: place }) => readable === undefined || isVisible(readable, fold(place.namespace)),
  );
  const effect = noEffect(points.isComplete);
  const tallies: Tallies = new Map();
  const turn = startTurn();
  const drafted = ({ holder, entry }: Candidate, kind: SubjectKind) => ({
    before: holder,
    after: thoughtOf(
      holder,
      kind === "token" ? tokens.get(entry.id) : kind === "role" ? roles.get(entry.id) : undefined,
    ),
  });
  // All are looked at for each page, since all are counted.
  for await (const { kind, list, found } of slicesOf(source, { ...search, after: undefined })) {
    for (const candidates of byScope(found))
      await decider.prepare(
        candidates[0]?.holder.scope ?? list,
        candidates.map((each) => drafted(each, kind)),
      );
    for (const candidate of found) {
      // With a draft of many rules each comparison takes long.
      if (turn.isOver()) {
        await turn.next();
        if (performance.now() > end) throw new TakesTooLong();
      }
      if (candidate.entry.isComputed === true) continue;
      const difference = await decider.compare(drafted(candidate, kind), !candidate.isOwn);
      const { gains, losses, changes } = difference;
      if (gains.length + losses.length === 0) continue;
      effect.affected += 1;
      count(tallies, difference, kind);
      if (gains.length > 0) effect.counts[kind].gain += 1;
      if (losses.length > 0) effect.counts[kind].lose += 1;
      const place = placeOf(kind, list, candidate);
      if (effect.entries.length > size || !isBehind(place, after, search)) continue;
      if (change !== "" && !changes.some(({ id }) => id === change)) continue;
      const { key: _key, isComputed: _isComputed, ...shown } = candidate.entry;
      effect.entries.push({ kind, ...shown, scope: candidate.holder.scope, gains, losses, changes, place });
    }
  }
  effect.changes = countedChanges(tallies);
  return { ...effect, isComplete: effect.isComplete && decider.isComplete };
}

type Tallies = Map<HolderDifference, Record<SubjectKind, number>>;

/** Counts by difference, which many subjects share: a change of many rules is then one step for each of them. */
function count(tallies: Tallies, difference: HolderDifference, kind: SubjectKind): void {
  const tally = tallies.get(difference) ?? nobodyYet();
  tally[kind] += 1;
  tallies.set(difference, tally);
}

function countedChanges(tallies: Tallies): CountedChange[] {
  const found = new Map<AccessChange, CountedChange>();
  for (const [{ changes }, tally] of tallies) {
    for (const change of changes) {
      const counted = found.get(change) ?? { ...change, subjects: nobodyYet() };
      for (const kind of SUBJECTS) counted.subjects[kind] += tally[kind];
      found.set(change, counted);
    }
  }
  const total = ({ subjects }: CountedChange) => SUBJECTS.reduce((sum, kind) => sum + subjects[kind], 0);
  return [...found.values()].toSorted((a, b) => total(b) - total(a) || (a.id < b.id ? -1 : 1));
}

const nobodyYet = (): Record<SubjectKind, number> => ({ role: 0, token: 0, "binding-rule": 0 });

/** The time of a comparison is over. */
export class TakesTooLong extends Error {}

/** @throws TakesTooLong from the work, when its time is over */
export function* until<T>(end: number, work: Generator<void, T>): Generator<void, T> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (performance.now() > end) throw new TakesTooLong();
    yield;
  }
}

const noneYet = (): EffectCount => ({ gain: 0, lose: 0 });

const noEffect = (isComplete: boolean): Effect => ({
  isComplete,
  entries: [],
  counts: { role: noneYet(), "binding-rule": noneYet(), token: noneYet() },
  changes: [],
  affected: 0,
});

/** Returns the holder itself when it has no draft: equal holders are then examined once. */
export function thoughtOf(holder: AccessHolder, draft: ResolvedGrants | RoleGrants | null | undefined): AccessHolder {
  if (draft === undefined) return holder;
  if (draft === null) return { ...NO_GRANTS, roles: [], scope: holder.scope };
  return { ...draft, roles: "roles" in draft ? draft.roles : [], scope: holder.scope };
}

function isBehind(place: AccessPlace, after: AccessPlace | undefined, { lists }: Pick<AccessSearch, "lists">): boolean {
  if (after === undefined) return true;
  if (place.kind === after.kind && place.partition === after.partition) return place.after > after.after;
  return !isBefore(place, after, lists);
}
