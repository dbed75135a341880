import { type AuditContent, chainHash } from "../storage/proofs/audit-chain.ts";
import type { Loading } from "../storage/operator/loading.ts";
import { columnsOf } from "../storage/tables/tables.ts";

/** Facts about the restore or move that has created a database, for its audit record. */
export interface ArrivalFacts {
  action: "restore" | "move";
  /** ID of the database that the data comes from. */
  database: string;
  detail: Readonly<Record<string, unknown>>;
  now: Date;
}

/** The counter whose writers change what is of the whole database. */
const CHAIN = "root";

/**
 * Puts it on record, in the transaction that makes it a database: called when all is loaded. The record goes on where the chain
 * that was loaded ends, and is done by nobody: whoever restores or moves is known to the system alone.
 */
export async function recordArrival(loading: Loading, { action, database, detail, now }: ArrivalFacts): Promise<void> {
  const [head] = (await loading.run(
    `select audit_seq as seq, audit_hash as hash from counters where name = '${CHAIN}'`,
  )) as {
    seq: number;
    hash: string;
  }[];
  if (head === undefined) throw new Error(`counter ${CHAIN} not found`);
  const content: AuditContent = {
    chain: CHAIN,
    seq: head.seq + 1,
    at: now.toISOString(),
    // For who may read operator data; it lies in no namespace.
    partition: "default",
    namespace: "",
    organization_id: "",
    accessor_id: "",
    kind: "database",
    object_id: database,
    name: "",
    action,
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
