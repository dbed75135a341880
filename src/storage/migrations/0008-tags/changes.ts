import type { Migration } from "../migration.ts";

/**
 * Records of what was changed in organizations, with the change: streams, webhooks and the undoing of jobs read them. An
 * older program writes none, so what it changes during an upgrade is on no record.
 */
export const changes: Migration["statements"] = ({ text, integer, engine }) => [
  `create table changes (organization_id ${text} not null, position ${integer} not null, at ${text} not null,
       accessor_id ${text} not null, request_id ${text} not null, job_id ${text} not null, kind ${text} not null,
       object_id ${text} not null, name ${text} not null, action ${text} not null, details ${text} not null,
       primary key (organization_id, position))${engine === "sqlite" ? " without rowid" : ""}`,
  `create index changes_of_job on changes (job_id, position) where job_id <> ''`,
  `create index changes_by_age on changes (at)`,
  `create table change_floors (organization_id ${text} primary key, position ${integer} not null)`,
  `create table tag_webhooks (id ${text} primary key, organization_id ${text} not null, name ${text} not null,
       url ${text} not null, enabled ${integer} not null, token_sealed ${text} not null, kinds ${text} not null,
       actions ${text} not null, created_at ${text} not null, updated_at ${text} not null, position ${integer} not null,
       failures ${integer} not null, retry_at ${integer} not null, failing_since ${text} not null,
       delivered_at ${text} not null, delivery_status ${text} not null, skipped_at ${text} not null)`,
  `create index tag_webhooks_of_organization on tag_webhooks (organization_id, created_at, id)`,
];
