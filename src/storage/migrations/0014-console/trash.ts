import type { Migration } from "../migration.ts";

/** Creates the trash: objects that were deleted on purpose, as they were, until their time ends. */
export const trash: Migration["statements"] = ({ text, integer }) => [
  `create table trash (id ${text} primary key, partition ${text} not null, namespace ${text} not null,
     kind ${text} not null, object_id ${text} not null, name ${text} not null, content ${text} not null,
     config_sealed ${text} not null, deleted_at ${text} not null, deleted_by ${text} not null,
     ends_at ${integer} not null, create_index ${integer} not null, modify_index ${integer} not null,
     proof ${text} not null)`,
  "create index trash_by_scope on trash (partition, namespace, create_index)",
  "create index trash_by_end on trash (ends_at)",
];
