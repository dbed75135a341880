/**
 * Chain of audit records. Each has a hash of itself and the one before: changes, removals and insertions are noticed.
 */
import { hash } from "node:crypto";
import { columnsOf, type Tables } from "../tables/tables.ts";

/** A record as it is stored. */
export type AuditRow = Tables["audit_records"];
/** Columns of an audit record that its hash covers, together with the hash of the previous record. */
export type AuditContent = Omit<AuditRow, "hash">;

/** Head of a chain: place and hash of its last record; 0 and empty for a chain without records. */
export interface ChainHead {
  seq: number;
  hash: string;
}

const CONTENT = (columnsOf("audit_records") ?? []).filter((column) => column !== "hash") as (keyof AuditContent)[];

/**
 * The hash of a record: SHA-256, base64url, over a JSON array of the hash of the record before (empty for the first of a
 * chain) and of its columns in the order of the table.
 */
export function chainHash(before: string, record: AuditContent): string {
  const covered: (string | number)[] = [before];
  for (const column of CONTENT) covered.push(record[column]);
  return hash("sha256", JSON.stringify(covered), "base64url");
}
