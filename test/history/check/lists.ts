/** Lists show what there is. */
import { countUpTo, describe, endOf, groupBy, limited, some, type Of } from "./entries.ts";
import { groupEach, poolsOf, type Made, type Pool } from "./pools.ts";

type Shown = Of<"list" | "watch">;

/**
 * A list in the default mode, or a watch that is answered, shows each object that was there for certain from before it
 * was asked until after it was answered, and no name of which every object was gone before it was asked or not yet asked
 * for when it was answered. It shows what was made or deleted together wholly or not at all; that is looked at where
 * names have only one create and at most one delete, since only then it is clear of which objects a list speaks.
 */
export const lists = limited((history) =>
  poolsOf(history).flatMap((pool) => [...missing(pool), ...impossible(pool), ...halves(pool)]),
);

/** Objects that a list should have shown. Lists come in the order of asking, so objects enter and leave only once. */
function missing({ name: pool, made, shown }: Pool): string[] {
  const findings: string[] = [];
  const coming = [...made.values()].toSorted((a, b) => b.from - a.from);
  const there = new Set<Made>();
  for (const entry of shown) {
    for (let next = coming.at(-1); next !== undefined && next.from < entry.invoked; next = coming.at(-1)) {
      there.add(next);
      coming.pop();
    }
    for (const object of there) {
      if (object.until <= entry.invoked) there.delete(object);
      else if (object.until > endOf(entry) && !Object.hasOwn(entry.operation.found ?? {}, object.name))
        findings.push(`${describe(entry)} does not show ${object.name} (${object.id}) of ${describe(object.create)}`);
    }
    if (findings.length > 100) break;
  }
  return findings.map((text) => `${pool}: ${text}`);
}

/** When there may have been an object of a name. */
interface Span {
  readonly begins: number;
  /** Latest end of this object and of any that began before it. */
  readonly ends: number;
}

/** Names that a list cannot have shown. */
function impossible(pool: Pool): string[] {
  const spans = spansByName(pool);
  return pool.shown.flatMap((entry) =>
    Object.keys(entry.operation.found ?? {})
      .filter((name) => pool.named.has(name) && !mayBeThere(spans.get(name) ?? [], entry))
      .map((name) => `${describe(entry)} shows ${name}, which cannot have been there then`),
  );
}

function spansByName({ made, creates }: Pool): Map<string, Span[]> {
  const unknown = creates.filter(({ outcome }) => outcome === "unknown");
  const all = [
    ...[...made.values()].map(({ name, begins, ends }) => ({ name, begins, ends })),
    ...unknown.flatMap((entry) =>
      entry.operation.names.map((name) => ({ name, begins: entry.invoked, ends: Infinity })),
    ),
  ].toSorted((a, b) => a.begins - b.begins);
  const spans = new Map<string, Span[]>();
  for (const [name, ofName] of groupBy(all, (span) => span.name)) {
    let latest = -Infinity;
    spans.set(
      name,
      ofName.map(({ begins, ends }) => ({ begins, ends: (latest = Math.max(latest, ends)) })),
    );
  }
  return spans;
}

/** Looks at the last object that began before the list was answered: its span tells of all before it. */
function mayBeThere(spans: readonly Span[], entry: Shown): boolean {
  const begun = countUpTo(endOf(entry), spans, ({ begins }) => begins);
  return (spans[begun - 1]?.ends ?? -Infinity) >= entry.invoked;
}

/** Bulk requests of which a list shows a part. */
function halves(pool: Pool): string[] {
  const creates = groupEach(pool.creates, (entry) => entry.operation.names);
  const deletes = groupEach(pool.deletes, (entry) => entry.operation.names);
  const isSimple = (name: string): boolean => creates.get(name)?.length === 1 && (deletes.get(name)?.length ?? 0) <= 1;
  // A create must be shown whole until the first delete of one of its names begins, a delete once all that it removes
  // was made.
  const wholes = [
    ...pool.creates.map((entry) => {
      const until = entry.operation.names.map((name) => deletes.get(name)?.[0]?.invoked ?? Infinity);
      return { entry, from: -Infinity, until: Math.min(...until) };
    }),
    ...pool.deletes.map((entry) => {
      const from = entry.operation.names.map((name) => endOf(creates.get(name)?.[0] ?? entry));
      return { entry, from: Math.max(...from), until: Infinity };
    }),
  ].filter(({ entry }) => entry.operation.names.length > 1 && entry.operation.names.every(isSimple));
  const byName = groupEach(wholes, ({ entry }) => entry.operation.names);
  return pool.shown.flatMap((list) => {
    const found = list.operation.found ?? {};
    const touched = new Set(Object.keys(found).flatMap((name) => byName.get(name) ?? []));
    return [...touched].flatMap(({ entry, from, until }) => {
      if (list.invoked <= from || endOf(list) >= until) return [];
      const left = entry.operation.names.filter((name) => !Object.hasOwn(found, name));
      return left.length === 0 ? [] : [`${describe(list)} shows ${describe(entry)} in part, without ${some(left)}`];
    });
  });
}
