import type { Migration } from "../migration.ts";

/**
 * Records of everything that was done or refused. The head of each chain of them lies in the row of its counter, so that it
 * is read and moved under the lock that the writers have anyway. An older program writes none: what it changes during an
 * upgrade is on no record.
 */
export const audit: Migration["statements"] = ({ text, integer, engine }) => [
  `alter table counters add column audit_seq ${integer} not null default 0`,
  `alter table counters add column audit_hash ${text} not null default ''`,
  `create table audit_records (chain ${text} not null, seq ${integer} not null, at ${text} not null,
       partition ${text} not null, namespace ${text} not null, organization_id ${text} not null,
       accessor_id ${text} not null, kind ${text} not null, object_id ${text} not null, name ${text} not null,
       action ${text} not null, outcome ${text} not null, request_id ${text} not null, detail ${text} not null,
       hash ${text} not null, primary key (chain, seq))${engine === "sqlite" ? " without rowid" : ""}`,
  `create index audit_of_partition on audit_records (partition, at, chain, seq) where partition <> ''`,
  `create index audit_of_namespace on audit_records (partition, namespace, at, chain, seq) where namespace <> ''`,
  `create index audit_of_organization on audit_records (organization_id, at, chain, seq) where organization_id <> ''`,
  `create index audit_of_request on audit_records (request_id) where outcome = 'refused'`,
  `create table audit_heads (chain ${text} primary key, seq ${integer} not null, hash ${text} not null, at ${text} not null,
       mac ${text} not null)`,
  `create table audit_cuts (chain ${text} primary key, seq ${integer} not null, hash ${text} not null, at ${text} not null,
       mac ${text} not null)`,
  `create table audit_positions (sink ${text} not null, chain ${text} not null, seq ${integer} not null,
       head_seq ${integer} not null, primary key (sink, chain))`,
  `create table audit_sinks (sink ${text} primary key, seen_at ${text} not null)`,
];
