/** Findings of a verification, and their texts. */

/** The first record of a chain that is not what was written. */
export interface ChainFinding {
  chain: string;
  seq: number;
  /** When it was made, as far as that can be told; empty otherwise. */
  at: string;
  why: string;
}

/** A place of a chain of which it is known from elsewhere what record is there. */
export interface KnownRecord {
  seq: number;
  hash: string;
  at: string;
  /** Such as `signed`. */
  how: string;
}

/** One line for whoever asked. */
export function sayFinding({ chain, seq, at, why }: ChainFinding): string {
  return `chain ${JSON.stringify(chain)}: record ${seq}${at === "" ? "" : ` of ${at}`} ${why}`;
}

export const CHANGED = "was modified or inserted: its hash does not match its content and the previous record";

export const takenOut = (next: number): string => `was deleted: the next record is ${next}`;

export const cutOff = (last: number, by: string): string => `was deleted, with all records up to ${last}, which ${by}`;

export const rewritten = ({ how, at }: KnownRecord): string =>
  `does not match the head ${how} at ${at}: this or an earlier record was modified, and hashes were recomputed`;
