/** How much an auth method can give to one identity: told before a login is refused for it. */
import type { BindType } from "./binding.ts";
import type { Need } from "./binding-rule-index.ts";

/** Rules with the same selector: what an identity must have for it, and what each of them gives. */
export interface Together {
  readonly need: Need | undefined;
  /** Things that are given, each once, by their types. */
  readonly given: readonly { readonly bindType: BindType }[];
}

/** The most that one identity may be given of each type. */
export type MostGiven = ReadonlyMap<BindType, number>;

type Given = Together["given"][number];
type Counts = Map<BindType, Set<Given>>;

/**
 * The most that one identity may be given of each type, at a rough guess upward: of selectors that ask one field for different
 * values only one can match, and all others are taken to match together. Work that can pause.
 */
export function* mostTogether(groups: Iterable<Together>): Generator<void, MostGiven> {
  const always: Counts = new Map();
  const fields = new Map<string, Map<string, Counts>>();
  for (const { need, given } of groups) {
    yield;
    const field = fieldOf(need);
    add(field === undefined ? always : countsAt(fields, field), given);
  }
  const most = sizes(always);
  for (const values of fields.values()) {
    const ofField = new Map<BindType, number>();
    for (const counts of values.values()) {
      yield;
      for (const [type, size] of sizes(counts)) ofField.set(type, Math.max(ofField.get(type) ?? 0, size));
    }
    for (const [type, size] of ofField) most.set(type, (most.get(type) ?? 0) + size);
  }
  return most;
}

/** A field that has to be one text, so that it cannot be another one. */
function fieldOf(need: Need | undefined): { path: string; value: string } | undefined {
  if (need?.kind === "is") return { path: need.path.join("\0"), value: need.value };
  if (need?.kind !== "all") return undefined;
  for (const part of need.of) {
    const field = fieldOf(part);
    if (field !== undefined) return field;
  }
  return undefined;
}

function countsAt(fields: Map<string, Map<string, Counts>>, { path, value }: { path: string; value: string }): Counts {
  const values = fields.get(path) ?? new Map<string, Counts>();
  fields.set(path, values);
  const counts: Counts = values.get(value) ?? new Map();
  values.set(value, counts);
  return counts;
}

function add(counts: Counts, given: readonly Given[]): void {
  for (const each of given) {
    const ofType = counts.get(each.bindType) ?? new Set();
    counts.set(each.bindType, ofType);
    ofType.add(each);
  }
}

function sizes(counts: Counts): Map<BindType, number> {
  return new Map([...counts].map(([type, { size }]) => [type, size]));
}
