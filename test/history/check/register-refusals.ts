/** Compare-and-sets that were refused because the version was another: whether it can have been. */
import { countUpTo, describe, endOf, groupBy, isOf, type Of } from "./entries.ts";
import { expectedBy, isChange, type Change, type RegisterEntry, type State } from "./register-states.ts";

type Refusal = Of<"cas">;

/** One way to choose the moments of the writes up to some state. */
interface Choice {
  /** How many unseen writes of unknown outcome it needs. */
  readonly used: number;
  /** The latest moment (milliseconds) at which the state can begin; the later, the more refusals it explains. */
  readonly begins: number;
}

/** Between which times a state can begin so that all writes and reads find their moments. */
interface Bounds {
  readonly earliest: number;
  readonly latest: number;
  /** The earliest moment at which all reads of the state are over. */
  readonly read: number;
}

/**
 * Finds compare-and-sets that were refused with 409 though the register had the expected version in all of their time.
 * `states` are in order and the moments of all other operations fit (see `registers.ts`).
 *
 * A refusal that expected state i asks that state i begins only after the refusal was asked for, or that it is over
 * before the refusal was answered. So it is best when each state begins as late as it can: that leaves the fewest
 * refusals to the state after it, and it takes nothing from that. Going through the states in order, the only choice is
 * whether the end of a state is the next write that is known or, before it, a write of unknown outcome that nobody saw.
 * Such a write can be used only once, so both ways are kept as long as the one that uses fewer leaves states less time.
 */
export function wrongRefusals(states: readonly State[], entries: readonly RegisterEntry[]): string[] {
  const refusals = groupBy(entries.filter(isRefusal), (entry) => entry.operation.expected);
  const unseen = unseenWrites(states, entries);
  const bounds = boundsOf(states);
  const findings: string[] = [];
  let choices: readonly Choice[] = [{ used: 0, begins: -Infinity }];
  for (const [number, state] of states.entries()) {
    const expecting = (state.version === undefined ? undefined : refusals.get(state.version)) ?? [];
    const gap = { state, next: states[number + 1], own: bounds[number], after: bounds[number + 1] };
    const ways = choices.flatMap((choice) => waysOn(choice, gap, expecting, unseen));
    const best = choices.at(-1);
    if (ways.length === 0) {
      const culprit = earliestAnswer(expecting.filter(({ invoked }) => invoked > (best?.begins ?? 0)));
      const subject = culprit === undefined ? state.from() : describe(culprit);
      findings.push(`${subject} is refused, but the version was the expected one all the time, by ${state.from()}`);
    }
    choices = ways.length > 0 ? withoutWorse(ways) : [{ used: best?.used ?? 0, begins: gap.after?.latest ?? Infinity }];
  }
  return findings;
}

interface Gap {
  readonly state: State;
  readonly next: State | undefined;
  readonly own: Bounds | undefined;
  readonly after: Bounds | undefined;
}

/** The choices for the next state that a choice for this one leaves. */
function waysOn({ used, begins }: Choice, gap: Gap, expecting: readonly Refusal[], unseen: Unseen): Choice[] {
  const unexplained = expecting.filter(({ invoked }) => invoked > begins);
  const deadline = unexplained.reduce((least, { returned = Infinity }) => Math.min(least, returned), Infinity);
  const { earliest, latest } = gap.after ?? { earliest: Infinity, latest: Infinity };
  const ways: Choice[] = [];
  if (Math.min(latest, deadline) >= earliest) ways.push({ used, begins: Math.min(latest, deadline) });
  // An unseen write does no good where the refusals let the next known one come as late as it can.
  if (deadline >= latest || !isRoomBetween(gap) || (gap.own?.read ?? 0) > deadline) return ways;
  if ((unseen.cas.get(gap.state.version ?? 0) ?? Infinity) <= deadline) ways.push({ used, begins: latest });
  else if (countUpTo(deadline, unseen.writes, Number) > used) ways.push({ used: used + 1, begins: latest });
  return ways;
}

/** A write that nobody saw has a version of its own, and no compare-and-set follows it. */
function isRoomBetween({ state, next }: Gap): boolean {
  if (next === undefined) return true;
  return !expectedBy(next).isCas && (next.version ?? 0) - (state.version ?? 0) > 1;
}

function isRefusal(entry: RegisterEntry): entry is Refusal {
  return isOf(entry, "cas") && entry.outcome === "refused" && entry.status === 409;
}

interface Unseen {
  /** When unconditional writes were asked for, sorted. */
  readonly writes: readonly number[];
  /** When the first compare-and-set was asked for that expected a version. It can have happened after that one only. */
  readonly cas: ReadonlyMap<number, number>;
}

function unseenWrites(states: readonly State[], entries: readonly RegisterEntry[]): Unseen {
  const seen = new Set<Change>(states.flatMap(({ change }) => change ?? []));
  const unseen = entries.filter(isChange).filter((entry) => entry.outcome === "unknown" && !seen.has(entry));
  const cas = new Map<number, number>();
  for (const entry of unseen)
    if (isOf(entry, "cas")) {
      const { expected } = entry.operation;
      cas.set(expected, Math.min(cas.get(expected) ?? Infinity, entry.invoked));
    }
  const writes = unseen.filter((entry) => isOf(entry, "write")).map(({ invoked }) => invoked);
  return { writes: writes.toSorted((a, b) => a - b), cas };
}

function boundsOf(states: readonly State[]): Bounds[] {
  let reached = -Infinity;
  const forward = states.map(({ change, reads }) => {
    const earliest = Math.max(reached, change?.invoked ?? -Infinity);
    reached = reads.reduce((latest, { invoked }) => Math.max(latest, invoked), earliest);
    return { earliest, read: reached };
  });
  let left = Infinity;
  const backward = states.toReversed().map(({ change, reads }) => {
    left = reads.reduce((least, { end }) => Math.min(least, end), left);
    left = Math.min(left, change === undefined ? Infinity : endOf(change));
    return left;
  });
  return forward.map((bounds, number) => ({ ...bounds, latest: backward.at(-1 - number) ?? Infinity }));
}

/** Keeps the choices that use more unseen writes only where they leave states more time. */
function withoutWorse(choices: readonly Choice[]): Choice[] {
  const kept: Choice[] = [];
  for (const choice of choices.toSorted((a, b) => a.used - b.used || b.begins - a.begins))
    if (choice.begins > (kept.at(-1)?.begins ?? -Infinity)) kept.push(choice);
  return kept;
}

function earliestAnswer(refusals: readonly Refusal[]): Refusal | undefined {
  return refusals.toSorted((a, b) => (a.returned ?? Infinity) - (b.returned ?? Infinity))[0];
}
