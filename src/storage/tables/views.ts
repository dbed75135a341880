/** The table of saved views of lists; part of `tokens.ts`. No permission follows from it, so it has no proofs. */
import { fixed, hidden, key, plain, text } from "./column.ts";
import { INDEXES, SCOPE } from "./scoped.ts";

export const VIEW_TABLES = {
  /** Saved views of lists; see `acl/views`. A view without a holder is shared in its namespace. */
  views: {
    id: key(text),
    ...SCOPE,
    /** AccessorID of the token that holds it; null for the views of identities, and for shared ones. */
    accessor_id: fixed(plain<string | null>()),
    /** ID of the auth method, and identity, that hold it; empty for the views of tokens, and for shared ones. */
    method_id: hidden(fixed(text)),
    identity: fixed(text),
    /** Noun of the list. */
    list: fixed(text),
    name: text,
    /** Query, order, columns and density, as JSON. */
    content: text,
    ...INDEXES,
  },
};
