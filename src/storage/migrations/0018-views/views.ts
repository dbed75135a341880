import type { Migration } from "../migration.ts";

/** Creates the saved views of lists. A view of a token goes with the token; a shared one has no holder. */
export const views: Migration["statements"] = ({ text, integer }) => [
  `create table views (id ${text} primary key, partition ${text} not null, namespace ${text} not null,
     accessor_id ${text} references tokens (accessor_id) on delete cascade, method_id ${text} not null,
     identity ${text} not null, list ${text} not null, name ${text} not null, content ${text} not null,
     create_index ${integer} not null, modify_index ${integer} not null)`,
  "create index views_by_scope on views (partition, namespace, id)",
  "create index views_of_token on views (accessor_id)",
  "create index views_of_identity on views (method_id, identity) where method_id <> ''",
];
