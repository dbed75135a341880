/** Reads what a database holds after a fault and compares its maintained counts with what they count. */
import { DatabaseSync } from "node:sqlite";
import { withClient } from "../support/postgres-schema.ts";

export interface StoredState {
  readonly tags: ReadonlySet<string>;
  /** Counts, orders and links that do not fit together; empty when all is well. */
  readonly faults: readonly string[];
}

type Rows = (sql: string) => Promise<Record<string, unknown>[]>;

/** Each finds what must not be: a count that is off, a link without its tag that nobody is about to remove. */
const CHECKS = {
  "tag_count of an organization": `select o.name from organizations o
     where o.tag_count <> (select count(*) from tags t where t.organization_id = o.id)`,
  "workspace_count of an organization": `select o.name from organizations o
     where o.workspace_count <> (select count(*) from workspaces w where w.organization_id = o.id)`,
  "project_count of an organization": `select o.name from organizations o
     where o.project_count <> (select count(*) from projects p where p.organization_id = o.id)`,
  "workspace_count of a project": `select p.name from projects p
     where p.workspace_count <> (select count(*) from workspaces w where w.project_id = p.id)`,
  "instance_count of a tag": `select t.name from tags t
     where t.instance_count <> (select count(*) from workspace_tags l where l.tag_id = t.id)`,
  "project_count of a tag": `select t.name from tags t
     where t.project_count <> (select count(*) from project_tags l where l.tag_id = t.id)`,
  "a tag born by use without uses": `select t.name from tags t
     where t.pinned = 0 and t.instance_count = 0 and t.project_count = 0`,
  "a link that is neither a tag nor a key": `select l.tag_id as name from workspace_tags l where l.marks not in (1, 2, 3)`,
  "a key without its id": `select l.tag_id as name from workspace_tags l
     where (l.marks > 1) <> (l.binding_id <> '') or (l.marks = 1 and l.value <> '')`,
  "a link of no tag": `select l.tag_id as name from workspace_tags l
     where not exists (select 1 from tags t where t.id = l.tag_id)
       and not exists (select 1 from purges p where p.target = l.tag_id)`,
  "a key of no tag": `select l.tag_id as name from project_tags l
     where not exists (select 1 from tags t where t.id = l.tag_id)
       and not exists (select 1 from purges p where p.target = l.tag_id)`,
  "an organization without its counter": `select o.name from organizations o
     where not exists (select 1 from counters c where c.name = 'organization/' || o.id)`,
};

export async function readStored(rows: Rows): Promise<StoredState> {
  const tags = await rows("select name from tags");
  const faults: string[] = [];
  for (const [what, sql] of Object.entries(CHECKS)) {
    const found = await rows(sql);
    if (found.length > 0)
      faults.push(
        `${what}: ${found
          .slice(0, 5)
          .map((row) => String(row["name"]))
          .join(" ")}`,
      );
  }
  return { tags: new Set(tags.map((row) => String(row["name"]))), faults };
}

/** Opens a database file that no server has open, and leaves its log as it is: the next start compares that with its mark. */
export async function readSqlite(path: string): Promise<StoredState> {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const integrity = db.prepare("pragma integrity_check").all();
    const keys = db.prepare("pragma foreign_key_check").all();
    const stored = await readStored((sql) => Promise.resolve(db.prepare(sql).all()));
    const broken = [
      ...integrity.map((row) => String(row["integrity_check"])).filter((text) => text !== "ok"),
      ...keys.map(() => "a foreign key"),
    ];
    return { tags: stored.tags, faults: [...broken, ...stored.faults] };
  } finally {
    db.close();
  }
}

export function readPostgres(url: string): Promise<StoredState> {
  return withClient(url, (client) =>
    readStored(async (sql) => (await client.query<Record<string, unknown>>(sql)).rows),
  );
}
