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

/**
 * Makes the function that computes the same of records one after the other. Those of one request agree in most columns, and to turn
 * these into JSON costs more than the hash: each is turned once, as long as it stays as it is.
 */
export function createChainHash(): typeof chainHash {
  const values: (string | number | undefined)[] = [];
  const texts: string[] = [];
  return (before, record) => {
    let covered = `[${JSON.stringify(before)}`;
    for (let place = 0; place < CONTENT.length; place++) {
      const value = record[CONTENT[place] as keyof AuditContent];
      if (values[place] !== value) {
        values[place] = value;
        texts[place] = JSON.stringify(value);
      }
      covered += `,${texts[place]}`;
    }
    return hash("sha256", `${covered}]`, "base64url");
  };
}
