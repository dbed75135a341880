import { CHANGE_TABLES } from "./changes.ts";
import { IMPORT_TABLES } from "./imports.ts";
import { JOB_TABLES } from "./jobs.ts";
import { integer, plain, text } from "./column.ts";

/** Tags, who carries them, and what is asked of them; see `tables.ts`. */
export const TAG_TABLES = {
  tags: {
    id: text,
    organization_id: text,
    name: text,
    /** 1 when it was created in the pool: it stays without uses. */
    pinned: integer,
    /** Workspaces that carry it, as a flat tag or as a key. */
    instance_count: integer,
    created_at: text,
    /** Projects that have it as a key. */
    project_count: integer,
  },
  workspace_tags: {
    workspace_id: text,
    tag_id: text,
    /** The workspace's `name_key`, so that the workspaces of a tag come in order from the index. */
    workspace_key: text,
    /** Order of adding on its workspace. */
    position: integer,
    /** Kinds of the link, a flat tag or a key or both; see `tags/pool/marks.ts`. */
    marks: integer,
    /** Value of a binding; empty for a binding without value, and without a binding. */
    value: text,
    /** Shown as the binding's `id`; empty where there is none. */
    binding_id: text,
    bound_at: text,
  },
  /** Keys and values of projects, which their workspaces inherit. */
  project_tags: {
    project_id: text,
    tag_id: text,
    value: text,
    binding_id: text,
    bound_at: text,
    /** Order of adding on its project. */
    position: integer,
  },
  /** Workspaces that may read the state of another, of the same organization. */
  state_consumers: { workspace_id: text, consumer_id: text },
  /** Keys of an organization that workspaces may not override with a value of their own. */
  reserved_tag_keys: {
    id: text,
    organization_id: text,
    key: text,
    disable_overrides: integer,
    created_at: text,
    updated_at: text,
  },
  /** Tag policies of organizations, one row for each organization that has one; see `tag-policies/`. */
  tag_policies: {
    organization_id: text,
    id: text,
    /** Effect on a write that violates a rule. */
    enforce: plain<"advise" | "refuse">(),
    /** The rules as JSON. */
    rules: text,
    created_at: text,
    updated_at: text,
  },
  /** Coverage of each required key, counted once a day; see `tags/rules/days`. Days are numbers since 1970-01-01. */
  tag_coverage_days: {
    organization_id: text,
    key: text,
    day: integer,
    /** Workspaces that had to have the key. */
    workspaces: integer,
    /** Number of them without it. */
    missing: integer,
    /** Number of them that had it as a flat tag. */
    without_value: integer,
    /** Number of different values. */
    value_count: integer,
  },
  ...CHANGE_TABLES,
  ...JOB_TABLES,
  ...IMPORT_TABLES,
};
