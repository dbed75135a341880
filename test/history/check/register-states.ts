/** States that a register went through, as far as any answer showed them, in the order of their versions. */
import { describe, endOf, groupBy, isOf, type Of } from "./entries.ts";

export type RegisterEntry = Of<"write" | "cas" | "read">;
export type Change = Of<"write" | "cas">;

/** Final state of a register on one node. */
export interface Final {
  readonly node: number;
  readonly value: string;
  readonly version: number;
}

/** Something that happened between two times (milliseconds). */
export interface Step {
  readonly invoked: number;
  readonly end: number;
  readonly text: () => string;
}

export interface State {
  /** Undefined for the state before the first write, if no answer showed its version. */
  readonly version: number | undefined;
  /** Write that made the state; undefined for the state before the first write. */
  readonly change: Change | undefined;
  readonly reads: readonly Step[];
  /** Text about the first answer that showed the state, for a reader. */
  readonly from: () => string;
}

/** Answer that showed a register with this value at this version. */
interface Sight {
  readonly version: number;
  readonly value: string;
  readonly step: Step;
  readonly isRead: boolean;
}

/**
 * Sorts the answers about a register by version. The first state is always the one before the first write. A finding is
 * a version with two values, a value with two versions or that nobody can have written, and a compare-and-set that does
 * not follow the version that it expected.
 */
export function statesOf(
  entries: readonly RegisterEntry[],
  finals: readonly Final[],
): { states: readonly State[]; findings: readonly string[] } {
  const sights = [...entries.flatMap(sightOf), ...finals.map(sightOfFinal)];
  const changes = groupBy(entries.filter(isChange), (entry) => entry.operation.value);
  const versions = [...groupBy(sights, ({ version }) => version)].toSorted(([a], [b]) => a - b);
  const written = versions.flatMap(([version, ofVersion]) => stateOf(version, ofVersion, changes));
  const states = withBeginning(written);
  return {
    states,
    findings: [
      ...entries.filter(lacksAnswer).map((entry) => `${describe(entry)} is done without a value or a version`),
      ...[...changes.values()]
        .filter(({ length }) => length > 1)
        .map(
          (ofValue) => `a value is written twice, so that nobody can say who did: ${ofValue.map(describe).join(" ")}`,
        ),
      ...ambiguous(sights),
      ...states.slice(1).flatMap((state, before) => wrongChange(state, states[before])),
    ],
  };
}

/** Tells whether an entry changes the register. */
export function isChange(entry: RegisterEntry): entry is Change {
  return !isOf(entry, "read");
}

function lacksAnswer({ outcome, operation }: RegisterEntry): boolean {
  return outcome === "done" && (operation.value === undefined || operation.version === undefined);
}

function sightOf(entry: RegisterEntry): Sight[] {
  const { value, version } = entry.operation;
  if (entry.outcome !== "done" || value === undefined || version === undefined) return [];
  return [{ version, value, step: stepOf(entry), isRead: !isChange(entry) }];
}

/** Everything else is over by then. */
function sightOfFinal({ node, value, version }: Final): Sight {
  const step = { invoked: Infinity, end: Infinity, text: () => `the final state of node ${node}` };
  return { version, value, step, isRead: true };
}

/** When an entry can have happened. */
export function stepOf(entry: RegisterEntry): Step {
  return { invoked: entry.invoked, end: endOf(entry), text: () => describe(entry) };
}

function stateOf(version: number, sights: readonly Sight[], changes: ReadonlyMap<string, readonly Change[]>): State[] {
  const [first] = sights;
  if (first === undefined) return [];
  const reads = sights.filter(({ isRead }) => isRead).map(({ step }) => step);
  return [{ version, change: changes.get(first.value)?.[0], reads, from: first.step.text }];
}

/** Versions with two values and values with two versions. */
function ambiguous(sights: readonly Sight[]): string[] {
  const findings: string[] = [];
  const byVersion = new Map<number, Sight>();
  const byValue = new Map<string, Sight>();
  for (const sight of sights) {
    const ofVersion = byVersion.get(sight.version) ?? sight;
    const ofValue = byValue.get(sight.value) ?? sight;
    byVersion.set(sight.version, ofVersion);
    byValue.set(sight.value, ofValue);
    if (ofVersion.value !== sight.value)
      findings.push(`version ${sight.version} has two values, by ${ofVersion.step.text()} and ${sight.step.text()}`);
    if (ofValue.version !== sight.version)
      findings.push(`a value has two versions, by ${ofValue.step.text()} and ${sight.step.text()}`);
  }
  return findings;
}

/** Puts the state before the first write in front, unless an answer showed it. */
function withBeginning(states: readonly State[]): State[] {
  const [first] = states;
  if (first !== undefined && first.change === undefined) return [...states];
  // A client that expects a version before all others got it when the register was made.
  const { expected } = expectedBy(first);
  const version = expected !== undefined && expected < (first?.version ?? 0) ? expected : undefined;
  return [{ version, change: undefined, reads: [], from: () => "the beginning" }, ...states];
}

function wrongChange(state: State, before: State | undefined): string[] {
  const { change, from } = state;
  if (change === undefined) return [`${from()} shows a value that nobody wrote`];
  if (change.outcome === "refused") return [`${from()} shows the value of ${describe(change)}, which was refused`];
  const { isCas, expected } = expectedBy(state);
  if (!isCas || expected === before?.version) return [];
  return [`${describe(change)} does not follow the version that it expected: before it is ${before?.from()}`];
}

/** Version that the change to a state expected, if it was a compare-and-set. */
export function expectedBy(state: State | undefined): { isCas: boolean; expected: number | undefined } {
  const operation = state?.change?.operation;
  return operation?.kind === "cas"
    ? { isCas: true, expected: operation.expected }
    : { isCas: false, expected: undefined };
}
