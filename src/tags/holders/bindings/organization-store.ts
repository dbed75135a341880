/** All keys and values of an organization, whoever has them. */
import { sql, type Expression, type SqlBool } from "kysely";
import type { Visibility } from "../../../rights/rules/visibility.ts";
import { seesAll, visible } from "../../../storage/reads/conditions.ts";
import type { Reader } from "../../../storage/database.ts";
import { defineQuery } from "../../../storage/reads/query.ts";
import { TAG } from "../../pool/marks.ts";
import type { TagBinding } from "./store.ts";
import type { TaggedFilter } from "./tagged-store.ts";

/** A binding with who has it. */
export interface HeldByAnyone extends TagBinding {
  tag: string;
  type: "workspaces" | "projects";
  holder: string;
}

export interface BindingFilter {
  organization: string;
  /** The workspaces whose bindings may be shown. */
  visibility: Visibility;
  type?: HeldByAnyone["type"] | undefined;
  /** Keys and values, one of which it has to be. */
  tagged?: TaggedFilter | undefined;
}

const SHOWN = ["link.binding_id as bindingId", "tags.name as key", "link.value", "link.bound_at as boundAt"] as const;

function ofWorkspaces(db: Reader, { organization, visibility, tagged }: BindingFilter) {
  let query = db.sql
    .selectFrom("tags")
    .innerJoin("workspace_tags as link", "link.tag_id", "tags.id")
    .where("tags.organization_id", "=", organization)
    .where("link.marks", "<>", TAG)
    .select([...SHOWN, "link.tag_id as tag", "link.workspace_id as holder"])
    .select(sql<HeldByAnyone["type"]>`'workspaces'`.as("type"));
  if (!seesAll(visibility)) query = query.where(visible(db.engine, sql.ref("link.workspace_key"), visibility));
  return tagged === undefined ? query : query.where(isOneOf(tagged));
}

function ofProjects(db: Reader, { organization, tagged }: BindingFilter) {
  const query = db.sql
    .selectFrom("tags")
    .innerJoin("project_tags as link", "link.tag_id", "tags.id")
    .innerJoin("projects", "projects.id", "link.project_id")
    .where("tags.organization_id", "=", organization)
    .select([...SHOWN, "link.tag_id as tag", "link.project_id as holder"])
    .select(sql<HeldByAnyone["type"]>`'projects'`.as("type"));
  return tagged === undefined ? query : query.where(isOneOf(tagged));
}

function isOneOf({ tests }: TaggedFilter): Expression<SqlBool> {
  const conditions = tests.map(({ tag, value }) =>
    value === undefined ? sql`link.tag_id = ${tag}` : sql`(link.tag_id = ${tag} and link.value = ${value})`,
  );
  return sql<SqlBool>`(${sql.join(conditions, sql` or `)})`;
}

function all(db: Reader, filter: BindingFilter) {
  if (filter.type === "projects") return ofProjects(db, filter);
  if (filter.type === "workspaces") return ofWorkspaces(db, filter);
  return ofWorkspaces(db, filter).unionAll(ofProjects(db, filter));
}

/** A page of bindings in order of keys, then of values. */
export function listAllBindings(
  db: Reader,
  filter: BindingFilter,
  limit: number,
  offset: number,
): Promise<HeldByAnyone[]> {
  return db.sql
    .selectFrom(all(db, filter).as("binding"))
    .select(["bindingId", "key", "value", "boundAt", "tag", "holder", "type"])
    .orderBy("key")
    .orderBy("value")
    .orderBy("type")
    .orderBy("holder")
    .limit(limit)
    .offset(offset)
    .execute();
}

export async function countAllBindings(db: Reader, filter: BindingFilter): Promise<number> {
  const row = await db.sql
    .selectFrom(all(db, filter).as("binding"))
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirst();
  return row?.count ?? 0;
}

const usesOfPair = defineQuery((db, p: { tag: string; value: string }) =>
  db.selectNoFrom([
    sql<number>`(select count(*) from workspace_tags
      where tag_id = ${p.tag} and value = ${p.value} and marks > 1)`.as("workspaces"),
    sql<number>`(select count(*) from project_tags where tag_id = ${p.tag} and value = ${p.value})`.as("projects"),
  ]),
);

/** How many workspaces and projects have a key with this value themselves. */
export async function countPair(
  db: Reader,
  tag: string,
  value: string,
): Promise<{ workspaces: number; projects: number }> {
  return (await db.run(usesOfPair, { tag, value }))[0] ?? { workspaces: 0, projects: 0 };
}
