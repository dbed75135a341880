import type { Migration } from "../migration.ts";

/**
 * Key/value tags. A flat tag and a key share one row of the pool, and a workspace one link to it, which says as what it was
 * put on. Older programs take each link for a flat tag.
 */
export const keyValues: Migration["statements"] = ({ text, integer, engine }) => [
  `alter table workspace_tags add column marks ${integer} not null default 1`,
  `alter table workspace_tags add column value ${text} not null default ''`,
  `alter table workspace_tags add column binding_id ${text} not null default ''`,
  `alter table workspace_tags add column bound_at ${text} not null default ''`,
  `create index workspace_tags_by_value on workspace_tags (tag_id, value, workspace_key, workspace_id, marks) where marks > 1`,
  `create table project_tags (project_id ${text} not null, tag_id ${text} not null, value ${text} not null,
       binding_id ${text} not null, bound_at ${text} not null, position ${integer} not null,
       primary key (project_id, tag_id))${engine === "sqlite" ? " without rowid" : ""}`,
  `create index project_tags_by_tag on project_tags (tag_id, project_id)`,
  `alter table tags add column project_count ${integer} not null default 0`,
  `create table reserved_tag_keys (id ${text} primary key, organization_id ${text} not null, key ${text} not null,
       disable_overrides ${integer} not null, created_at ${text} not null, updated_at ${text} not null,
       unique (organization_id, key))`,
];
