import type { Migration } from "./migration.ts";

/** Organizations, projects, workspaces and tags; tokens; the rows that locks and background work stand on. */
export const foundation: Migration = {
  name: "0001-foundation",
  statements: ({ text, integer, engine }) => [
    `create table counters (name ${text} primary key, value ${integer} not null)`,
    `insert into counters (name, value) values ('root', 0)`,
    `create table meta (name ${text} primary key, value ${text} not null)`,
    `create table data_keys (id ${text} primary key, purpose ${text} not null, wrapped ${text} not null,
       created_at ${text} not null)`,
    `create table leases (name ${text} primary key, holder ${text} not null, fence ${integer} not null,
       expires_at ${integer} not null)`,
    `create table purges (id ${text} primary key, kind ${text} not null, target ${text} not null,
       created_at ${text} not null)`,
    `create index purges_by_age on purges (created_at, id)`,
    `create table tokens (accessor_id ${text} primary key, secret_lookup ${text} not null unique,
       secret_sealed ${text} not null, description ${text} not null, kind ${text} not null,
       namespace ${text} not null, partition ${text} not null, created_at ${text} not null)`,
    `create table organizations (id ${text} primary key, name ${text} not null, name_key ${text} not null unique,
       email ${text} not null, settings ${text} not null, default_execution_mode ${text} not null,
       default_project_id ${text} not null,
       created_at ${text} not null, tag_count ${integer} not null, workspace_count ${integer} not null,
       project_count ${integer} not null)`,
    `create table projects (id ${text} primary key, organization_id ${text} not null, name ${text} not null,
       name_key ${text} not null, description ${text} not null, settings ${text} not null,
       default_execution_mode ${text} not null, created_at ${text} not null, workspace_count ${integer} not null, unique (organization_id, name_key))`,
    `create table workspaces (id ${text} primary key, organization_id ${text} not null,
       project_id ${text} not null references projects (id), name ${text} not null, name_key ${text} not null,
       settings ${text} not null, locked ${integer} not null, locked_reason ${text} not null,
       locked_by ${text} not null, created_at ${text} not null, updated_at ${text} not null,
       latest_change_at ${text} not null, unique (organization_id, name_key))`,
    `create index workspaces_by_project on workspaces (project_id, name_key)`,
    // SQLite's full-text index refers to rows by number, so there the number has to be a column of its own.
    `create table tags (${engine === "sqlite" ? "seq integer primary key, " : ""}id ${text} not null
       ${engine === "sqlite" ? "unique" : "primary key"}, organization_id ${text} not null, name ${text} not null,
       pinned ${integer} not null, instance_count ${integer} not null, created_at ${text} not null,
       unique (organization_id, name))`,
    `create table workspace_tags (workspace_id ${text} not null, tag_id ${text} not null,
       workspace_key ${text} not null, position ${integer} not null,
       primary key (workspace_id, tag_id))${engine === "sqlite" ? " without rowid" : ""}`,
    `create index workspace_tags_by_tag on workspace_tags (tag_id, workspace_key, workspace_id)`,
    ...(engine === "sqlite" ? TAG_SEARCH_SQLITE : []),
  ],
  optional: ({ engine }) => (engine === "postgres" ? TAG_SEARCH_POSTGRES : []),
};

/** Trigrams of tag names, kept by triggers so that no query needs to know of them. */
const TAG_SEARCH_SQLITE = [
  `create virtual table tags_search using fts5 (name, content = '', contentless_delete = 1,
     tokenize = 'trigram case_sensitive 1', detail = none)`,
  `create trigger tags_search_insert after insert on tags begin
     insert into tags_search (rowid, name) values (new.seq, new.name); end`,
  `create trigger tags_search_delete after delete on tags begin
     delete from tags_search where rowid = old.seq; end`,
  `create trigger tags_search_rename after update of name on tags begin
     update tags_search set name = new.name where rowid = new.seq; end`,
];

/** Left out where the extension may not be created: a search is a plain scan then. */
const TAG_SEARCH_POSTGRES = [
  `create extension if not exists pg_trgm`,
  `create index tags_search on tags using gin (name gin_trgm_ops)`,
];
