/** Reads of the relation of workspaces and tags. */
import { sql, type Kysely, type SqlBool } from "kysely";
import { contains } from "../../../storage/reads/conditions.ts";
import type { Database, Reader } from "../../../storage/database.ts";
import { defineQuery, oneOf, valuesOf } from "../../../storage/reads/query.ts";
import { runInSlices } from "../../../storage/purge/slices.ts";
import type { Tables } from "../../../storage/tables/tables.ts";
import { NAMED_COLUMNS, TAG_COLUMNS, type TagLink, type NamedTag, type Tag } from "../../pool/store.ts";
import { BINDING, TAG } from "../../pool/marks.ts";
import type { Carrier } from "../holder.ts";

const LINK_COLUMNS = ["marks", "value", "binding_id as bindingId", "bound_at as boundAt"] as const;

const carriers = defineQuery((db, p: { tag: string; workspaces: readonly string[] }, engine) =>
  db
    .selectFrom("workspace_tags")
    .select(["workspace_id as id", ...LINK_COLUMNS])
    .where("tag_id", "=", p.tag)
    .where(oneOf(engine, sql.ref("workspace_id"), p.workspaces)),
);

/** Finds the workspaces that have the tag, among these, with their links. */
export async function findCarriers(
  db: Reader,
  tag: string,
  workspaces: readonly string[],
): Promise<Map<string, TagLink>> {
  const rows = await runInSlices(db, carriers, workspaces, (some) => ({ tag, workspaces: some }));
  return new Map(rows.map((row) => [row.id, row]));
}

const links = defineQuery((db, p: { tags: readonly string[]; workspaces: readonly string[] }, engine) =>
  db
    .selectFrom("workspace_tags")
    .select(["workspace_id as workspace", "tag_id as tag", ...LINK_COLUMNS])
    .where(oneOf(engine, sql.ref("workspace_id"), p.workspaces))
    .where(oneOf(engine, sql.ref("tag_id"), p.tags)),
);

/** How these workspaces hold these tags, by the workspace's id and the tag's. */
export async function findLinks(
  db: Reader,
  tags: readonly string[],
  workspaces: readonly string[],
): Promise<Map<string, Map<string, TagLink>>> {
  const rows =
    tags.length === 0 ? [] : await runInSlices(db, links, workspaces, (some) => ({ tags, workspaces: some }));
  const found = new Map<string, Map<string, TagLink>>();
  for (const row of rows) found.set(row.workspace, (found.get(row.workspace) ?? new Map()).set(row.tag, row));
  return found;
}

const carriersOfTag = defineQuery((db, p: { tag: string; limit: number }) =>
  db
    .selectFrom("workspace_tags")
    .innerJoin("workspaces", "workspaces.id", "workspace_tags.workspace_id")
    .select(["workspaces.id", "workspaces.organization_id as organizationId", "workspaces.name"])
    .select(["workspaces.name_key as nameKey", "workspaces.project_id as projectId"])
    .where("tag_id", "=", p.tag)
    .orderBy("workspace_key")
    .limit(p.limit),
);

/** The first workspaces that carry a tag, as tag or as key, in order of their names. */
export function listCarriersOfTag(db: Reader, tag: string, limit: number): Promise<Carrier[]> {
  return db.run(carriersOfTag, { tag, limit });
}

/** Selects the tags and keys of workspaces. Links to deleted tags are left out. */
function carried(db: Kysely<Tables>) {
  return db.selectFrom("workspace_tags").innerJoin("tags", "tags.id", "workspace_tags.tag_id");
}

/** Selects the flat tags of workspaces. */
export function carriedTags(db: Kysely<Tables>) {
  return carried(db).where("marks", "<>", BINDING);
}

const slice = defineQuery((db, p: { workspace: string; after: string; limit: number }) =>
  carried(db)
    .select([...NAMED_COLUMNS, ...LINK_COLUMNS])
    .where("workspace_id", "=", p.workspace)
    .where("tag_id", ">", p.after)
    .orderBy("tag_id")
    .limit(p.limit),
);

const bound = defineQuery((db, p: { workspace: string }) =>
  carried(db)
    .select([...NAMED_COLUMNS, ...LINK_COLUMNS])
    .where("workspace_id", "=", p.workspace)
    .where("marks", "<>", TAG),
);

/** The tags that a workspace has as keys, in no order. */
export function findBound(db: Reader, workspace: string): Promise<NamedTag[]> {
  return db.run(bound, { workspace });
}

const boundAmong = defineQuery((db, p: { tags: readonly string[] }, engine) =>
  db
    .selectFrom(valuesOf(engine, p.tags))
    .select("value as id")
    .where(
      sql<SqlBool>`exists (select 1 from workspace_tags where tag_id = listed.value and marks > 1)
        or exists (select 1 from project_tags where tag_id = listed.value)`,
    )
    .limit(1),
);

/** Whether any workspace or project has one of these tags as a key. */
export async function anyBound(db: Reader, tags: readonly string[]): Promise<boolean> {
  return (await runInSlices(db, boundAmong, tags, (some) => ({ tags: some }))).length > 0;
}

const keysAlone = defineQuery((db, p: { tag: string }) =>
  db
    .selectFrom("workspace_tags")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("tag_id", "=", p.tag)
    .where("marks", ">", 1)
    .where("marks", "=", BINDING),
);

/** How many workspaces have the tag as a key and not as a flat one; counted by the index of values. */
export async function countKeysAlone(db: Reader, tag: string): Promise<number> {
  return (await db.run(keysAlone, { tag }))[0]?.count ?? 0;
}

const boundCounts = defineQuery((db, p: { workspaces: readonly string[] }, engine) =>
  carried(db)
    .select(["workspace_id as id", (eb) => eb.fn.countAll<number>().as("count")])
    .where(oneOf(engine, sql.ref("workspace_id"), p.workspaces))
    .where("marks", "<>", TAG)
    .groupBy("workspace_id"),
);

/** How many keys each of these workspaces has; none where it is not mentioned. */
export async function countBound(db: Reader, workspaces: readonly string[]): Promise<Map<string, number>> {
  const rows = await runInSlices(db, boundCounts, workspaces, (some) => ({ workspaces: some }));
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** Lists the tags and keys of a workspace, in order of the tags' ids, after the id `after`. */
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

/** Returns the reader for all tags of a workspace: it reads off the event loop when there are very many. */
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

/** Finds the workspaces that have at least `count` links, to tags that exist or existed. */
export async function findCrowded(db: Reader, workspaces: readonly string[], count: number): Promise<string[]> {
  const rows = await runInSlices(db, crowded, workspaces, (some) => ({ workspaces: some, offset: count - 1 }));
  return rows.map(({ id }) => id);
}
