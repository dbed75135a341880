/**
 * Lists the tables that a backup contains. A backup contains each table that is not listed here as left out: a test
 * compares both with the schema.
 */
import { columnsOf, keyOf, TABLES, type Tables } from "../storage/tables/tables.ts";
import type { BackedUpTable } from "./format.ts";

type TableName = keyof Tables;

/** Tables that are not copied, and why. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  leases: "who does background work is a matter of the servers that run: the restored ones take the leases themselves",
  schema_migrations: "the header names them, and a restore applies them",
  schema_lock: "the turn of a server that changes the schema; PostgreSQL only",
  master_key_users:
    "servers that run by the master key that is to go note themselves; those of the source are not the restored one's",
  use_servers: "last flush of each running server, which restored servers do not have",
  object_counts: "numbers of objects, which are counted again when all is loaded",
  log_mark: "which mark the log of this very file has, and how many commits there were; SQLite only",
  tags_search: "trigrams of the names of tags, which triggers make again as the tags come; SQLite only",
};

/**
 * Tables whose rows are deleted with those of `tokens`, by `accessor_id`. An embedded database does not delete them by
 * itself while it is being loaded.
 */
export const OF_TOKENS = [
  "token_uses",
  "token_secrets",
  "console_sessions",
  "use_rows",
  "views",
] as const satisfies readonly TableName[];

/** By what the rows of a table are ordered: its primary key. Those that `tables.ts` declares a key for are not here. */
const KEYS: Partial<Record<TableName, readonly string[]>> = {
  counters: ["name"],
  table_indexes: ["name"],
  data_keys: ["id"],
  purges: ["id"],
  token_uses: ["accessor_id"],
  use_gaps: ["place"],
  deleted_methods: ["id"],
  used_login_states: ["id"],
  organizations: ["id"],
  projects: ["id"],
  workspaces: ["id"],
  tags: ["id"],
  workspace_tags: ["workspace_id", "tag_id"],
  project_tags: ["project_id", "tag_id"],
  state_consumers: ["workspace_id", "consumer_id"],
  reserved_tag_keys: ["id"],
  tag_policies: ["organization_id"],
  tag_coverage_days: ["organization_id", "key", "day"],
  changes: ["organization_id", "position"],
  change_floors: ["organization_id"],
  tag_webhooks: ["id"],
  tag_jobs: ["id"],
  tag_imports: ["id"],
  tag_import_records: ["import_id", "ordinal"],
  audit_records: ["chain", "seq"],
  audit_heads: ["chain"],
  audit_cuts: ["chain"],
  audit_positions: ["sink", "chain"],
  audit_sinks: ["sink"],
};

/** The tables of a backup, in the order in which they are loaded: what others refer to comes first. */
export const BACKED_UP: readonly (BackedUpTable & { name: TableName; key: readonly string[] })[] = (
  Object.keys(TABLES) as TableName[]
)
  .filter((name) => !(name in LEFT_OUT))
  .map((name) => ({ name, columns: columnsOf(name) ?? [], key: KEYS[name] ?? [keyOf(name)] }));
