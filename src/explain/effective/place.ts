/** Position of the next page of a table of permissions, in the form that clients carry. */
import { createHash } from "node:crypto";
import { AppError } from "../../errors.ts";
import type { RowKey } from "../../rights/rules/matrix.ts";

/** Position after a row: its number, and what tells whether it is the same row still. A name may be too long for a header. */
export function writeRow(row: RowKey, index: number): string {
  return `${index}-${digestOf(row)}`;
}

function digestOf({ partition, namespace, resource, segment, prefix }: RowKey): string {
  const parts = [partition.name, partition.prefix, namespace.name, namespace.prefix, resource, segment, prefix];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 24);
}

/**
 * Finds where a page begins. Where rules have changed since, it is after the same row, wherever that is now, or else at the same
 * number.
 *
 * @param text empty for the first page
 * @throws AppError `bad_parameter`
 */
export function findRow(text: string, rows: readonly RowKey[]): number {
  if (text === "") return 0;
  const [, number, digest] = /^(\d{1,9})-([0-9a-f]{24})$/.exec(text) ?? [];
  if (number === undefined) throw new AppError("bad_parameter", "Invalid cursor for this list");
  const index = Number(number);
  const there = rows[index];
  if (there !== undefined && digestOf(there) === digest) return index + 1;
  const moved = rows.findIndex((row) => digestOf(row) === digest);
  return moved >= 0 ? moved + 1 : Math.min(index, rows.length);
}
