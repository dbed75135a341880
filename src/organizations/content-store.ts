/**
 * What tells whether anything of an organization has changed: its counter, which writers of what it owns raise, and its own
 * attributes, which change under the counter of all organizations. Documents that were read at the same are the same.
 */
import { sql, type SelectQueryBuilder } from "kysely";
import { fold } from "../acl/rules/fold.ts";
import { counterName } from "../storage/counters.ts";
import { readCounter } from "../storage/feed-touches.ts";
import type { Reader } from "../storage/database.ts";
import { definePoint } from "../storage/query.ts";
import type { Tables } from "../storage/tables.ts";

/** What a counter guards, as it was read: another text after every write that changes it. */
export interface ContentState {
  /** The counter; see `counterName`. */
  counter: string;
  at: string;
}

/** @param key of something that an organization owns, or of an organization */
function stateBy(table: "organizations" | "projects" | "tags" | "workspaces", key: string) {
  return definePoint(`${table}.${key}`, (db) => {
    const rows =
      table === "organizations"
        ? db.selectFrom("organizations")
        : db.selectFrom(table as "tags").innerJoin("organizations", "organizations.id", "organization_id");
    return (rows as unknown as SelectQueryBuilder<Tables, "organizations", object>)
      .select(["organizations.id as id", "organizations.name as name", "organizations.settings as settings"])
      .select(["organizations.email as email", "organizations.default_execution_mode as mode"])
      .select(sql<number>`(select value from counters where name = 'organization/' || organizations.id)`.as("value"));
  });
}

const BY_PARAMETER = {
  workspace_id: stateBy("workspaces", "id"),
  project_id: stateBy("projects", "id"),
  tag_id: stateBy("tags", "id"),
  organization_name: stateBy("organizations", "name_key"),
};
const byId = stateBy("organizations", "id");
type StateQuery = typeof byId;

async function readBy(db: Reader, query: StateQuery, key: string): Promise<ContentState | undefined> {
  const row = await db.point(query, key);
  if (row === undefined) return undefined;
  const { id, value, name, email, mode, settings } = row;
  return {
    counter: counterName({ kind: "organization", id }),
    at: [id, value, name, email, mode, settings].join("\n"),
  };
}

/**
 * The state of what a path speaks of, by the names of its parameters; without any, that of all organizations.
 *
 * @returns undefined where there is no such thing, after as many statements as where there is
 */
export function readContentState(
  db: Reader,
  params: Readonly<Record<string, string>>,
): Promise<ContentState | undefined> {
  for (const [name, query] of Object.entries(BY_PARAMETER)) {
    const key = params[name];
    if (key !== undefined) return readBy(db, query, name === "organization_name" ? fold(key) : key);
  }
  return readGuarded(db, ROOT);
}

const ROOT = counterName({ kind: "root" });
const PREFIX = counterName({ kind: "organization", id: "" });

/** The state of what a counter guards. @returns undefined when that is gone */
export async function readGuarded(db: Reader, counter: string): Promise<ContentState | undefined> {
  if (counter.startsWith(PREFIX)) return readBy(db, byId, counter.slice(PREFIX.length));
  const value = await readCounter(db, counter);
  return value === undefined ? undefined : { counter, at: String(value) };
}
