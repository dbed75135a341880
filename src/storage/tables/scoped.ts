/** Columns that tables of access control have alike; part of `tables.ts`. */
import { fixed, integer, made, text } from "./column.ts";

/** Partition and namespace of an access-control object. */
export const SCOPE = { partition: fixed(text), namespace: fixed(text) };
/** Indexes of the partition's counter. */
export const INDEXES = { create_index: fixed(integer), modify_index: integer };
/** Digest of the other columns; see `proofs.ts`. */
export const PROOF = { proof: made };
