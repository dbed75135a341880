import type { Migration } from "./migration.ts";
import { audit } from "./0009-operations/audit.ts";
import { counts } from "./0009-operations/counts.ts";
import { declarations } from "./0009-operations/declarations.ts";
import { lists } from "./0009-operations/lists.ts";
import { keys } from "./0009-operations/keys.ts";
import { sessions } from "./0009-operations/sessions.ts";
import { tokens } from "./0009-operations/tokens.ts";

/**
 * Adds what operators need: audit records, last uses of tokens, keys that can be replaced. One version had them all.
 */
export const operations: Migration = {
  name: "0009-operations",
  statements: (dialect) => [
    // Earlier name of this migration, before the present one was inserted in front of it.
    "update schema_migrations set name = '0010-proofs-only' where name = '0009-proofs-only'",
    ...[audit, tokens, keys, declarations, counts, sessions, lists].flatMap((part) => part(dialect)),
  ],
};
