/** The tables of the use ledger; part of `tables.ts`. No permission follows from them, so they have no proofs. */
import { fixed, flag, integer, key, plain, text } from "./column.ts";
import { SCOPE } from "./scoped.ts";

export const USE_TABLES = {
  /** Which subject used which rule, for which name; see `src/records/uses/row.ts`. Days are numbers since 1970-01-01. */
  use_rows: {
    /** Digest of all that tells rows apart, and the same without the name. */
    id: key(text),
    group_id: fixed(text),
    ...SCOPE,
    /** AccessorID of a token; null for logins. */
    accessor_id: fixed(plain<string | null>()),
    /** ID of the auth method, of logins; empty for tokens. */
    method_id: fixed(text),
    /** `UseSubject` as JSON. */
    subject: fixed(text),
    policy_id: fixed(text),
    rule_resource: fixed(text),
    rule_prefix: fixed(flag),
    rule_segment: fixed(text),
    rule_permission: fixed(text),
    /** `RuleBlock` as JSON; empty outside of blocks. */
    rule_block: fixed(text),
    decided_partition: fixed(text),
    decided_namespace: fixed(text),
    resource: fixed(text),
    access: fixed(text),
    /** `UseColumn`. */
    source: fixed(text),
    /** Decision point that asked; empty for other uses. */
    asked_by: fixed(text),
    /** Null for names that were folded to their rule. */
    name: fixed(plain<string | null>()),
    total: integer,
    first_day: integer,
    last_day: integer,
    /** Bits of 32 days each: the word of day D is D / 32 modulo 5. */
    days_0: integer,
    days_1: integer,
    days_2: integer,
    days_3: integer,
    days_4: integer,
  },
  /** Last day on which uses of a scope were left out; the place is `partition/namespace`. */
  use_gaps: { place: text, day: integer },
  /** Last flush of each server; see `src/use/flush.ts`. */
  use_servers: { server: text, sequence: integer, day: integer },
};
