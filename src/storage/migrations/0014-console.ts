import type { Migration } from "./migration.ts";
import { disabled } from "./0014-console/disabled.ts";
import { trash } from "./0014-console/trash.ts";

/** Adds what the console takes back: disabled tokens and the trash. */
export const consoleTables: Migration = {
  name: "0014-console",
  statements: (dialect) => [
    // Name of the migration before this one was inserted in front of it.
    "update schema_migrations set name = '0015-proofs-only' where name = '0014-proofs-only'",
    ...[disabled, trash].flatMap((part) => part(dialect)),
  ],
};
