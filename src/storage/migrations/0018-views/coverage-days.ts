import type { Migration } from "../migration.ts";

/** Creates the coverage of required tag keys by day. Servers that do not know it count no days. */
export const coverageDays: Migration["statements"] = ({ text, integer }) => [
  `create table tag_coverage_days (organization_id ${text} not null, key ${text} not null, day ${integer} not null,
     workspaces ${integer} not null, missing ${integer} not null, without_value ${integer} not null,
     value_count ${integer} not null, primary key (organization_id, key, day))`,
  "create index tag_coverage_days_by_day on tag_coverage_days (day, organization_id)",
];
