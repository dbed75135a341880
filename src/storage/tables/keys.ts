/** The tables of the keys that secrets are sealed with; part of `tables.ts`. See `keyring.ts` and `keys/`. */

import { integer, key, plain, text } from "./column.ts";

export const KEY_TABLES = {
  /** Keys that the master key wraps. */
  data_keys: {
    id: text,
    purpose: plain<"lookup" | "data">(),
    /** Base64 of nonce, ciphertext and tag. */
    wrapped: text,
    created_at: text,
    /** Since when nothing may be sealed with it any more; null for one in use. */
    retired_at: plain<string | null>(),
  },
  /** The master keys that open the data keys, each by its fingerprint; none where the first was never replaced. See `keys/masters.ts`. */
  master_keys: {
    id: key(text),
    state: plain<"current" | "next">(),
    /** While one replaces the other: the key that wraps data keys meanwhile, wrapped by this master key; empty otherwise. */
    transition: text,
    /** Seconds since the epoch by the database's clock. */
    began_at: integer,
  },
  /** Servers that run by the master key that is being replaced. See `keys/users.ts`. */
  master_key_users: { server: key(text), node: text, seen_at: integer },
  /** The one row of how far all that is sealed has been sealed anew; times are seconds by the database's clock. See `keys/reseal.ts`. */
  reseals: {
    id: key(text),
    /** Grows each time it is asked for. */
    number: integer,
    state: plain<"sealing" | "done">(),
    began_at: integer,
    /** It goes through everything again and again, until nothing is found that an old key has sealed. */
    pass: integer,
    pass_began_at: integer,
    /** Position of the pass: a column, such as `tokens.secret_sealed`, and the last key of its table that was read. */
    column_name: text,
    last_key: text,
    /** Values that the pass has found to seal again, and values that it could not open. */
    found: integer,
    damaged: integer,
    /** Rows that the pass has looked at. */
    seen: integer,
    /** Rows that were sealed anew, of all passes. */
    resealed: integer,
    /** 0 until it is done. */
    ended_at: integer,
  },
};
