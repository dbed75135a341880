/** Finds gains and losses by a drafted change. Runs with other long reads. */
import type { ApartSource, ApartWork } from "../../storage/database.ts";
import { startTurn } from "../../turns.ts";
import {
  byScope,
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
import type { Scope } from "../../rights/scope.ts";
import type { ResolvedGrants } from "../../acl/tokens/service.ts";
import { pointsOfDrafts, type DraftLists } from "./drafts.ts";
import { EffectDecider, type RightsDifference } from "./decider.ts";

export interface EffectSearch extends Omit<AccessSearch, "question"> {
  /** Scope of all drafts. */
  home: Scope;
  drafts: DraftLists;
}

/** Subject that gains or loses; plain data. */
export interface EffectEntry extends RightsDifference {
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

export interface Effect {
  /** Whether all was asked that the change is about. */
  isComplete: boolean;
  /** One page of them, and one more where there is another page. */
  entries: EffectEntry[];
  /** Counts over all subjects that the caller may see. */
  counts: Record<SubjectKind, EffectCount>;
}

/** Maximum time in milliseconds: later the caller has given up. */
const LONGEST_MS = 20_000;

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
  { home, drafts, after, size, ...search }: EffectSearch,
): Promise<Effect> {
  const end = performance.now() + LONGEST_MS;
  // The policies of a single subject may take long.
  const run: RunInTurns = (work) => inTurns(until(end, work));
  const points = await pointsOfDrafts(source, home, drafts, search.options, run);
  const tokens = new Map(drafts.tokens);
  const roles = new Map(drafts.roles);
  const decider = new EffectDecider(
    source,
    points.all(),
    { policies: new Map(drafts.policies), roles, defaults: new Map(drafts.defaults) },
    search.options,
    run,
  );
  const effect: Effect = {
    isComplete: points.isComplete,
    entries: [],
    counts: { role: noneYet(), "binding-rule": noneYet(), token: noneYet() },
  };
  const turn = startTurn();
  const changed = ({ holder, entry }: Candidate, kind: SubjectKind) => ({
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
        candidates.map((each) => changed(each, kind)),
      );
    for (const candidate of found) {
      // With a draft of many rules each comparison takes long.
      if (turn.isOver()) {
        await turn.next();
        if (performance.now() > end) throw new TakesTooLong();
      }
      if (candidate.entry.isComputed === true) continue;
      const difference = await decider.compare(changed(candidate, kind), !candidate.isOwn);
      const { gains, losses } = difference;
      if (gains.length > 0) effect.counts[kind].gain += 1;
      if (losses.length > 0) effect.counts[kind].lose += 1;
      const place = placeOf(kind, list, candidate);
      if (gains.length + losses.length === 0 || effect.entries.length > size || !isBehind(place, after, search))
        continue;
      const { key: _key, isComputed: _isComputed, ...shown } = candidate.entry;
      effect.entries.push({ kind, ...shown, scope: candidate.holder.scope, gains, losses, place });
    }
  }
  return effect;
}

class TakesTooLong extends Error {}

/** @throws TakesTooLong from the work, when its time is over */
function* until<T>(end: number, work: Generator<void, T>): Generator<void, T> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (performance.now() > end) throw new TakesTooLong();
    yield;
  }
}

const noneYet = (): EffectCount => ({ gain: 0, lose: 0 });

/** Returns the holder itself when it has no draft: equal holders are then examined once. */
function thoughtOf(holder: AccessHolder, draft: ResolvedGrants | RoleGrants | null | undefined): AccessHolder {
  if (draft === undefined) return holder;
  if (draft === null) return { ...NO_GRANTS, roles: [], scope: holder.scope };
  return { ...draft, roles: "roles" in draft ? draft.roles : [], scope: holder.scope };
}

function isBehind(place: AccessPlace, after: AccessPlace | undefined, { lists }: Pick<AccessSearch, "lists">): boolean {
  if (after === undefined) return true;
  if (place.kind === after.kind && place.partition === after.partition) return place.after > after.after;
  return !isBefore(place, after, lists);
}
