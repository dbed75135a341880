/** History of writers' writes in order, and the check that a restored backup is one instant of it. */

/** A write of one writer; each makes its state another one than all before. Times are of one clock, in milliseconds. */
export interface Done {
  /** The object's name, and what it is from then on; undefined when it is gone. */
  name: string;
  value: string | undefined;
  sentAt: number;
  /** Infinity while it was not answered. */
  answeredAt: number;
}

/** The writes of each writer, in their order: each was sent when the one before had been answered. */
export type History = readonly (readonly Done[])[];

/** When a backup was asked for, and when it was there. */
export interface Taken {
  began: number;
  ended: number;
}

/** Values of a writer's objects, by their names. */
export type State = ReadonlyMap<string, string>;

/**
 * Compares a restored backup with a history.
 *
 * @param restored the state of each writer
 * @returns findings; none when all of it is one instant between `began` and `ended`
 */
export function checkInstant(history: History, restored: readonly State[], { began, ended }: Taken): string[] {
  const findings: string[] = [];
  let [newestIn, oldestOut] = [-Infinity, Infinity];
  for (const [writer, writes] of history.entries()) {
    const count = countOf(writes, restored[writer] ?? new Map());
    if (count === undefined) {
      findings.push(`writer ${writer}: what came back is not what it was after any of its writes`);
      continue;
    }
    const least = writes.filter(({ answeredAt }) => answeredAt < began).length;
    const most = writes.filter(({ sentAt }) => sentAt < ended).length;
    if (count < least) findings.push(`writer ${writer}: ${least - count} writes are lost that had been acknowledged`);
    if (count > most) findings.push(`writer ${writer}: ${count - most} writes are there that were sent afterwards`);
    newestIn = Math.max(newestIn, writes[count - 1]?.sentAt ?? -Infinity);
    oldestOut = Math.min(oldestOut, writes[count]?.answeredAt ?? Infinity);
  }
  if (newestIn >= oldestOut)
    findings.push("a write is there that began after another one was acknowledged that is not");
  return findings;
}

/** After how many of its writes a writer's objects were so; undefined when they never were. */
function countOf(writes: readonly Done[], wanted: State): number | undefined {
  const state = new Map<string, string>();
  for (let count = 0; ; count++) {
    if (isSame(state, wanted)) return count;
    const next = writes[count];
    if (next === undefined) return undefined;
    if (next.value === undefined) state.delete(next.name);
    else state.set(next.name, next.value);
  }
}

function isSame(one: State, other: State): boolean {
  return one.size === other.size && [...one].every(([name, value]) => other.get(name) === value);
}
