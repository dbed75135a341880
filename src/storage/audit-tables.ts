/** The tables of what was done and refused; part of `tables.ts`. See `audit/`. */

import { integer, plain, text } from "./column.ts";

export const AUDIT_TABLES = {
  /** One row for each thing that was done or refused. Never changed, and removed from the beginning of a chain only. */
  audit_records: {
    /** The counter that its transaction raised, such as `partition/default`, and its place behind it, from 1 on. */
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
    /** The object's name at that time. */
    name: text,
    action: text,
    outcome: plain<"done" | "refused">(),
    request_id: text,
    /** JSON: the rest of it; see `recorded.ts`. */
    detail: text,
    /** Over all other columns and the hash of the record before; see `audit-chain.ts`. */
    hash: text,
  },
  /** Heads of chains as they were a while ago, each with a MAC that who can only write the database cannot make. */
  audit_heads: { chain: text, seq: integer, hash: text, at: text, mac: text },
  /** The last record of each chain that was pruned, with such a MAC. */
  audit_cuts: { chain: text, seq: integer, hash: text, at: text, mac: text },
  /** Up to where a sink has been given a chain, and the last head of it. */
  audit_positions: { sink: text, chain: text, seq: integer, head_seq: integer },
  /** When a server last said that it feeds a sink: pruning waits for those that are fed. */
  audit_sinks: { sink: text, seen_at: text },
};
