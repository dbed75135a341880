import type { Migration } from "./migration.ts";

/**
 * Auth methods, binding rules, and tokens that methods made. `method_id` is the
 * method's own: a later one of the same name is another. A deleted method takes
 * only its row away at once; what it made counts for nothing from then on and
 * is removed by `deleted_methods`.
 */
export const login: Migration = {
  name: "0005-login",
  statements: ({ text, integer }) => [
    `create table auth_methods (id ${text} primary key, partition ${text} not null, namespace ${text} not null,
       name ${text} not null, name_key ${text} not null, type ${text} not null, display_name ${text} not null,
       description ${text} not null, max_token_ttl ${text} not null, token_locality ${text} not null,
       config_sealed ${text} not null, namespace_rules ${text} not null, rules_index ${integer} not null,
       rules_weight ${integer} not null,
       create_index ${integer} not null, modify_index ${integer} not null, unique (partition, namespace, name_key))`,
    `create table binding_rules (id ${text} primary key, partition ${text} not null, namespace ${text} not null,
       method_id ${text} not null, auth_method ${text} not null, description ${text} not null, selector ${text} not null,
       bind_type ${text} not null, bind_name ${text} not null, bind_vars ${text} not null,
       create_index ${integer} not null, modify_index ${integer} not null)`,
    `create index binding_rules_by_scope on binding_rules (partition, namespace, id)`,
    `create index binding_rules_by_method on binding_rules (method_id, id)`,
    `create table deleted_methods (id ${text} primary key, partition ${text} not null, name ${text} not null,
       deleted_at ${text} not null)`,
    `create table idempotency_keys (id ${text} primary key, partition ${text} not null, namespace ${text} not null,
       accessor_id ${text} not null, body_hash ${text} not null, rule_id ${text} not null, expires_at ${integer} not null)`,
    `create index idempotency_keys_by_scope on idempotency_keys (partition, namespace, id)`,
    `create index idempotency_keys_by_token on idempotency_keys (accessor_id, partition, namespace)`,
    `create index idempotency_keys_by_expiry on idempotency_keys (expires_at)`,
    `create table used_login_states (id ${text} primary key, expires_at ${integer} not null)`,
    `create index used_login_states_by_expiry on used_login_states (expires_at)`,
    `alter table tokens add column auth_method_namespace ${text} not null default ''`,
    `alter table tokens add column method_id ${text} not null default ''`,
    `create index tokens_by_method on tokens (method_id, namespace, accessor_id) where method_id <> ''`,
  ],
};
