import { sql, type Kysely } from "kysely";
import { addToOrganizationCounts } from "../../organizations/store.ts";
import type { Reader, Transaction } from "../../storage/database.ts";
import { insertOf, selectionOf, type ObjectOf } from "../../storage/writes/objects.ts";
import { definePoint, defineQuery, oneOf } from "../../storage/reads/query.ts";
import { runInSlices, slices } from "../../storage/purge/slices.ts";
import type { Tables } from "../../storage/tables/tables.ts";
import { BINDING } from "./marks.ts";

/** A tag as lists show it; its `instanceCount` is how many workspaces carry it. */
export type Tag = Omit<ObjectOf<"tags">, "organizationId" | "pinned" | "projectCount">;

/** A tag with the organization that owns it. */
export interface OwnedTag extends ObjectOf<"tags"> {
  organizationName: string;
  organizationExecutionMode: string;
  /** Tags in the organization's pool. */
  poolSize: number;
}

export const TAG_COLUMNS = selectionOf("tags", "organization_id", "pinned", "project_count");

const byId = definePoint("tags.id", (db) =>
  db
    .selectFrom("tags")
    .innerJoin("organizations", "organizations.id", "tags.organization_id")
    .select([
      ...selectionOf("tags"),
      "organizations.name as organizationName",
      "organizations.default_execution_mode as organizationExecutionMode",
      "organizations.tag_count as poolSize",
    ]),
);

/** Finds a tag by its id; none whose organization is gone. */
export function findTag(db: Reader, id: string): Promise<OwnedTag | undefined> {
  return db.point(byId, id);
}

const page = defineQuery((db, p: { organization: string; limit: number; offset: number }) =>
  db
    .selectFrom("tags")
    .select(TAG_COLUMNS)
    .where("organization_id", "=", p.organization)
    .orderBy("name")
    .limit(p.limit)
    .offset(p.offset),
);

/** The place is counted in the statement that reads: tags made since an earlier count would move what is at the end. */
const pageFromEnd = defineQuery((db, p: { organization: string; limit: number; offset: number }, engine) => {
  const count = db.selectFrom("organizations").select("tag_count").where("id", "=", p.organization);
  const [least, greatest] = engine === "postgres" ? [sql`least`, sql`greatest`] : [sql`min`, sql`max`];
  const rest = sql`(${count}) - cast(${p.offset} as bigint)`;
  const limit = sql<number>`${greatest}(0, ${least}(cast(${p.limit} as bigint), ${rest}))`;
  return db
    .selectFrom("tags")
    .select(TAG_COLUMNS)
    .where("organization_id", "=", p.organization)
    .orderBy("name", "desc")
    .limit(limit)
    .offset(sql<number>`${greatest}(0, ${rest} - cast(${p.limit} as bigint))`);
});

/** A page of the pool in order of names. */
export function listTags(db: Reader, organization: string, limit: number, offset: number): Promise<Tag[]> {
  return db.run(page, { organization, limit, offset });
}

/** Reads a page of the pool in order of names, from the other end of the pool. */
export async function listTagsFromEnd(db: Reader, organization: string, limit: number, offset: number): Promise<Tag[]> {
  return (await db.run(pageFromEnd, { organization, limit, offset })).toReversed();
}

const pageExcluding = defineQuery((db, p: { organization: string; workspace: string; limit: number; offset: number }) =>
  db
    .selectFrom("tags")
    .select(TAG_COLUMNS)
    .where("organization_id", "=", p.organization)
    .where(notCarriedBy(p.workspace))
    .orderBy("name")
    .limit(p.limit)
    .offset(p.offset),
);

/** A page of the tags that a workspace does not carry. */
export function listTagsExcluding(
  db: Reader,
  organization: string,
  workspace: string,
  limit: number,
  offset: number,
): Promise<Tag[]> {
  return db.run(pageExcluding, { organization, workspace, limit, offset });
}

/** The tag of the query is not on this workspace as a flat tag. */
export function notCarriedBy(workspace: string) {
  return sql<boolean>`not exists (select 1 ${linksTo(workspace)} and marks <> ${sql.lit(BINDING)})`;
}

function linksTo(workspace: string) {
  return sql`from workspace_tags where workspace_id = ${workspace} and tag_id = tags.id`;
}

/** How a workspace holds a tag. */
export interface TagLink {
  /** As what it was put on; see `marks.ts`. */
  marks: number;
  /** Value of the binding. Empty for none, and where there is no binding. */
  value: string;
  bindingId: string;
  boundAt: string;
}

/** A tag that a request names, with what decides whether it stays in the pool, and how the workspace in question holds it. */
export interface NamedTag extends Tag, TagLink {
  pinned: number;
  projectCount: number;
}

export const NAMED_COLUMNS = [...TAG_COLUMNS, "tags.pinned", "tags.project_count as projectCount"] as const;

/** Tags with how a workspace holds them; `marks` is 0 where it does not. */
function withLinks(db: Kysely<Tables>, workspace: string) {
  return db
    .selectFrom("tags")
    .leftJoin("workspace_tags as link", (join) =>
      join.on("link.workspace_id", "=", workspace).onRef("link.tag_id", "=", "tags.id"),
    )
    .select(NAMED_COLUMNS)
    .select([
      sql<number>`coalesce(link.marks, 0)`.as("marks"),
      sql<string>`coalesce(link.value, '')`.as("value"),
      sql<string>`coalesce(link.binding_id, '')`.as("bindingId"),
      sql<string>`coalesce(link.bound_at, '')`.as("boundAt"),
    ]);
}

const byNames = defineQuery((db, p: { organization: string; names: readonly string[]; workspace: string }, engine) =>
  withLinks(db, p.workspace)
    .where("organization_id", "=", p.organization)
    .where(oneOf(engine, sql.ref("name"), p.names)),
);

// The organization is compared in the program: as a condition it would lead SQLite to walk the whole pool.
const byIds = defineQuery((db, p: { ids: readonly string[]; workspace: string }, engine) =>
  withLinks(db, p.workspace)
    .select("organization_id as organizationId")
    .where(oneOf(engine, sql.ref("tags.id"), p.ids)),
);

/**
 * Finds tags of an organization by their stored names, in no order.
 *
 * @param workspace id of the workspace whose links are given with them; empty when none is meant
 */
export function findTagsByName(
  db: Reader,
  organization: string,
  names: readonly string[],
  workspace = "",
): Promise<NamedTag[]> {
  return runInSlices(db, byNames, names, (slice) => ({ organization, names: slice, workspace }));
}

/** Finds tags of an organization by their ids, in no order. Ids of other organizations are not found. */
export async function findTagsById(
  db: Reader,
  organization: string,
  ids: readonly string[],
  workspace = "",
): Promise<NamedTag[]> {
  const tags = await runInSlices(db, byIds, ids, (slice) => ({ ids: slice, workspace }));
  return tags.filter((tag) => tag.organizationId === organization);
}

const insert = insertOf("tags");

export function insertTag(tx: Transaction, tag: ObjectOf<"tags">): void {
  tx.write(insert, tag);
}

/** Numbers of workspaces and projects that use a tag. */
export interface TagUses {
  workspaces: number;
  projects: number;
}

export const ONE_WORKSPACE: TagUses = { workspaces: 1, projects: 0 };
export const ONE_PROJECT: TagUses = { workspaces: 0, projects: 1 };

const addCounts = defineQuery((db, p: TagUses & { ids: readonly string[] }, engine) =>
  db
    .updateTable("tags")
    .set((eb) => ({
      instance_count: eb("instance_count", "+", p.workspaces),
      project_count: eb("project_count", "+", p.projects),
    }))
    .where(oneOf(engine, sql.ref("id"), p.ids)),
);

/** Counts so many more uses of each of these tags; fewer where a number is negative. */
export function addUses(tx: Transaction, ids: readonly string[], { workspaces, projects }: TagUses): void {
  for (const slice of slices(tx, ids)) tx.write(addCounts, { ids: slice, workspaces, projects });
}

/** Adds tags that do not exist, each with its first use. */
export function bearTags(
  tx: Transaction,
  organization: string,
  tags: readonly { id: string; name: string }[],
  now: string,
  { workspaces, projects }: TagUses,
): void {
  const counts = { instanceCount: workspaces, projectCount: projects };
  for (const { id, name } of tags)
    insertTag(tx, { id, name, organizationId: organization, pinned: 0, createdAt: now, ...counts });
  if (tags.length > 0) addToOrganizationCounts(tx, organization, { tags: tags.length });
}

/** Facts that decide whether a tag stays in the pool. */
export type UsedTag = Pick<NamedTag, "id" | "pinned" | "instanceCount" | "projectCount">;

/** Counts so many uses fewer of each; tags born by use that have none left leave the pool. */
export function dropUses(
  tx: Transaction,
  organization: string,
  tags: readonly UsedTag[],
  { workspaces, projects }: TagUses,
): void {
  const { left = [], unused = [] } = Object.groupBy(tags, ({ pinned, instanceCount, projectCount }) =>
    pinned === 0 && instanceCount === workspaces && projectCount === projects ? "unused" : "left",
  );
  addUses(tx, idsOf(left), { workspaces: -workspaces, projects: -projects });
  if (unused.length === 0) return;
  deleteTags(tx, idsOf(unused));
  addToOrganizationCounts(tx, organization, { tags: -unused.length });
}

/** Their ids. */
export function idsOf(all: readonly { id: string }[]): string[] {
  return all.map(({ id }) => id);
}

const pin = defineQuery((db, p: { ids: readonly string[]; pinned: number }, engine) =>
  db
    .updateTable("tags")
    .set({ pinned: p.pinned })
    .where(oneOf(engine, sql.ref("id"), p.ids)),
);

/** @param pinned 0 lets them leave with their last use, of which they have some */
export function pinTags(tx: Transaction, ids: readonly string[], pinned = 1): void {
  for (const slice of slices(tx, ids)) tx.write(pin, { ids: slice, pinned });
}

const rename = defineQuery((db, p: { id: string; name: string }) =>
  db.updateTable("tags").set({ name: p.name }).where("id", "=", p.id),
);

export function renameTag(tx: Transaction, id: string, name: string): void {
  tx.write(rename, { id, name });
}

const remove = defineQuery((db, p: { ids: readonly string[] }, engine) =>
  db.deleteFrom("tags").where(oneOf(engine, sql.ref("id"), p.ids)),
);

/** Takes tags out of the pool; what workspaces still hold of them is left for the purge. */
export function deleteTags(tx: Transaction, ids: readonly string[]): void {
  for (const slice of slices(tx, ids)) tx.write(remove, { ids: slice });
}
