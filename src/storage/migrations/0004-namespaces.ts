import type { Migration } from "./migration.ts";

/**
 * Partitions, and namespaces in them. Both stay while what lies in them is
 * deleted; `deleted_at` is when that began, and empty before.
 */
export const namespaces: Migration = {
  name: "0004-namespaces",
  statements: ({ text, integer }) => [
    `create table partitions (name ${text} primary key, description ${text} not null, disable_gossip ${integer} not null,
       deleted_at ${text} not null, create_index ${integer} not null, modify_index ${integer} not null)`,
    `create table namespaces (id ${text} primary key, partition ${text} not null, name ${text} not null,
       description ${text} not null, meta ${text} not null, has_defaults ${integer} not null,
       default_policies ${text} not null, default_roles ${text} not null, deleted_at ${text} not null,
       create_index ${integer} not null, modify_index ${integer} not null, unique (partition, name))`,
    `create index partitions_marked on partitions (name) where deleted_at <> ''`,
    `create index namespaces_marked on namespaces (id) where deleted_at <> ''`,
    `insert into partitions values ('default', 'Builtin Default Partition', 0, '', 1, 1)`,
    `insert into namespaces values ('default/default', 'default', 'default', 'Builtin Default Namespace', '{}', 0,
       '[]', '[]', '', 1, 1)`,
  ],
};
