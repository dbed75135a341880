/** Rights and keys, each of which one client alone changes, are everywhere as it left them last. */
import type { Check, Entry, History } from "../history.ts";
import { allOf, describe, endOf, groupBy, isOf, limited, mayHaveHappened } from "./entries.ts";
import { LAG } from "./revoked.ts";

/** A value that was, or may have been, given to something. */
interface Write {
  readonly entry: Entry;
  readonly to: number;
  /** When the first one was answered that certainly came after it. */
  overwritten: number;
}

/** The value that something had when it was looked at. @typeParam V what it may have */
interface Read<V> {
  readonly entry: Entry;
  readonly value: V;
  /** For how long (in milliseconds) after the answer it may show what was before. */
  readonly lag: number;
}

/**
 * A right that was taken away is refused by every request that begins after the answer and asks with `?consistent`, and by
 * every other one that begins more than a second later; one that was given back is not refused by those.
 */
export const rights: Check = rightsWithin(LAG);

/** The same for servers that must know sooner. @param lag milliseconds */
export function rightsWithin(lag: number): Check {
  return limited((history) => {
    const writes = groupBy(allOf(history, "grant"), ({ operation }) => operation.right);
    const reads = groupBy(allOf(history, "ask"), ({ operation }) => operation.right);
    return [...reads].flatMap(([right, asked]) =>
      wrongReads(
        orderOf(writes.get(right) ?? [], (entry) => isOf(entry, "grant") && entry.operation.allowed),
        asked.flatMap((entry) => {
          const { allowed, consistent } = entry.operation;
          return allowed === undefined ? [] : [{ entry, value: allowed, lag: consistent ? 0 : lag }];
        }),
      ),
    );
  });
}

/**
 * A key has the value that it was given last, by a request or a job that has ended, from the answer that says so on, at every
 * node; and none that nobody gave it.
 */
export const values: Check = limited((history) => {
  const ends = endsOf(history);
  const given = allOf(history, "assign", "job").flatMap((entry) =>
    keysOf(entry).map((key) => ({ key, entry: isOf(entry, "job") ? untilEnd(entry, ends) : entry })),
  );
  const writes = groupBy(given, ({ key }) => key);
  const reads = groupBy(allOf(history, "value"), ({ operation }) => operation.key);
  return [...reads].flatMap(([key, looks]) =>
    wrongReads<string | null>(
      orderOf(
        (writes.get(key) ?? []).map(({ entry }) => entry),
        (entry) => (isOf(entry, "assign") || isOf(entry, "job") ? entry.operation.value : null),
        null,
      ),
      looks.flatMap((entry) => {
        const { value } = entry.operation;
        return value === undefined ? [] : [{ entry, value, lag: 0 }];
      }),
    ),
  );
});

/** When each job was first seen to have ended. */
export function endsOf(history: History): ReadonlyMap<string, number> {
  const ends = new Map<string, number>();
  for (const { operation, returned = Infinity } of allOf(history, "progress")) {
    if (operation.status !== "done") continue;
    ends.set(operation.job, Math.min(returned, ends.get(operation.job) ?? Infinity));
  }
  return ends;
}

/** A job that was taken on is over when it was seen to be: until then nobody knows how far it is. */
function untilEnd(entry: Entry, ends: ReadonlyMap<string, number>): Entry {
  if (!isOf(entry, "job") || entry.outcome !== "done") return entry;
  const end = ends.get(entry.operation.job ?? "");
  return end === undefined ? { ...entry, outcome: "unknown", returned: undefined } : { ...entry, returned: end };
}

function keysOf({ operation }: Entry): readonly string[] {
  if (operation.kind === "job") return operation.keys;
  return operation.kind === "assign" ? [operation.key] : [];
}

/** Writes that may have happened, by value, each with when one certainly came after it. @param first what there was at first */
function orderOf<V>(entries: readonly Entry[], valueOf: (entry: Entry) => V, first?: V): Map<V, Write[]> {
  const byValue = new Map<V, Write[]>();
  const done = entries.filter(({ outcome }) => outcome === "done").toSorted((a, b) => a.invoked - b.invoked);
  const overwrittenAfter = (to: number): number => done.find(({ invoked }) => invoked > to)?.returned ?? Infinity;
  const add = (value: V, entry: Entry, to: number): void => {
    const write = { entry, to, overwritten: overwrittenAfter(to) };
    const all = byValue.get(value);
    if (all === undefined) byValue.set(value, [write]);
    else all.push(write);
  };
  if (first !== undefined) add(first, BEGINNING, -Infinity);
  for (const entry of entries) if (mayHaveHappened(entry)) add(valueOf(entry), entry, endOf(entry));
  return byValue;
}

const BEGINNING: Entry = {
  client: -1,
  node: -1,
  invoked: -Infinity,
  returned: -Infinity,
  outcome: "done",
  status: 0,
  operation: { kind: "value", key: "" },
};

function wrongReads<V>(writes: ReadonlyMap<V, readonly Write[]>, reads: readonly Read<V>[]): string[] {
  return reads.flatMap(({ entry, value, lag }) => {
    const begun = (writes.get(value) ?? []).filter((write) => write.entry.invoked < (entry.returned ?? Infinity));
    if (begun.some(({ overwritten }) => overwritten + lag >= entry.invoked)) return [];
    const last = begun.toSorted((a, b) => a.overwritten - b.overwritten).at(-1);
    return last === undefined
      ? [`${describe(entry)} shows what nobody had given by then`]
      : [
          `${describe(entry)} shows what was over ${Math.round(entry.invoked - last.overwritten)} ms before it was sent`,
        ];
  });
}
