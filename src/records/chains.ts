/** Finds and reads the chains of audit records, for code that follows, signs, prunes or verifies them. */
import { sql } from "kysely";
import type { AuditRow } from "../storage/proofs/audit-chain.ts";
import type { Reader } from "../storage/database.ts";
import { defineQuery } from "../storage/reads/query.ts";
import { columnsOf } from "../storage/tables/tables.ts";

/** The chain of a row of `counters`, in a query that calls that table `c`; as `chainOf` has it. */
export const CHAIN_OF_COUNTER = sql<string>`case when c.name >= 'ended/' and c.name < 'ended0' then substr(c.name, 7) else c.name end`;

const COLUMNS = (columnsOf("audit_records") ?? []) as (keyof AuditRow)[];

/** Records of a chain behind a place, in its order. A record is as long as a request may make it: `limit` should be small. */
export function readRecords(db: Reader, chain: string, after: number, limit: number): Promise<AuditRow[]> {
  return db.run(recordsAfter, { chain, after, limit });
}

const recordsAfter = defineQuery((db, p: { chain: string; after: number; limit: number }) =>
  db
    .selectFrom("audit_records")
    .select(COLUMNS)
    .where("chain", "=", p.chain)
    .where("seq", ">", p.after)
    .orderBy("seq")
    .limit(p.limit),
);
