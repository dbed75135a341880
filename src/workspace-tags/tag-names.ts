import { setImmediate } from "node:timers/promises";
import type { Database, Reader } from "../storage/database.ts";
import { carriesMoreThan, listTagNames, listTagNamesAfter, type TagNameRow } from "./store.ts";

/** Rows that may be read in the event loop, and of which a long read takes slices. */
const NEAR = 1000;

/**
 * Names of the tags of workspaces, in the order of adding.
 *
 * @returns a list for each workspace that carries any
 */
export async function tagNamesOf(db: Database, workspaces: readonly string[]): Promise<Map<string, string[]>> {
  const names = new Map<string, string[]>();
  if (workspaces.length === 0) return names;
  const rows = await listTagNames(db, workspaces, NEAR + 1);
  if (rows.length <= NEAR) collect(names, rows);
  else for (const workspace of workspaces) collect(names, await readAll(db.long, workspace));
  return names;
}

/** All of one workspace, in slices between which the event loop gets its turn. */
async function readAll(db: Reader, workspace: string): Promise<TagNameRow[]> {
  const all: TagNameRow[] = [];
  let after = "";
  for (;;) {
    const rows = await listTagNamesAfter(db, workspace, after, NEAR);
    all.push(...rows);
    const last = rows.at(-1);
    if (rows.length < NEAR || last === undefined) return all;
    after = last.tag;
    await setImmediate();
  }
}

function collect(names: Map<string, string[]>, rows: TagNameRow[]): void {
  rows.sort((a, b) => a.position - b.position || (a.tag < b.tag ? -1 : 1));
  for (const { workspace, name } of rows) {
    const list = names.get(workspace);
    if (list === undefined) names.set(workspace, [name]);
    else list.push(name);
  }
}

/** Where reads of all tags of a workspace go: off the event loop when it carries very many. */
export async function readerForTagsOf(db: Database, workspace: string): Promise<Reader> {
  return (await carriesMoreThan(db, workspace, NEAR)) ? db.long : db;
}
