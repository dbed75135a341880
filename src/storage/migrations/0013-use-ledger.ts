import type { Migration } from "./migration.ts";

/**
 * Creates the tables of the use ledger; see `src/use`. Rows of tokens go with their token, also where an older program deletes
 * it; what that one leaves of namespaces and auth methods has no effect and ends with its time.
 */
export const useLedger: Migration = {
  name: "0013-use-ledger",
  statements: ({ text, integer }) => [
    // Name of the migration before this one was inserted in front of it.
    "update schema_migrations set name = '0014-proofs-only' where name = '0013-proofs-only'",
    `create table use_rows (id ${text} primary key, group_id ${text} not null, partition ${text} not null,
       namespace ${text} not null, accessor_id ${text} references tokens (accessor_id) on delete cascade,
       method_id ${text} not null, subject ${text} not null, policy_id ${text} not null, rule_resource ${text} not null,
       rule_prefix ${integer} not null, rule_segment ${text} not null, rule_permission ${text} not null,
       rule_block ${text} not null, decided_partition ${text} not null, decided_namespace ${text} not null,
       resource ${text} not null, access ${text} not null, source ${text} not null, asked_by ${text} not null, name ${text},
       total ${integer} not null, first_day ${integer} not null, last_day ${integer} not null,
       days_0 ${integer} not null, days_1 ${integer} not null, days_2 ${integer} not null, days_3 ${integer} not null,
       days_4 ${integer} not null)`,
    "create index use_rows_by_scope on use_rows (partition, namespace, id)",
    "create index use_rows_of_policy on use_rows (policy_id)",
    "create index use_rows_of_group on use_rows (group_id)",
    "create index use_rows_of_token on use_rows (accessor_id)",
    "create index use_rows_of_method on use_rows (method_id, subject) where method_id <> ''",
    "create index use_rows_of_point on use_rows (partition, namespace, asked_by) where asked_by <> ''",
    "create index use_rows_by_day on use_rows (last_day)",
    `create table use_gaps (place ${text} primary key, day ${integer} not null)`,
    `create table use_servers (server ${text} primary key, sequence ${integer} not null, day ${integer} not null)`,
  ],
};
