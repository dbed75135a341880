import type { Migration } from "./migration.ts";

/** Owners of imported files: one caller leaves places to others. Files of earlier versions have no owner. */
export const importOwners: Migration = {
  name: "0010-import-owners",
  statements: ({ text }) => [
    // Name of the migration before this one was inserted in front of it.
    "update schema_migrations set name = '0011-proofs-only' where name = '0010-proofs-only'",
    `alter table tag_imports add column accessor_id ${text} not null default ''`,
    `alter table tag_imports add column scope ${text} not null default ''`,
  ],
};
