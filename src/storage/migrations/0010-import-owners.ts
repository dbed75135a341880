import type { Migration } from "../migration.ts";

/** Whose the files are that are imported: one caller leaves places to others. Files of before are nobody's. */
export const importOwners: Migration = {
  name: "0010-import-owners",
  statements: ({ text }) => [
    // What it was called before this one came in front of it.
    "update schema_migrations set name = '0011-proofs-only' where name = '0010-proofs-only'",
    `alter table tag_imports add column accessor_id ${text} not null default ''`,
    `alter table tag_imports add column scope ${text} not null default ''`,
  ],
};
