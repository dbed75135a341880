/**
 * The merged rules of a set of policies as a table: for each place and each kind of things the names that rules are about,
 * with what is decided about them. Names between two rows are decided by the closest row around them, so that the table
 * answers every question that `decide` answers. Pure: cells come from `decide` itself.
 */
import { MATRIX_RESOURCES } from "../../../packages/model/rule-kinds.ts";
import { DEFAULT_SCOPE, homeOf, isRootScope, type Scope } from "../scope.ts";
import { actingPlaces, type Named, PARTITION_ONLY, ROOT_ONLY } from "./acting-rules.ts";
import type { Decision } from "./authorizer.ts";
import { decide, type DecidingRights } from "./decide.ts";
import {
  candidatesOf,
  compareNamed,
  contains,
  isScalar,
  nearestFirst,
  sampleOf,
  sourceOf,
  UNNAMED,
  type MatrixName,
  type MatrixSource,
} from "./matrix-names.ts";
import { NO_FACTS } from "./question.ts";
import { ACCESSES, type Access, type PolicyRules, type Resource } from "./rule.ts";
import type { Steps } from "./scanner.ts";

/** A place: partitions and namespaces, each by its name, or by the beginning of names that no closer place is about. */
export interface MatrixPlace {
  partition: Named;
  namespace: Named;
}

export interface MatrixRow extends MatrixPlace {
  resource: Resource;
  segment: string;
  /** Whether it is about all names that begin with the segment and that no closer row is about. */
  prefix: boolean;
  /** Decisions about each subject, in the order of `accessesOf` the resource. */
  cells: readonly (readonly Decision[])[];
}

/** A subject with its rules. */
export interface MatrixSubject {
  rights: DecidingRights;
  /** All policies of the rights, those of defaults too. */
  policies: readonly PolicyRules[];
}

export interface MatrixOptions {
  /** Kinds of things; all unless it is set. */
  resources?: readonly Resource[];
  /** Whether the names that a policy contains may be shown. Default: all. Rows of other policies are left out. */
  isShown?: (policy: PolicyRules) => boolean;
  /** Whether names are shown that a subject has any access to, whatever policy contains them. */
  showsAllowed?: boolean;
  /** Most names that are looked at, over all places. */
  most?: number;
}

/** Accesses that cells are about. What may be done to all keys below a prefix follows from the rows below it. */
export function accessesOf(resource: Resource): Access[] {
  return (ACCESSES.get(resource) ?? []).filter((access) => access !== "write-prefix");
}

/**
 * Makes the table of one subject, or of several side by side, as work that can pause. Names are in the order of a tree: what
 * contains others comes before them.
 *
 * @returns undefined when there are more names than `most`
 */
export function* matrixOf(
  subjects: readonly MatrixSubject[],
  { resources = MATRIX_RESOURCES, isShown = () => true, showsAllowed = false, most = Infinity }: MatrixOptions = {},
): Steps<MatrixRow[] | undefined> {
  const sources: MatrixSource[] = [];
  for (const policy of new Set(subjects.flatMap(({ policies }) => policies))) {
    for (const place of actingPlaces(policy, true)) sources.push(sourceOf(place, isShown(policy)));
    yield;
  }
  const rows: MatrixRow[] = [];
  let left = most;
  for (const partition of placesOf(sources, "partition", showsAllowed)) {
    const here = sources.filter((source) => contains(source.partition, partition));
    const namespaces = placesOf(here, "namespace", showsAllowed);
    for (const resource of resources) {
      const tables = new Map<Named, MatrixRow[]>();
      for (const namespace of namespaces.filter((each) => isAskedIn({ partition, namespace: each }, resource))) {
        const isNamed = partition.isNamed && namespace.isNamed;
        const candidates = yield* candidatesOf(here, namespace, resource, isNamed);
        left -= candidates.length;
        if (left < 0) return undefined;
        const place = { partition: named(partition), namespace: named(namespace) };
        const table = yield* rowsOf(subjects, place, resource, candidates, showsAllowed);
        tables.set(namespace, table);
        const around = nearestFirst(namespaces, namespace)[1];
        // A namespace without rules of its own about this is like those around it.
        if (around !== undefined && isSameTable(table, tables.get(around))) continue;
        rows.push(...table);
      }
    }
  }
  yield;
  return rows.sort(compareRows);
}

/** Members that identify a row. */
export type RowKey = Pick<MatrixRow, "partition" | "namespace" | "resource" | "segment" | "prefix">;

/** The order of rows: by places, of which `default` is the first, then by kinds of things, then by names. */
function compareRows(one: RowKey, other: RowKey): number {
  return (
    comparePlaces(one.partition, other.partition) ||
    comparePlaces(one.namespace, other.namespace) ||
    MATRIX_RESOURCES.indexOf(one.resource) - MATRIX_RESOURCES.indexOf(other.resource) ||
    compareNamed({ name: one.segment, prefix: one.prefix }, { name: other.segment, prefix: other.prefix })
  );
}

function comparePlaces(one: Named, other: Named): number {
  return Number(isDefault(other)) - Number(isDefault(one)) || compareNamed(one, other);
}

function isDefault({ name, prefix }: Named): boolean {
  return !prefix && name === DEFAULT_SCOPE.namespace;
}

/** Whether questions about a kind of things are decided in a place of their own there. */
function isAskedIn({ partition, namespace }: MatrixPlace, resource: Resource): boolean {
  const isHome = isDefault(namespace);
  if (ROOT_ONLY.has(resource) || resource === "partition") return isHome && isDefault(partition);
  return isHome || !(PARTITION_ONLY.has(resource) || resource === "namespace");
}

const EVERY: Named = { name: "", prefix: true };
const DEFAULT: Named = { name: DEFAULT_SCOPE.namespace, prefix: false };

/** Partitions, or namespaces, that rules are about, and all others. Those of hidden rules alone are left out. */
function placesOf(sources: readonly MatrixSource[], kind: keyof MatrixPlace, showsHidden: boolean): MatrixName[] {
  const found = new Map<string, MatrixName>();
  const add = ({ name, prefix }: Named, isNamed: boolean): void => {
    if (!isNamed && !showsHidden) return;
    const key = prefix ? name : name + UNNAMED;
    const before = found.get(key);
    if (before === undefined) found.set(key, { name, prefix, isNamed });
    else before.isNamed ||= isNamed;
  };
  for (const place of [EVERY, DEFAULT]) add(place, true);
  for (const source of sources) add(source[kind], source.isNamed);
  return [...found.values()].sort(compareNamed);
}

function named({ name, prefix }: Named): Named {
  return { name, prefix };
}

/** A scope that stands for all of a place. */
function scopeIn({ partition, namespace }: MatrixPlace): Scope {
  const scope = { partition: exampleOf(partition), namespace: exampleOf(namespace) };
  return isRootScope(scope) ? DEFAULT_SCOPE : scope;
}

function exampleOf({ name, prefix }: Named): string {
  return prefix ? name + UNNAMED : name;
}

/** Names between two pauses. */
const BETWEEN = 64;

function* rowsOf(
  subjects: readonly MatrixSubject[],
  place: MatrixPlace,
  resource: Resource,
  candidates: readonly MatrixName[],
  showsAllowed: boolean,
): Steps<MatrixRow[]> {
  const scope = scopeIn(place);
  const accesses = accessesOf(resource);
  const rows: MatrixRow[] = [];
  const around: { name: string; cells: MatrixRow["cells"] }[] = [];
  for (const [index, { name, prefix, isNamed }] of candidates.entries()) {
    if (index % BETWEEN === BETWEEN - 1) yield;
    while (around.length > 0 && !name.startsWith(around.at(-1)?.name ?? "")) around.pop();
    const segment = sampleOf(resource, { name, prefix });
    const cells = subjects.map(({ rights }) =>
      accesses.map((access) => decide(rights, { resource, segment, access, scope }, NO_FACTS)),
    );
    const isRead = isNamed || (showsAllowed && cells.flat().some(({ allow }) => allow));
    if (!isRead || isSame(cells, around.at(-1)?.cells ?? NO_CELLS)) continue;
    rows.push({ ...place, resource, segment: name, prefix, cells });
    if (prefix) around.push({ name, cells });
  }
  return rows;
}

/** Stands for names that no rule is about. */
const NO_CELLS: MatrixRow["cells"] = [];

function isSame(one: MatrixRow["cells"], other: MatrixRow["cells"]): boolean {
  return one.every((decisions, subject) =>
    decisions.every(({ allow, grant }, index) => {
      const around = other[subject]?.[index];
      return grant === around?.grant && (around === undefined || allow === around.allow);
    }),
  );
}

function isSameTable(one: readonly MatrixRow[], other: readonly MatrixRow[] | undefined): boolean {
  if (one.length !== other?.length) return false;
  return one.every((row, index) => {
    const second = other[index];
    return second?.segment === row.segment && second.prefix === row.prefix && isSame(row.cells, second.cells);
  });
}

/**
 * Finds the row that decides about a name: of the closest place that has rows of its kind the exact one, else that of the
 * longest beginning. Undefined where the default policy of the server decides.
 *
 * @param scope where the thing lies, as for `decide`
 * @param segment in the spelling of `lookupSpelling`
 */
export function rowAbout(
  rows: readonly MatrixRow[],
  resource: Resource,
  segment: string,
  scope: Scope,
): MatrixRow | undefined {
  const where = placeOf(resource, scope);
  const about = rows.filter((row) => row.resource === resource && isIn(row, where));
  const closest = about.toSorted(closestPlace)[0];
  if (closest === undefined) return undefined;
  const inPlace = about.filter((row) => closestPlace(row, closest) === 0);
  return nearestFirst(
    inPlace.map((row) => ({ name: row.segment, prefix: row.prefix, row })),
    { name: isScalar(resource) ? "" : segment, prefix: false },
  )[0]?.row;
}

function placeOf(resource: Resource, scope: Scope): Scope {
  if (ROOT_ONLY.has(resource) || resource === "partition") return DEFAULT_SCOPE;
  return PARTITION_ONLY.has(resource) || resource === "namespace" ? homeOf(scope.partition) : scope;
}

function isIn({ partition, namespace }: MatrixPlace, scope: Scope): boolean {
  return (
    contains(partition, { name: scope.partition, prefix: false }) &&
    contains(namespace, { name: scope.namespace, prefix: false })
  );
}

function closestPlace(one: MatrixPlace, other: MatrixPlace): number {
  return closeness(one.partition, other.partition) || closeness(one.namespace, other.namespace);
}

function closeness(one: Named, other: Named): number {
  return Number(one.prefix) - Number(other.prefix) || other.name.length - one.name.length;
}
