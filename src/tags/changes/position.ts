/**
 * Computes the position of a record among those of its organization: the value of the organization's counter in the
 * transaction that made it, and its place within the transaction. The order is therefore that of the commits.
 */

/** Records that one transaction may make. */
export const CHANGES_PER_INDEX = 65_536;

/** The value of the counter in the transaction that made a record. */
export function indexOf(position: number): number {
  return Math.floor(position / CHANGES_PER_INDEX);
}

/** The place of the last record that a transaction with this value of the counter could make. */
export function lastPositionOf(index: number): number {
  return (index + 1) * CHANGES_PER_INDEX - 1;
}
