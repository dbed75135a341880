/** A row of the ledger as it is stored, and as it is read: digests of its key, and the days as bits. */
import { createHash } from "node:crypto";
import type { Tables } from "../storage/tables/tables.ts";
import { isIn, type Scope } from "../rights/scope.ts";
import type { RuleBlock } from "../rights/rules/rule.ts";
import type { CountedUse } from "../records/uses/subjects.ts";
import { DAYS_KEPT, type UseRow, type UseSubject } from "../records/uses/row.ts";

/** Days of one word. */
const WORD = 32;
/** Words of a row: 128 days take parts of five. */
const WORDS = 5;

/** A row to be added to the stored one. */
export interface RowChange {
  id: string;
  groupId: string;
  use: CountedUse;
  subject: UseSubject;
  name: string | undefined;
  count: number;
  day: number;
}

/** Makes the change for a use. @param subject the use's own, or what it is folded to @param name undefined for its rule alone */
export function changeOf(use: CountedUse, subject: UseSubject, name: string | undefined): RowChange {
  const groupId = digest(keyOfGroup(use, subject));
  const id = name === undefined ? digest([groupId]) : digest([groupId, name]);
  return { id, groupId, use, subject, name, count: use.count, day: use.day };
}

/** Another token of the same AccessorID, and another auth method of the same name, have rows of their own. */
function keyOfGroup(
  { subject, rule, decidedIn, resource, access, column, askedBy }: CountedUse,
  as: UseSubject,
): unknown[] {
  const { scope, createIndex, methodId } = subject;
  const { policyId, prefix, segment, permission, block } = rule;
  return [
    [scope.partition, scope.namespace],
    [as, as.kind === "token" ? createIndex : methodId],
    [policyId, rule.resource, prefix, segment, permission, block],
    [decidedIn.partition, decidedIn.namespace, resource, access, column, askedBy],
  ];
}

function digest(key: unknown[]): string {
  return createHash("sha256").update(JSON.stringify(key)).digest("base64url");
}

/** Changes of one row become one. Those of another day are another. */
export function mergeChanges(changes: Iterable<RowChange>): RowChange[] {
  const merged = new Map<string, RowChange>();
  for (const change of changes) {
    const key = `${change.id} ${change.day}`;
    const before = merged.get(key);
    merged.set(key, before === undefined ? change : { ...before, count: before.count + change.count });
  }
  return [...merged.values()].toSorted((one, other) => compare(one.id, other.id) || one.day - other.day);
}

function compare(one: string, other: string): number {
  return Number(one > other) - Number(one < other);
}

/** Values of the statement that adds a change. */
export function valuesOf({ id, groupId, use, subject, name, count, day }: RowChange) {
  const { scope, createIndex, methodId } = use.subject;
  const { policyId, prefix, segment, permission, block } = use.rule;
  const words = Array.from({ length: WORDS }, (_, index) =>
    index === Math.floor(day / WORD) % WORDS ? 2 ** (day % WORD) : 0,
  );
  return {
    id,
    groupId,
    partition: scope.partition,
    namespace: scope.namespace,
    place: `${scope.partition}/${scope.namespace}`,
    accessorId: subject.kind === "token" ? subject.accessorId : "",
    createIndex: createIndex ?? 0,
    methodId: subject.kind === "token" ? "" : (methodId ?? ""),
    subject: JSON.stringify(subject),
    policyId,
    ruleResource: use.rule.resource,
    rulePrefix: prefix ? 1 : 0,
    ruleSegment: segment,
    rulePermission: permission,
    ruleBlock: block === undefined ? "" : JSON.stringify(block),
    decidedPartition: use.decidedIn.partition,
    decidedNamespace: use.decidedIn.namespace,
    resource: use.resource,
    access: use.access,
    source: use.column,
    askedBy: use.askedBy,
    name: name ?? null,
    total: count,
    day,
    word: Math.floor(day / WORD),
    days0: words[0] ?? 0,
    days1: words[1] ?? 0,
    days2: words[2] ?? 0,
    days3: words[3] ?? 0,
    days4: words[4] ?? 0,
  };
}

type StoredUse = Tables["use_rows"];

/** Days on which a row was used: bit n for n days before the last one. */
export function daysOf(
  row: Pick<StoredUse, "last_day" | "days_0" | "days_1" | "days_2" | "days_3" | "days_4">,
): bigint {
  const last = row.last_day;
  const lastWord = Math.floor(last / WORD);
  let days = 0n;
  for (const [index, bits] of [row.days_0, row.days_1, row.days_2, row.days_3, row.days_4].entries()) {
    const word = lastWord - ((lastWord - index + WORDS) % WORDS);
    // Only the days of use: most rows have few, and a replay reads a hundred thousand rows.
    for (let left = bits; left > 0;) {
      const bit = 31 - Math.clz32(left);
      left -= 2 ** bit;
      const before = last - (word * WORD + bit);
      if (before >= 0 && before < DAYS_KEPT) days |= 1n << BigInt(before);
    }
  }
  return days;
}

/**
 * Columns that a row is read from. Readers know the scope, and need neither digests nor IDs that its subject has too: a replay reads a
 * hundred thousand rows.
 */
export const READ_COLUMNS = [
  "id",
  "subject",
  "policy_id",
  "rule_resource",
  "rule_prefix",
  "rule_segment",
  "rule_permission",
  "rule_block",
  "decided_partition",
  "decided_namespace",
  "resource",
  "access",
  "source",
  "asked_by",
  "name",
  "total",
  "first_day",
  "last_day",
  "days_0",
  "days_1",
  "days_2",
  "days_3",
  "days_4",
] as const satisfies readonly (keyof StoredUse)[];

/** Reads a stored row of a scope. */
export function useRowOf(row: Pick<StoredUse, (typeof READ_COLUMNS)[number]>, scope: Scope): UseRow {
  const decided = { partition: row.decided_partition, namespace: row.decided_namespace };
  return {
    scope,
    subject: JSON.parse(row.subject) as UseSubject,
    rule: {
      policyId: row.policy_id,
      resource: row.rule_resource as UseRow["rule"]["resource"],
      prefix: row.rule_prefix === 1,
      segment: row.rule_segment,
      permission: row.rule_permission as UseRow["rule"]["permission"],
      ...(row.rule_block !== "" && { block: JSON.parse(row.rule_block) as RuleBlock }),
    },
    decidedIn: isIn(decided, scope) ? scope : decided,
    resource: row.resource as UseRow["resource"],
    name: row.name ?? undefined,
    access: row.access as UseRow["access"],
    column: row.source as UseRow["column"],
    askedBy: row.asked_by,
    total: row.total,
    firstDay: row.first_day,
    lastDay: row.last_day,
    days: daysOf(row),
  };
}
