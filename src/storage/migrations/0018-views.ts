import type { Migration } from "./migration.ts";
import { coverageDays } from "./0018-views/coverage-days.ts";
import { views } from "./0018-views/views.ts";

/** Creates the tables of what the console keeps: saved views of lists, and the coverage of required tag keys by day. */
export const keptViews: Migration = {
  name: "0018-views",
  statements: (dialect) => [views, coverageDays].flatMap((part) => part(dialect)),
};
