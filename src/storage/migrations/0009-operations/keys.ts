import type { Migration } from "../migration.ts";

/**
 * Which master keys open the data keys, who still runs by the one that is being replaced, and how far what is stored has been
 * sealed anew. An older program writes data keys without `retired_at`, and cannot read those of a rotation: none begins while
 * one is connected.
 */
export const keys: Migration["statements"] = ({ text, integer }) => [
  `alter table data_keys add column retired_at ${text}`,
  `create table master_keys (id ${text} primary key, state ${text} not null, transition ${text} not null,
       began_at ${integer} not null)`,
  `create table master_key_users (server ${text} primary key, node ${text} not null, seen_at ${integer} not null)`,
  `create table reseals (id ${text} primary key, number ${integer} not null, state ${text} not null,
       began_at ${integer} not null, pass ${integer} not null, pass_began_at ${integer} not null,
       column_name ${text} not null, last_key ${text} not null, found ${integer} not null, damaged ${integer} not null,
       seen ${integer} not null, resealed ${integer} not null, ended_at ${integer} not null)`,
];
