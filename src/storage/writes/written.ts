/** Follows what a transaction puts on record. */
import type { AuditEntry, Transaction } from "../database.ts";

/** Does the work of a transaction. @returns also what it has put on record */
export async function withWritten<T>(
  tx: Transaction,
  work: (tx: Transaction) => Promise<T>,
): Promise<{ result: T; written: readonly AuditEntry[] }> {
  const written: AuditEntry[] = [];
  const result = await work({
    ...tx,
    record(entry) {
      written.push(entry);
      tx.record(entry);
    },
  });
  return { result, written };
}
