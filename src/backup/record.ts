import type { Loading } from "../storage/loading.ts";
import type { Revoked } from "./revocations.ts";

/** What a restore was, for the record of it. */
export interface RestoreFacts {
  /** Of the backup, and which database it is of. */
  takenAt: string;
  database: string;
  withLogins: boolean;
  /** How many of each were deleted again, since an audit file says so. */
  revoked: Readonly<Record<Revoked, number>>;
}

/**
 * Puts the restore on record, in the transaction that makes it a database: called when all is loaded and the counters are raised.
 * This version keeps no audit records of its own commands, so there is nothing to write yet.
 */
export async function recordRestore(_loading: Loading, _facts: RestoreFacts): Promise<void> {}
