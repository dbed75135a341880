/** Facts about the objects of one pool: when each was there for certain, and when it may have been. */
import type { History, Stored } from "../history.ts";
import { allOf, endOf, groupBy, mayHaveHappened, type Of } from "./entries.ts";

/** An object that an acknowledged create made or, in a pool of tags, found. Times are milliseconds. */
export interface Made {
  readonly id: string;
  readonly name: string;
  /** The first acknowledged create that answered with it. */
  readonly create: Of<"create">;
  /** Not there before. */
  readonly begins: number;
  /** There for certain after `from` and before `until`. */
  readonly from: number;
  readonly until: number;
  /** Gone for certain after. */
  readonly ends: number;
  /** The deletes that can have removed it, acknowledged or unknown. */
  readonly deletes: readonly Of<"delete">[];
}

export interface Pool {
  readonly name: string;
  /** Whether a create of a name that is taken answers with the object that has it. */
  readonly sharesNames: boolean;
  /** Creates that happened or may have. */
  readonly creates: readonly Of<"create">[];
  /** Deletes that happened or may have; an unknown one of which an object is there in the end cannot have. */
  readonly deletes: readonly Of<"delete">[];
  /** All names of any create, also of refused ones. Other names were there before, or come from requests not recorded. */
  readonly named: ReadonlySet<string>;
  /** Answered lists and watches, in the order in which they were asked for. */
  readonly shown: readonly Of<"list" | "watch">[];
  /** By id. */
  readonly made: ReadonlyMap<string, Made>;
  /** Objects that the first node shows in the end, as all of them should. */
  readonly final: readonly Stored[];
}

/**
 * The pools of a history. A pool is expected to begin empty, or with names that no create names; its objects are made
 * and deleted by recorded requests only.
 */
export function poolsOf(history: History): Pool[] {
  const creates = groupBy(allOf(history, "create"), (entry) => entry.operation.pool);
  const deletes = groupBy(allOf(history, "delete"), (entry) => entry.operation.pool);
  const shown = groupBy(allOf(history, "list", "watch"), (entry) => entry.operation.pool);
  const ended = history.final.nodes.flatMap((node) => Object.keys(node.pools));
  const names = new Set([...creates.keys(), ...deletes.keys(), ...shown.keys(), ...ended]);
  return [...names].map((name) => {
    const attempts = creates.get(name) ?? [];
    const final = history.final.nodes[0]?.pools[name] ?? [];
    const there = new Set(final.map(({ id }) => id));
    const possible = (deletes.get(name) ?? []).filter((entry) => canHaveHappened(entry, there));
    return {
      name,
      sharesNames: name === "tags",
      creates: attempts.filter(mayHaveHappened),
      deletes: possible,
      named: new Set(attempts.flatMap((entry) => entry.operation.names)),
      shown: (shown.get(name) ?? []).filter((entry) => entry.operation.found !== undefined),
      made: madeIn(attempts, possible),
      final,
    };
  });
}

/** A delete removes all of its objects or none, and an id never comes back. */
function canHaveHappened({ outcome, operation }: Of<"delete">, there: ReadonlySet<string>): boolean {
  if (outcome === "unknown") return !operation.ids.some((id) => there.has(id));
  return outcome === "done";
}

function madeIn(creates: readonly Of<"create">[], deletes: readonly Of<"delete">[]): Map<string, Made> {
  const deletesById = groupEach(deletes, (entry) => entry.operation.ids);
  const made = new Map<string, Made>();
  for (const [id, answers] of groupEach(creates.filter(isDone), (entry) => entry.operation.ids ?? [])) {
    const [create] = answers;
    const removals = deletesById.get(id) ?? [];
    if (create === undefined) continue;
    made.set(id, {
      id,
      name: create.operation.names[create.operation.ids?.indexOf(id) ?? -1] ?? "",
      create,
      begins: create.invoked,
      from: lowest(answers.map(endOf)),
      // A create that was answered with it found it there after it was asked; the last of them is the last asked.
      until: Math.max(lowest(removals.map(({ invoked }) => invoked)), answers.at(-1)?.invoked ?? -Infinity),
      ends: lowest(removals.map(endOf)),
      deletes: removals,
    });
  }
  return made;
}

function isDone({ outcome }: Of<"create">): boolean {
  return outcome === "done";
}

/** Infinity of nothing. */
function lowest(times: readonly number[]): number {
  return times.reduce((least, time) => Math.min(least, time), Infinity);
}

/** The entries under each of their keys, such as each id that a delete names. */
export function groupEach<T>(entries: readonly T[], keysOf: (entry: T) => readonly string[]): Map<string, T[]> {
  const pairs = entries.flatMap((entry) => [...new Set(keysOf(entry))].map((key) => ({ key, entry })));
  return new Map([...groupBy(pairs, ({ key }) => key)].map(([key, group]) => [key, group.map(({ entry }) => entry)]));
}
