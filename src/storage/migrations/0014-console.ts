import type { Migration } from "./migration.ts";
import { coverageDays } from "./0014-console/coverage-days.ts";
import { disabled } from "./0014-console/disabled.ts";
import { trash } from "./0014-console/trash.ts";
import { views } from "./0014-console/views.ts";

/** Adds what the console takes back, disabled tokens and the trash, and what it keeps: views of lists and tag coverage by day. */
export const consoleTables: Migration = {
  name: "0014-console",
  statements: (dialect) => [
    // Name of the migration before this one was inserted in front of it.
    "update schema_migrations set name = '0015-proofs-only' where name = '0014-proofs-only'",
    ...[disabled, trash, views, coverageDays].flatMap((part) => part(dialect)),
  ],
};
