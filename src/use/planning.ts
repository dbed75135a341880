/** Which rows a batch of uses becomes: where the database has as many names, identities or rows as it may, uses are folded. */
import type { Transaction } from "../storage/database.ts";
import { runInSlices } from "../storage/purge/slices.ts";
import type { CountedUse } from "../records/uses/subjects.ts";
import {
  IDENTITIES_OF_METHOD,
  NAMES_OF_GROUP,
  POINTS_OF_SCOPE,
  ROWS_OF_SCOPE,
  type UseSubject,
} from "../records/uses/row.ts";
import { changeOf, mergeChanges, type RowChange } from "./stored.ts";
import { countNames, countRows, findKnown, listPoints, listSubjects } from "./store.ts";

/** Rows of a scope from which on names are folded, and no further rows are made. The rest is room for flushes of other servers. */
const FOLD_ROWS = ROWS_OF_SCOPE * 0.8;
const LAST_ROWS = ROWS_OF_SCOPE * 0.95;

/** Changes that write a batch. */
export interface Plan {
  /** In the order of their keys. */
  changes: readonly RowChange[];
  folded: number;
  dropped: number;
  /** Places (`partition/namespace`) of which uses were left out. */
  gaps: ReadonlySet<string>;
}

/** Limits of rows, identities and decision points; tests set lower ones. */
export interface RowLimits {
  fold: number;
  last: number;
  identities: number;
  points: number;
}

export const ROW_LIMITS: RowLimits = {
  fold: FOLD_ROWS,
  last: LAST_ROWS,
  identities: IDENTITIES_OF_METHOD,
  points: POINTS_OF_SCOPE,
};

/**
 * Numbers of stored rows and identities, as of some seconds ago: to count them in each transaction would hold others up. They
 * are too low by what other servers added meanwhile; the limits leave room for that.
 */
export class KnownNumbers {
  readonly rows = new Map<string, number>();
  readonly identities = new Map<string, Set<string>>();
  /** Decision points, by scope. */
  readonly points = new Map<string, Set<string>>();
  #until = -Infinity;

  /** Forgets numbers that are too old. @param now milliseconds since the epoch */
  refresh(now: number): void {
    const size = this.rows.size + this.identities.size + this.points.size;
    if (now < this.#until && size < MOST_KNOWN) return;
    this.#until = now + KNOWN_MS;
    this.rows.clear();
    this.identities.clear();
    this.points.clear();
  }
}

const KNOWN_MS = 60_000;
const MOST_KNOWN = 1000;

/** Plans the rows of a batch in a transaction. It only reads, so that it can run again. */
export async function planRows(
  tx: Transaction,
  counted: readonly CountedUse[],
  numbers: KnownNumbers,
  limits: RowLimits = ROW_LIMITS,
): Promise<Plan> {
  const batch = await choosePoints(tx, counted, numbers, limits.points);
  const subjects = await chooseSubjects(tx, batch, numbers, limits.identities);
  const asked = batch.map((use, index) => changeOf(use, subjects[index] ?? use.subject.as, use.name));
  const known = await knownOf(tx, asked);
  const [names, rows] = await Promise.all([namesOf(tx, asked, known), rowsOf(tx, asked, known, numbers)]);
  let folded = 0;
  const chosen = asked.map((change) => {
    if (known.has(change.id) || change.name === undefined) return change;
    const count = names.get(change.groupId) ?? 0;
    const isFull = count >= NAMES_OF_GROUP || (rows.get(placeOf(change)) ?? 0) >= limits.fold;
    if (!isFull) {
      // One name on several days, or by several uses, is one row.
      known.add(change.id);
      names.set(change.groupId, count + 1);
      return change;
    }
    folded += change.count;
    return changeOf(change.use, change.subject, undefined);
  });
  return { ...(await withinScopes(tx, mergeChanges(chosen), rows, limits.last)), folded };
}

function placeOf({ use }: Pick<RowChange, "use">): string {
  return `${use.subject.scope.partition}/${use.subject.scope.namespace}`;
}

async function knownOf(tx: Transaction, changes: readonly RowChange[]): Promise<Set<string>> {
  const ids = [...new Set(changes.map(({ id }) => id))];
  return new Set((await runInSlices(tx, findKnown, ids, (slice) => ({ ids: slice }))).map(({ id }) => id));
}

async function namesOf(tx: Transaction, changes: readonly RowChange[], known: ReadonlySet<string>) {
  const added = changes.filter(({ id, name }) => name !== undefined && !known.has(id));
  const groups = [...new Set(added.map(({ groupId }) => groupId))];
  const counts = await runInSlices(tx, countNames, groups, (slice) => ({ groups: slice }));
  return new Map(counts.map(({ group_id, count }) => [group_id, count]));
}

/** Numbers of rows of the scopes in which rows are added. */
async function rowsOf(
  tx: Transaction,
  changes: readonly RowChange[],
  known: ReadonlySet<string>,
  { rows }: KnownNumbers,
): Promise<ReadonlyMap<string, number>> {
  const places = new Map(
    changes.filter(({ id }) => !known.has(id)).map((change) => [placeOf(change), change.use.subject.scope]),
  );
  for (const [place, { partition, namespace }] of places) {
    if (rows.has(place)) continue;
    const [row] = await tx.run(countRows, { partition, namespace });
    rows.set(place, row?.count ?? 0);
  }
  return rows;
}

/** Notes rows that a committed plan may have added. */
export function notePlanned({ changes }: Plan, { rows }: KnownNumbers): void {
  for (const change of changes) {
    const count = rows.get(placeOf(change));
    if (count !== undefined) rows.set(placeOf(change), count + 1);
  }
}

/** Leaves out rows that a scope has no room for. */
async function withinScopes(
  tx: Transaction,
  changes: readonly RowChange[],
  rows: ReadonlyMap<string, number>,
  last: number,
): Promise<Omit<Plan, "folded">> {
  const full = changes.filter((change) => (rows.get(placeOf(change)) ?? 0) >= last);
  if (full.length === 0) return { changes, dropped: 0, gaps: new Set() };
  const known = await knownOf(tx, full);
  const left = full.filter(({ id }) => !known.has(id));
  const without = new Set(left);
  return {
    changes: changes.filter((change) => !without.has(change)),
    dropped: left.reduce((sum, { count }) => sum + count, 0),
    gaps: new Set(left.map(placeOf)),
  };
}

/** Chooses the subject of each use: the identity, or its roles where the method has too many identities. */
async function chooseSubjects(
  tx: Transaction,
  batch: readonly CountedUse[],
  { identities: known }: KnownNumbers,
  most: number,
): Promise<readonly UseSubject[]> {
  const methods = [...new Set(batch.flatMap(({ subject }) => (subject.folded && subject.methodId) ?? []))];
  for (const methodId of methods) {
    if (known.has(methodId)) continue;
    const rows = await tx.run(listSubjects, { methodId, limit: most + batch.length });
    // Folded ones are no identities.
    known.set(methodId, new Set(rows.map(({ subject }) => subject).filter((each) => isIdentity(each))));
  }
  return batch.map(({ subject: { as, folded, methodId = "" } }) => {
    const identities = known.get(methodId);
    if (folded === undefined || identities === undefined) return as;
    const key = JSON.stringify(as);
    if (!identities.has(key) && identities.size >= most) return folded;
    identities.add(key);
    return as;
  });
}

/** Folds the decision points of a scope that has too many: whoever may ask could have as many as it makes tokens. */
async function choosePoints(
  tx: Transaction,
  batch: readonly CountedUse[],
  { points: known }: KnownNumbers,
  most: number,
): Promise<readonly CountedUse[]> {
  const asked = batch.filter(({ askedBy }) => askedBy !== "");
  for (const use of asked) {
    const { partition, namespace } = use.subject.scope;
    if (known.has(placeOf({ use }))) continue;
    const rows = await tx.run(listPoints, { partition, namespace, limit: most });
    known.set(placeOf({ use }), new Set(rows.map(({ asked_by }) => asked_by)));
  }
  return batch.map((use) => {
    const points = known.get(placeOf({ use }));
    if (use.askedBy === "" || points === undefined) return use;
    if (!points.has(use.askedBy) && points.size >= most) return { ...use, askedBy: "", from: undefined };
    points.add(use.askedBy);
    return use;
  });
}

function isIdentity(subject: string): boolean {
  return (JSON.parse(subject) as UseSubject).kind === "identity";
}
