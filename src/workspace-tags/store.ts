import { setImmediate } from "node:timers/promises";
import { sql, type Kysely } from "kysely";
import { contains } from "../storage/conditions.ts";
import type { Database, Reader, Transaction } from "../storage/database.ts";
import { insertOf, type ObjectOf } from "../storage/objects.ts";
import { defineQuery, oneOf, valuesOf } from "../storage/query.ts";
import { runInSlices, slices } from "../storage/slices.ts";
import type { Tables } from "../storage/tables.ts";
import { NAMED_COLUMNS, TAG_COLUMNS, type NamedTag, type Tag } from "../tags/store.ts";
import { BINDING } from "../tags/marks.ts";

/** Queries on which workspace carries which tag. */

const insert = insertOf("workspace_tags");

/** @param link its `position` is the order of adding on the workspace; grows from one transaction to the next */
export function insertLink(tx: Transaction, link: ObjectOf<"workspace_tags">): void {
  tx.write(insert, link);
}

const removeFromWorkspace = defineQuery((db, p: { workspace: string; tags: readonly string[] }, engine) =>
  db
    .deleteFrom("workspace_tags")
    .where("workspace_id", "=", p.workspace)
    .where(oneOf(engine, sql.ref("tag_id"), p.tags)),
);

/** Takes tags off one workspace. */
export function deleteLinksOfWorkspace(tx: Transaction, workspace: string, tags: readonly string[]): void {
  for (const slice of slices(tx, tags)) tx.write(removeFromWorkspace, { workspace, tags: slice });
}

const removeFromTag = defineQuery((db, p: { tag: string; workspaces: readonly string[] }, engine) =>
  db
    .deleteFrom("workspace_tags")
    .where("tag_id", "=", p.tag)
    .where(oneOf(engine, sql.ref("workspace_id"), p.workspaces)),
);

/** Takes one tag off workspaces. */
export function deleteLinksOfTag(tx: Transaction, tag: string, workspaces: readonly string[]): void {
  for (const slice of slices(tx, workspaces)) tx.write(removeFromTag, { tag, workspaces: slice });
}

const mark = defineQuery((db, p: { workspace: string; tags: readonly string[]; marks: number }, engine) =>
  db
    .updateTable("workspace_tags")
    .set({ marks: p.marks })
    .where("workspace_id", "=", p.workspace)
    .where(oneOf(engine, sql.ref("tag_id"), p.tags)),
);

/** Says as what a workspace carries these tags, which it does already. */
export function markLinksOfWorkspace(tx: Transaction, workspace: string, tags: readonly string[], marks: number): void {
  for (const slice of slices(tx, tags)) tx.write(mark, { workspace, tags: slice, marks });
}

const markCarriers = defineQuery((db, p: { tag: string; workspaces: readonly string[]; marks: number }, engine) =>
  db
    .updateTable("workspace_tags")
    .set({ marks: p.marks })
    .where("tag_id", "=", p.tag)
    .where(oneOf(engine, sql.ref("workspace_id"), p.workspaces)),
);

/** The same of one tag on many workspaces. */
export function markLinksOfTag(tx: Transaction, tag: string, workspaces: readonly string[], marks: number): void {
  for (const slice of slices(tx, workspaces)) tx.write(markCarriers, { tag, workspaces: slice, marks });
}

const renameWorkspace = defineQuery(
  (db, p: { workspace: string; tags: readonly string[]; workspaceKey: string }, engine) =>
    db
      .updateTable("workspace_tags")
      .set({ workspace_key: p.workspaceKey })
      .where("workspace_id", "=", p.workspace)
      .where(oneOf(engine, sql.ref("tag_id"), p.tags)),
);

/** Writes the new key of a workspace into its links with these tags. */
export function updateWorkspaceKey(
  tx: Transaction,
  workspace: string,
  tags: readonly string[],
  workspaceKey: string,
): void {
  for (const slice of slices(tx, tags)) tx.write(renameWorkspace, { workspace, tags: slice, workspaceKey });
}

const carriers = defineQuery((db, p: { tag: string; workspaces: readonly string[] }, engine) =>
  db
    .selectFrom("workspace_tags")
    .select(["workspace_id as id", "marks"])
    .where("tag_id", "=", p.tag)
    .where(oneOf(engine, sql.ref("workspace_id"), p.workspaces)),
);

/** Which of these workspaces carry the tag, and as what. */
export async function findCarriers(
  db: Reader,
  tag: string,
  workspaces: readonly string[],
): Promise<Map<string, number>> {
  const rows = await runInSlices(db, carriers, workspaces, (slice) => ({ tag, workspaces: slice }));
  return new Map(rows.map(({ id, marks }) => [id, marks]));
}

/** What workspaces carry, as tags or as keys; links to tags that were deleted lead nowhere. */
function carried(db: Kysely<Tables>) {
  return db.selectFrom("workspace_tags").innerJoin("tags", "tags.id", "workspace_tags.tag_id");
}

/** The flat tags of them. */
function carriedTags(db: Kysely<Tables>) {
  return carried(db).where("marks", "<>", BINDING);
}

const slice = defineQuery((db, p: { workspace: string; after: string; limit: number }) =>
  carried(db)
    .select([...NAMED_COLUMNS, "marks"])
    .where("workspace_id", "=", p.workspace)
    .where("tag_id", ">", p.after)
    .orderBy("tag_id")
    .limit(p.limit),
);

/** What a workspace carries, in order of the tags' ids, after the id `after`. */
export function listTagsAfter(db: Reader, workspace: string, after: string, limit: number): Promise<NamedTag[]> {
  return db.run(slice, { workspace, after, limit });
}

const pageOfWorkspace = defineQuery(
  (db, p: { workspace: string; part: string; limit: number; offset: number }, engine) =>
    carriedTags(db)
      .select(TAG_COLUMNS)
      .where("workspace_id", "=", p.workspace)
      .where(contains(engine, sql.ref("name"), p.part))
      .orderBy("position")
      .orderBy("tag_id")
      .limit(p.limit)
      .offset(p.offset),
);

const countOfWorkspace = defineQuery((db, p: { workspace: string; part: string }, engine) =>
  carriedTags(db)
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("workspace_id", "=", p.workspace)
    .where(contains(engine, sql.ref("name"), p.part)),
);

/** Tags of a workspace in the order of adding, with how many there are; only names that hold `part` (folded). */
export async function listTagsOfWorkspace(
  db: Reader,
  workspace: string,
  part: string,
  limit: number,
  offset: number,
): Promise<{ tags: Tag[]; total: number }> {
  const [tags, counted] = await Promise.all([
    db.run(pageOfWorkspace, { workspace, part, limit, offset }),
    db.run(countOfWorkspace, { workspace, part }),
  ]);
  return { tags, total: counted[0]?.count ?? 0 };
}

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

/** Of one workspace, in slices between which the event loop gets its turn. */
async function readAllNames(db: Reader, workspace: string): Promise<TagNameRow[]> {
  const all: TagNameRow[] = [];
  for (;;) {
    const rows = await db.run(namesAfter, { workspace, after: all.at(-1)?.tag ?? "", limit: NEAR });
    all.push(...rows);
    if (rows.length < NEAR) return all;
    await setImmediate();
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

const probe = defineQuery((db, p: { workspace: string; offset: number }) =>
  db
    .selectFrom("workspace_tags")
    .select("tag_id")
    .where("workspace_id", "=", p.workspace)
    .orderBy("tag_id")
    .limit(1)
    .offset(p.offset),
);

/** Whether a workspace has more than `count` links, to tags that exist or existed. */
export async function carriesMoreThan(db: Reader, workspace: string, count: number): Promise<boolean> {
  return (await db.run(probe, { workspace, offset: count })).length > 0;
}

/** Where reads of all tags of a workspace go: off the event loop when it carries very many. */
export async function readerForTagsOf(db: Database, workspace: string): Promise<Reader> {
  return (await carriesMoreThan(db, workspace, NEAR)) ? db.long : db;
}

const countOfLiving = defineQuery((db, p: { workspace: string; limit: number }) =>
  db
    .selectFrom(carriedTags(db).select("tag_id").where("workspace_id", "=", p.workspace).limit(p.limit).as("carried"))
    .select((eb) => eb.fn.countAll<number>().as("count")),
);

/** How many tags a workspace carries, counted up to `limit`. */
export async function countTags(db: Reader, workspace: string, limit = Number.MAX_SAFE_INTEGER): Promise<number> {
  return (await db.run(countOfLiving, { workspace, limit }))[0]?.count ?? 0;
}

const crowded = defineQuery((db, p: { workspaces: readonly string[]; offset: number }, engine) =>
  db
    .selectFrom(valuesOf(engine, p.workspaces))
    .select("value as id")
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom("workspace_tags")
          .select("tag_id")
          .whereRef("workspace_id", "=", "listed.value")
          .orderBy("tag_id")
          .limit(1)
          .offset(p.offset),
      ),
    ),
);

/** Those of these workspaces that have at least `count` links, to tags that exist or existed. */
export async function findCrowded(db: Reader, workspaces: readonly string[], count: number): Promise<string[]> {
  const rows = await runInSlices(db, crowded, workspaces, (some) => ({ workspaces: some, offset: count - 1 }));
  return rows.map(({ id }) => id);
}
