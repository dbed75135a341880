import type { Migration } from "./migration.ts";

/** Adds the coverage of required tag keys by day. Servers that do not know it count no days. */
export const tagCoverage: Migration = {
  name: "0015-tag-coverage",
  statements: ({ text, integer }) => [
    // Names of the migrations before this one was inserted in front of them.
    "update schema_migrations set name = '0016-proofs-only' where name = '0015-proofs-only'",
    "update schema_migrations set name = '0017-no-triggers' where name = '0016-no-triggers'",
    `create table tag_coverage_days (organization_id ${text} not null, key ${text} not null, day ${integer} not null,
       workspaces ${integer} not null, missing ${integer} not null, without_value ${integer} not null,
       value_count ${integer} not null, primary key (organization_id, key, day))`,
    "create index tag_coverage_days_by_day on tag_coverage_days (day, organization_id)",
  ],
};
