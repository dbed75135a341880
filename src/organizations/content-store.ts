/**
 * Whether anything that is owned by an organization has changed: its counter, which its writers raise, and `root`, whose
 * writers change organizations themselves. What was read at the same two is the same.
 */
import { sql } from "kysely";
import { fold } from "../acl/rules/fold.ts";
import { counterName, readCounter, type ContentState } from "../storage/counters.ts";
import type { Reader } from "../storage/database.ts";
import { definePoint } from "../storage/query.ts";

const ROOT = counterName({ kind: "root" });

/** The counter of an organization beside that of `root`, by a key of what it owns. @param owner column of its ID */
function countersBy(table: "organizations" | "projects" | "tags" | "workspaces", key: string, owner: string) {
  return definePoint(`${table}.${key}`, (db) =>
    db
      .selectFrom(table as "tags")
      .innerJoin("counters", (join) =>
        join.on(sql<boolean>`counters.name = 'organization/' || ${sql.ref(`${table}.${owner}`)}`),
      )
      .select(["counters.name as name", "counters.value as value"])
      .select(sql<number>`(select value from counters where name = ${sql.lit(ROOT)})`.as("root")),
  );
}

const BY_PARAMETER = {
  workspace_id: countersBy("workspaces", "id", "organization_id"),
  project_id: countersBy("projects", "id", "organization_id"),
  tag_id: countersBy("tags", "id", "organization_id"),
  organization_name: countersBy("organizations", "name_key", "id"),
};

/** The state of what a path speaks of, by the names of its parameters; without any, that of all organizations. */
export async function readContentState(db: Reader, params: Readonly<Record<string, string>>): Promise<ContentState> {
  for (const [name, query] of Object.entries(BY_PARAMETER)) {
    const given = params[name];
    if (given === undefined) continue;
    const row = await db.point(query, name === "organization_name" ? fold(given) : given);
    // Nothing to wait for: it costs as many statements as what the caller may not see.
    if (row === undefined) return { at: undefined, counters: [] };
    return {
      at: `${row.name} ${row.value} ${row.root}`,
      counters: [
        { name: row.name, value: row.value },
        { name: ROOT, value: row.root },
      ],
    };
  }
  const value = (await readCounter(db, ROOT)) ?? 0;
  return { at: undefined, counters: [{ name: ROOT, value }] };
}
