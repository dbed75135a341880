/** The names that rows of a table of rules are about (`matrix.ts`): all that decide otherwise than what is around them. */
import { lookupSpelling } from "./layer.ts";
import { SCALARS, type Resource, type ResourceRule, type RuleResource } from "./rule.ts";
import type { ActingPlace, Named } from "./acting-rules.ts";
import type { Steps } from "./scanner.ts";

/** Rules of one policy that act in one place, by their kinds. */
export interface MatrixSource extends Omit<ActingPlace, "rules"> {
  rules: ReadonlyMap<RuleResource, readonly ResourceRule[]>;
  /** Whether the names in them may be shown. */
  isNamed: boolean;
}

/** A name that is looked at. */
export interface MatrixName extends Named {
  isNamed: boolean;
}

/** No rule contains it, so no rule is about a name with it but those for all names that begin so. */
export const UNNAMED = "\0";

/** @param isNamed whether the names in the rules may be shown */
export function sourceOf({ rules, ...place }: ActingPlace, isNamed: boolean): MatrixSource {
  return { ...place, rules: Map.groupBy(rules, ({ resource }) => resource), isNamed };
}

/** Rules between two pauses. */
const BETWEEN = 256;

/**
 * Returns the names of a kind of things on which rules of a place decide, in the order of a tree. All names come first, as one.
 *
 * @param sources rules that act in the partition
 * @param isNamed whether the place may be shown
 */
export function* candidatesOf(
  sources: readonly MatrixSource[],
  namespace: Named,
  resource: Resource,
  isNamed: boolean,
): Steps<MatrixName[]> {
  if (isScalar(resource)) return [{ name: "", prefix: false, isNamed }];
  const found = new Map<string, MatrixName>([["", { name: "", prefix: true, isNamed }]]);
  const add = ({ name, prefix }: Named, isShown: boolean): void => {
    const key = prefix ? name : name + UNNAMED;
    const before = found.get(key);
    if (before === undefined) found.set(key, { name, prefix, isNamed: isShown && isNamed });
    else before.isNamed ||= isShown && isNamed;
  };
  let looked = 0;
  for (const source of sources) {
    // A namespace is seen where anything in it may be read.
    if (resource === "namespace") add(source.namespace, source.isNamed);
    if (!contains(source.namespace, namespace)) continue;
    for (const kind of KINDS[resource] ?? [resource as RuleResource]) {
      for (const rule of source.rules.get(kind) ?? []) {
        if (looked++ % BETWEEN === BETWEEN - 1) yield;
        add(nameOf(rule, resource), source.isNamed);
      }
    }
  }
  // Whether any intention may be read, or all written, is a question too.
  if (resource === "intention" && found.size > 1) add({ name: "*", prefix: false }, true);
  yield;
  return [...found.values()].sort(compareNamed);
}

/** Kinds of rules that decide about other kinds of things. */
const KINDS: Partial<Record<Resource, readonly RuleResource[]>> = {
  intention: ["service"],
  workspace: ["workspace", "organization"],
};

/** Whether things of a kind have no names. */
export function isScalar(resource: Resource): boolean {
  return (SCALARS as readonly string[]).includes(resource);
}

/** Returns the names of a kind of things that a rule is about. A workspace without a rule of its own follows its organization. */
function nameOf(rule: ResourceRule, resource: Resource): Named {
  const name = lookupSpelling(rule.resource, rule.segment);
  if (resource === "workspace" && rule.resource === "organization" && !rule.prefix)
    return { name: `${name}/`, prefix: true };
  return { name, prefix: rule.prefix };
}

/** Whether all names of the second are of the first. */
export function contains(outer: Named, inner: Named): boolean {
  return outer.prefix ? inner.name.startsWith(outer.name) : !inner.prefix && inner.name === outer.name;
}

/** Order of a tree: what contains others comes before them. */
export function compareNamed(one: Named, other: Named): number {
  if (one.name !== other.name) return one.name < other.name ? -1 : 1;
  return Number(other.prefix) - Number(one.prefix);
}

/** A name that stands for all that a row is about. */
export function sampleOf(resource: Resource, { name, prefix }: Named): string {
  if (!prefix) return name;
  // A workspace is named with its organization in front.
  return resource === "workspace" && !name.includes("/") ? `${name}${UNNAMED}/${UNNAMED}` : name + UNNAMED;
}

/** Returns the names around a name or beginning, itself included: the exact one first, then the longest. */
export function nearestFirst<T extends Named>(all: readonly T[], inner: Named): T[] {
  return all
    .filter((each) => contains(each, inner))
    .toSorted((one, other) => Number(one.prefix) - Number(other.prefix) || other.name.length - one.name.length);
}
