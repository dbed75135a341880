import type { Migration } from "../migration.ts";

/**
 * When tokens were used, secrets that they had before, and the work that deletes many of them. A token has at most one row of
 * the first and few of the second, so they go with its row, also where an older program deletes it. An older program knows no
 * old secrets: it refuses them during an upgrade.
 */
export const tokens: Migration["statements"] = ({ text, integer, engine }) => {
  const byKey = engine === "sqlite" ? " without rowid" : "";
  const ofToken = `${text} not null references tokens (accessor_id) on delete cascade`;
  return [
    `create table token_uses (accessor_id ${ofToken} primary key, last_used ${text} not null)${byKey}`,
    `create table token_secrets (secret_lookup ${text} not null primary key, accessor_id ${ofToken}, expires_at ${integer} not null,
       proof ${text} not null)${byKey}`,
    `create index token_secrets_of_token on token_secrets (accessor_id)`,
    `create index token_secrets_by_end on token_secrets (expires_at)`,
    `create table token_revocations (id ${text} primary key, partition ${text} not null, namespace ${text} not null,
       accessor_id ${text} not null, request_id ${text} not null, filter ${text} not null, status ${text} not null,
       place ${text} not null, total ${integer} not null, revoked ${integer} not null, reason ${text} not null,
       created_at ${text} not null, updated_at ${text} not null, finished_at ${text} not null)`,
    `create index token_revocations_by_scope on token_revocations (partition, namespace, id)`,
    `create unique index token_revocations_open on token_revocations (partition, namespace) where finished_at = ''`,
  ];
};
