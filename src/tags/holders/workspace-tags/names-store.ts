/** Names of the tags of workspaces, as lists of workspaces show them. */
import { sql } from "kysely";
import { listTurns } from "../../../list-work.ts";
import type { Database, Reader } from "../../../storage/database.ts";
import { defineQuery, oneOf, valuesOf } from "../../../storage/reads/query.ts";
import { BINDING } from "../../pool/marks.ts";
import { carriedTags } from "./store.ts";

/** Rows that may be read in the event loop, and of which a long read takes slices. */
const NEAR = 1000;

/** Name of a tag on a workspace, with what orders it. */
interface TagNameRow {
  workspace: string;
  tag: string;
  name: string;
  position: number;
}

const NAME_COLUMNS = ["workspace_id as workspace", "tag_id as tag", "tags.name", "position"] as const;

// From each workspace to its links. In their order PostgreSQL reads them without sorting, and without one it walks the whole
// table; SQLite keeps to the order of a cross join and would sort the workspaces first.
const names = defineQuery((db, p: { workspaces: readonly string[]; limit: number }, engine) =>
  engine === "postgres"
    ? carriedTags(db)
        .select(NAME_COLUMNS)
        .where(oneOf(engine, sql.ref("workspace_id"), p.workspaces))
        .orderBy("workspace_id")
        .orderBy("tag_id")
        .limit(p.limit)
    : db
        .selectFrom(valuesOf(engine, p.workspaces))
        .crossJoin("workspace_tags")
        .crossJoin("tags")
        .select(NAME_COLUMNS)
        .whereRef("workspace_id", "=", "listed.value")
        .whereRef("tags.id", "=", "workspace_tags.tag_id")
        .where("marks", "<>", BINDING)
        .limit(p.limit),
);

const namesAfter = defineQuery((db, p: { workspace: string; after: string; limit: number }) =>
  carriedTags(db)
    .select(NAME_COLUMNS)
    .where("workspace_id", "=", p.workspace)
    .where("tag_id", ">", p.after)
    .orderBy("tag_id")
    .limit(p.limit),
);

/**
 * Names of the tags of workspaces, in the order of adding.
 *
 * @returns a list for each workspace that carries any
 */
export async function tagNamesOf(db: Database, workspaces: readonly string[]): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  if (workspaces.length === 0) return found;
  const rows = await db.run(names, { workspaces, limit: NEAR + 1 });
  if (rows.length <= NEAR) collect(found, rows);
  else for (const workspace of workspaces) collect(found, await readAllNames(db.long, workspace));
  return found;
}

/** Reads the tag names of one workspace, in slices. The event loop gets a turn between them. */
async function readAllNames(db: Reader, workspace: string): Promise<TagNameRow[]> {
  const all: TagNameRow[] = [];
  for (;;) {
    const rows = await db.run(namesAfter, { workspace, after: all.at(-1)?.tag ?? "", limit: NEAR });
    all.push(...rows);
    if (rows.length < NEAR) return all;
    await listTurns.pause();
  }
}

function collect(found: Map<string, string[]>, rows: TagNameRow[]): void {
  rows.sort((a, b) => a.position - b.position || (a.tag < b.tag ? -1 : 1));
  for (const { workspace, name } of rows) {
    const list = found.get(workspace);
    if (list === undefined) found.set(workspace, [name]);
    else list.push(name);
  }
}
