import type { Migration } from "../migration.ts";

/**
 * Creates the table of the objects that directories of files own, each row under the name that its owner chose; see
 * `acl/declarations`.
 */
export const declarations: Migration["statements"] = ({ text, integer }) => [
  `create table declarations (id ${text} primary key, partition ${text} not null, namespace ${text} not null,
     name ${text} not null, name_key ${text} not null, description ${text} not null, objects ${text} not null,
     create_index ${integer} not null, modify_index ${integer} not null, proof ${text} not null,
     unique (partition, namespace, name_key))`,
];
