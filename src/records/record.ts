/** One audit record as it is read: shown only after its hash fits. */
import { sql } from "kysely";
import { type AuditRow, chainHash } from "../storage/proofs/audit-chain.ts";
import { damaged } from "../storage/proofs/damaged-rows.ts";
import type { ObjectOf } from "../storage/writes/objects.ts";

/** A record as it is stored. */
export type AuditRecord = ObjectOf<"audit_records"> & {
  /** Whether it is not what was written: its hash does not fit its content and the record before it. Its content is left out. */
  isDamaged?: true;
};

/** The place of a record in the order of lists: by time, the newest first. */
export interface AuditPlace {
  at: string;
  chain: string;
  seq: number;
}

/** Records of a page, or fewer where they are long. */
export interface AuditSlice {
  records: AuditRecord[];
  /** Whether there are no more behind them. */
  isLast: boolean;
}

/** The hash of the record before: that one's own, or of the last one that was pruned; empty for the first of a chain. */
export const hashBefore = sql<string>`coalesce(
  (select b.hash from audit_records b where b.chain = audit_records.chain and b.seq = audit_records.seq - 1),
  (select c.hash from audit_cuts c where c.chain = audit_records.chain and c.seq = audit_records.seq - 1), '')`;

/** A record is shown only after its hash fits; of one that does not, nobody knows what it said. */
export function fittingRecord(record: AuditRecord, before: string): AuditRecord {
  if (chainHash(before, rowOf(record)) === record.hash) return record;
  const { chain, seq } = record;
  // Counted, and told in the log.
  damaged({ table: "audit_records", key: `${chain} ${seq}` });
  const unknown = { accessorId: "", kind: "", objectId: "", name: "", action: "", requestId: "", detail: "{}" };
  return { ...record, ...unknown, isDamaged: true };
}

/** A record by its columns. */
export function rowOf(record: AuditRecord): AuditRow {
  const { organizationId, accessorId, objectId, requestId, isDamaged: _, ...rest } = record;
  return {
    ...rest,
    organization_id: organizationId,
    accessor_id: accessorId,
    object_id: objectId,
    request_id: requestId,
  };
}
