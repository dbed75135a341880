import { type AuditContent, chainHash } from "../storage/audit-chain.ts";
import type { Loading } from "../storage/loading.ts";
import { columnsOf } from "../storage/tables.ts";
import type { Revoked } from "./revocations.ts";

/** What a restore was, for the record of it. */
export interface RestoreFacts {
  /** Of the backup, and which database it is of. */
  takenAt: string;
  database: string;
  withLogins: boolean;
  /** How many of each were deleted again, since an audit file says so. */
  revoked: Readonly<Record<Revoked, number>>;
  now: Date;
}

/** The counter whose writers change what is of the whole database. */
const CHAIN = "root";

/**
 * Puts the restore on record, in the transaction that makes it a database: called when all is loaded and the counters are raised.
 * The record goes on where the backup's chain ends, and is done by nobody: whoever restores is known to the system alone.
 */
export async function recordRestore(loading: Loading, facts: RestoreFacts): Promise<void> {
  const { database, now, ...detail } = facts;
  const [head] = (await loading.run(
    `select audit_seq as seq, audit_hash as hash from counters where name = '${CHAIN}'`,
  )) as {
    seq: number;
    hash: string;
  }[];
  if (head === undefined) throw new Error(`the backup has no counter ${CHAIN}`);
  const content: AuditContent = {
    chain: CHAIN,
    seq: head.seq + 1,
    at: now.toISOString(),
    partition: "",
    namespace: "",
    organization_id: "",
    accessor_id: "",
    kind: "database",
    object_id: database,
    name: "",
    action: "restore",
    outcome: "done",
    request_id: "",
    detail: JSON.stringify(detail),
  };
  const row: Record<string, unknown> = { ...content, hash: chainHash(head.hash, content) };
  const columns = columnsOf("audit_records") ?? [];
  await loading.load("audit_records", columns, `${JSON.stringify(columns.map((column) => row[column]))}\n`);
  await loading.run(
    `update counters set audit_seq = ${content.seq}, audit_hash = '${String(row["hash"])}' where name = '${CHAIN}'`,
  );
}
