import type { Migration } from "./migration.ts";

const MANAGEMENT_LINK = `["00000000-0000-0000-0000-000000000001"]`;

/**
 * Policies and roles, and tokens that are linked to them. Links are lists of
 * IDs in the row that holds them, so that an object is read in one piece; what
 * they lead to may be gone.
 */
export const accessControl: Migration = {
  name: "0002-access-control",
  statements: ({ text, integer }) => [
    `insert into counters (name, value) values ('partition/default', 0)`,
    `create table policies (id ${text} primary key, partition ${text} not null, namespace ${text} not null,
       name ${text} not null, name_key ${text} not null, description ${text} not null, rules ${text} not null,
       rule_count ${integer} not null, datacenters ${text} not null, hash ${text} not null, create_index ${integer} not null,
       modify_index ${integer} not null, unique (partition, namespace, name_key))`,
    `create table roles (id ${text} primary key, partition ${text} not null, namespace ${text} not null,
       name ${text} not null, name_key ${text} not null, description ${text} not null, policies ${text} not null,
       service_identities ${text} not null, node_identities ${text} not null, templated_policies ${text} not null,
       hash ${text} not null, create_index ${integer} not null, modify_index ${integer} not null,
       unique (partition, namespace, name_key))`,
    `alter table tokens add column policies ${text} not null default '[]'`,
    `alter table tokens add column roles ${text} not null default '[]'`,
    `alter table tokens add column service_identities ${text} not null default '[]'`,
    `alter table tokens add column node_identities ${text} not null default '[]'`,
    `alter table tokens add column templated_policies ${text} not null default '[]'`,
    `alter table tokens add column is_local ${integer} not null default 0`,
    `alter table tokens add column auth_method ${text} not null default ''`,
    `alter table tokens add column expiration_time ${text} not null default ''`,
    `alter table tokens add column expires_at ${integer}`,
    `alter table tokens add column hash ${text} not null default ''`,
    `alter table tokens add column create_index ${integer} not null default 1`,
    `alter table tokens add column modify_index ${integer} not null default 1`,
    `update tokens set policies = '${MANAGEMENT_LINK}' where kind = 'management'`,
    `alter table tokens drop column kind`,
    `create index tokens_by_expiry on tokens (expires_at) where expires_at is not null`,
    `create index tokens_by_scope on tokens (partition, namespace, accessor_id)`,
  ],
};
