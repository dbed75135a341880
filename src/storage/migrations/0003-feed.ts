import type { Migration } from "./migration.ts";

/** The index of each table in each namespace, which blocking queries compare. See `feed/touches.ts`. */
export const feed: Migration = {
  name: "0003-feed",
  statements: ({ text, integer }) => [
    `create table table_indexes (name ${text} primary key, value ${integer} not null)`,
  ],
};
