import type { Migration } from "../migration.ts";

/** Rules of organizations for their tags, and what makes large pools easy to look through. */
export const tagRules: Migration["statements"] = ({ text, engine }) => [
  // Both counts are in it, so that the tags without uses are counted in the index alone.
  `create index tags_by_count on tags (organization_id, instance_count, name, project_count)`,
  `create index tags_by_age on tags (organization_id, created_at, name)`,
  `create table tag_policies (organization_id ${text} primary key, id ${text} not null, enforce ${text} not null,
       rules ${text} not null, created_at ${text} not null, updated_at ${text} not null)`,
  ...(engine === "sqlite" ? FOLDED_SEARCH : []),
];

/**
 * Keys keep their case and are found in any: the trigrams are those of folded names. What was stored before keys has no upper
 * case. PostgreSQL's trigrams know no case as they are.
 */
const FOLDED_SEARCH = [
  `drop trigger tags_search_insert`,
  `drop trigger tags_search_rename`,
  `create trigger tags_search_insert after insert on tags begin
     insert into tags_search (rowid, name) values (new.seq, lower(new.name)); end`,
  `create trigger tags_search_rename after update of name on tags begin
     update tags_search set name = lower(new.name) where rowid = new.seq; end`,
];
