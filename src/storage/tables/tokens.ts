/** The tables of what is known of tokens beside their rows, of the trash, and of saved views; part of `tables.ts`. */

import { TRASH_TABLES } from "./trash.ts";
import { VIEW_TABLES } from "./views.ts";
import { fixed, flag, hidden, integer, key, made, plain, text } from "./column.ts";

export const TOKEN_TABLES = {
  /**
   * When tokens were used: the first use of the last day on which they were, by the database's clock. A table of its own, without
   * proofs, since nobody's rights follow from it. See `acl/tokens/uses.ts`.
   */
  token_uses: { accessor_id: text, last_used: text },
  /** Secrets that tokens had before they were rotated, for as long as they count. See `acl/tokens/old-secrets.ts`. */
  token_secrets: {
    /** As `tokens.secret_lookup`. */
    secret_lookup: hidden(key(text)),
    accessor_id: fixed(text),
    /** Milliseconds since the epoch. */
    expires_at: fixed(integer),
    proof: made,
  },
  /** Sessions of the console; times are milliseconds since the epoch. See `acl/sessions`. */
  console_sessions: {
    id: key(text),
    accessor_id: fixed(text),
    /** Secret that began the session, as `tokens.secret_lookup`: the session is valid for as long as the secret. */
    secret_lookup: hidden(fixed(text)),
    /** Whether its token was created for the session. */
    made_by_login: fixed(flag),
    created_at: fixed(integer),
    /** Client address and browser that began the session. */
    address: fixed(text),
    user_agent: fixed(text),
    /** Time of the last action, accurate to a minute. */
    active_at: integer,
    proof: made,
  },
  /** Jobs that delete the tokens that match a filter, in slices. See `acl/tokens/revocation/`. */
  token_revocations: {
    id: key(text),
    partition: fixed(text),
    namespace: fixed(text),
    /**
     * AccessorID of the token, and ID of the request, that created the revocation. Each slice checks the permissions of
     * this token.
     */
    accessor_id: text,
    request_id: text,
    /** Filter of the tokens, as JSON. */
    filter: text,
    status: plain<"queued" | "running" | "done" | "failed">(),
    /** AccessorID of the last token that was processed; empty at the beginning. */
    place: text,
    /** Number of tokens when the job began; -1 before. */
    total: integer,
    revoked: integer,
    /** Reason of a failure; empty otherwise. */
    reason: text,
    created_at: text,
    updated_at: text,
    /** Empty before. */
    finished_at: text,
  },
  ...TRASH_TABLES,
  ...VIEW_TABLES,
};
