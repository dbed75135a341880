/** Tables of audit records; part of `tables.ts`. See `audit/`. */

import { integer, plain, text } from "./column.ts";

export const AUDIT_TABLES = {
  /** One row for each action that was done or denied. Never changed, and removed from the beginning of a chain only. */
  audit_records: {
    /** Counter that the transaction raised, such as `partition/default`, and the place in its chain, from 1 on. */
    chain: text,
    seq: integer,
    at: text,
    /**
     * Location of the object: `organization_id` for objects of `/api/v2`, the other columns for objects of `/v1`.
     * Columns that do not apply are empty.
     */
    partition: text,
    namespace: text,
    organization_id: text,
    /** AccessorID of the caller's token; empty for the server itself and for callers without a token. */
    accessor_id: text,
    kind: text,
    object_id: text,
    /** Name of the object at that time. */
    name: text,
    action: text,
    outcome: plain<"done" | "refused">(),
    request_id: text,
    /** Further details as JSON; see `recorded.ts`. */
    detail: text,
    /** Hash of all other columns and of the hash of the previous record; see `audit-chain.ts`. */
    hash: text,
  },
  /** Earlier heads of chains, each with a MAC that write access to the database alone cannot make. */
  audit_heads: { chain: text, seq: integer, hash: text, at: text, mac: text },
  /** The last record of each chain that was pruned, with such a MAC. */
  audit_cuts: { chain: text, seq: integer, hash: text, at: text, mac: text },
  /** Position up to which a sink has received a chain, and the last head of the chain that it has received. */
  audit_positions: { sink: text, chain: text, seq: integer, head_seq: integer },
  /** Time at which a server last reported that it feeds a sink: pruning waits for sinks that are fed. */
  audit_sinks: { sink: text, seen_at: text },
};
