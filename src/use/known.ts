/**
 * Rows that this server has written today. Another use on the same day raises their total and changes nothing else, so the next
 * flush adds to them by their IDs: without digests, plans, conditions or values of their other columns.
 */
import type { CountedUse } from "../records/uses/memory.ts";
import type { RowChange } from "./stored.ts";

/** Memory of the known rows, in bytes; above it all are forgotten, and learned again by what is written next. */
export const KNOWN_BYTES = 8 * 1024 * 1024;
/** A row without the text of its key, as measured: its ID and its place in the map. */
const ROW_BYTES = 200;

/** A row that takes a number. */
export interface KnownRow {
  readonly id: string;
  /** Rows that were made after each other lie on the same pages: an embedded database writes them in this order. */
  readonly place: number;
}

export class KnownRows {
  readonly #maxBytes: number;
  readonly #rows = new Map<string, KnownRow>();
  #day: number | undefined;
  #bytes = 0;
  #noted = 0;

  constructor(maxBytes = KNOWN_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** Returns the row that holds this use's day already; undefined where it is not known. */
  find(use: CountedUse): KnownRow | undefined {
    return use.day === this.#day ? this.#rows.get(keyOf(use)) : undefined;
  }

  /** Notes rows of a committed batch. Those whose use was folded are chosen anew each time: the numbers that led to it change. */
  note(changes: readonly RowChange[]): void {
    for (const { id, use, subject, name, day } of changes) {
      if (name !== use.name || subject !== use.subject.as) continue;
      // A clock that was set back comes to a day that a row may not hold.
      if (day !== this.#day) this.#forget(day);
      const key = keyOf(use);
      if (this.#rows.has(key)) continue;
      const bytes = ROW_BYTES + key.length;
      if (this.#bytes + bytes > this.#maxBytes) this.#forget(day);
      this.#bytes += bytes;
      this.#rows.set(key, { id, place: this.#noted++ });
    }
  }

  #forget(day: number): void {
    this.#rows.clear();
    this.#bytes = 0;
    this.#day = day;
  }
}

/** Returns a text that only uses of one row have. Texts of callers, which may hold any character, are last or behind their length. */
function keyOf({ subject, rule, decidedIn, resource, access, column, askedBy, name }: CountedUse): string {
  const { scope, as, createIndex, methodId } = subject;
  const { policyId, prefix, segment, permission, block } = rule;
  const who = as.kind === "token" ? `${as.accessorId} ${createIndex}` : `${methodId} ${sized(JSON.stringify(as))}`;
  const of = `${scope.partition} ${scope.namespace} ${who} ${policyId} ${rule.resource} ${prefix} ${permission}`;
  const asked = `${decidedIn.partition} ${decidedIn.namespace} ${resource} ${access} ${column} ${sized(askedBy)}`;
  const within = block === undefined ? "" : JSON.stringify(block);
  return `${of} ${asked} ${sized(within)} ${sized(segment)} ${name === undefined ? "" : `=${name}`}`;
}

function sized(text: string): string {
  return `${text.length}:${text}`;
}
