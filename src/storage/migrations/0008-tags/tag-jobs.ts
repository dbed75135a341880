import type { Migration } from "../migration.ts";

/** Jobs on the tags of organizations. A program that does not know them leaves them to one that does. */
export const tagJobs: Migration["statements"] = ({ text, integer }) => [
  `create table tag_jobs (id ${text} primary key, organization_id ${text} not null, accessor_id ${text} not null,
       request_id ${text} not null, by_writer ${integer} not null default 0, action ${text} not null, input ${text} not null, status ${text} not null,
       place ${text} not null, total ${integer} not null, done ${integer} not null, changed ${integer} not null,
       refused ${text} not null, warned ${text} not null default '{}', errors ${text} not null, reason ${text} not null, created_at ${text} not null,
       started_at ${text} not null, updated_at ${text} not null, finished_at ${text} not null)`,
  `create index tag_jobs_of_organization on tag_jobs (organization_id, created_at, id)`,
  `create index tag_jobs_open on tag_jobs (created_at, id) where finished_at = ''`,
  `create index tag_jobs_open_of_organization on tag_jobs (organization_id, created_at) where finished_at = ''`,
  `create index tag_jobs_by_end on tag_jobs (finished_at) where finished_at <> ''`,
];
