/** Differences that a replay tells, and the page of them that is asked for. Pure. */
import type { Resource, Access } from "../../rights/rules/rule.ts";
import type { Scope } from "../../rights/scope.ts";
import type { UseSubject } from "../../records/uses/row.ts";
import type { UseColumn } from "../../rights/uses.ts";
import { together, type Use } from "../days.ts";

/** Results that are told, in the order of the list. */
export const CHANGES = ["refused", "allowed", "already-refused"] as const;
export type Change = (typeof CHANGES)[number];

/** Why a pair cannot be asked again. */
export const REASONS = ["subject", "name", "claims"] as const;
export type Reason = (typeof REASONS)[number];

/** The question, as far as the caller may know it: a hidden name is replaced by the rule that allowed it. */
export interface ShownQuestion {
  resource: Resource;
  access: Access;
  segment: string;
  /** Whether the segment is the beginning of names. */
  isPrefix: boolean;
  namespace: string;
  isNamespacePrefix: boolean;
  partition: string;
  isPartitionPrefix: boolean;
}

/** A question, or several with hidden names, that get another answer; plain data. */
export interface ReplayEntry {
  change: Change;
  scope: Scope;
  subject: UseSubject;
  /** Description of a token. */
  name: string;
  question: ShownQuestion;
  /** Number of different questions. */
  questions: number;
  use: Use;
  /** Undefined for refusals on record, which have no column. */
  columns: Record<UseColumn, number> | undefined;
}

/** Adds what another question was used to an entry that shows the same. */
export function addTo(entry: ReplayEntry, use: Use, columns: ReplayEntry["columns"]): void {
  entry.questions += 1;
  entry.use = together(entry.use, use);
  if (entry.columns === undefined || columns === undefined) return;
  for (const column of ["enforced", "own", "others"] as const) entry.columns[column] += columns[column];
}

/** @returns the place of an entry in the order of the list: nothing but what it shows */
export function placeOf({ change, scope, subject, question }: ReplayEntry): string {
  const { resource, access, segment, isPrefix, namespace, isNamespacePrefix, partition, isPartitionPrefix } = question;
  return JSON.stringify([
    CHANGES.indexOf(change),
    scope.namespace,
    keyOfSubject(subject),
    resource,
    segment,
    isPrefix,
    access,
    partition,
    isPartitionPrefix,
    namespace,
    isNamespacePrefix,
  ]);
}

/** @returns a text that is the same for the same subject */
export function keyOfSubject(subject: UseSubject): string {
  switch (subject.kind) {
    case "token":
      return `token ${subject.accessorId}`;
    case "identity":
      return `identity ${JSON.stringify([subject.authMethod, subject.identity])}`;
    case "roles":
      return `roles ${JSON.stringify([subject.authMethod, ...subject.roles])}`;
  }
}

/** Keeps the first entries behind a place, however many there are. */
export class EntryPage {
  readonly #after: string;
  readonly #size: number;
  #kept: { place: string; entry: ReplayEntry }[] = [];

  /** @param after place of the last entry of the page before; empty for the first page */
  constructor(after: string, size: number) {
    this.#after = after;
    this.#size = size;
  }

  add(entry: ReplayEntry): void {
    const place = placeOf(entry);
    if (place <= this.#after) return;
    this.#kept.push({ place, entry });
    if (this.#kept.length > 4 * (this.#size + 1)) this.#cut();
  }

  /** The page, and one more where there is another page. */
  entries(): ReplayEntry[] {
    this.#cut();
    return this.#kept.map(({ entry }) => entry);
  }

  #cut(): void {
    this.#kept.sort((one, other) => (one.place < other.place ? -1 : 1));
    this.#kept = this.#kept.slice(0, this.#size + 1);
  }
}
