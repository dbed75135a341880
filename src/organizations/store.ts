import { sql, type Expression, type SqlBool } from "kysely";
import { fold } from "../fold.ts";
import type { Visibility } from "../rights/rules/visibility.ts";
import type { WorkspaceSight } from "../rights/rules/workspace-sight.ts";
import { contains, visible } from "../storage/reads/conditions.ts";
import { apiWriteRecorder } from "../records/api-objects.ts";
import { counterName, endedCounter } from "../storage/writes/counters.ts";
import type { Reader, Transaction } from "../storage/database.ts";
import type { Engine } from "../storage/engine.ts";
import { insertOf, selectionOf, updateOf, type ObjectOf } from "../storage/writes/objects.ts";
import { definePoint, defineQuery } from "../storage/reads/query.ts";

/** An organization as the program knows it. */
export type Organization = Omit<ObjectOf<"organizations">, "nameKey">;

const COLUMNS = selectionOf("organizations", "name_key");

const byName = definePoint("organizations.name_key", (db) => db.selectFrom("organizations").select(COLUMNS));
const byId = definePoint("organizations.id", (db) => db.selectFrom("organizations").select(COLUMNS));

/** Finds an organization by its name in any case. */
export function findOrganization(db: Reader, name: string): Promise<Organization | undefined> {
  return db.point(byName, fold(name));
}

export function findOrganizationById(db: Reader, id: string): Promise<Organization | undefined> {
  return db.point(byId, id);
}

/** The name of an organization; undefined when it is gone. */
export async function organizationNameOf(db: Reader, id: string): Promise<string | undefined> {
  return (await findOrganizationById(db, id))?.name;
}

/**
 * Finds an organization, by its name in any case, that has a workspace which may be read.
 *
 * @param sight of that organization alone
 */
export async function findSeenOrganization(
  db: Reader,
  name: string,
  sight: WorkspaceSight,
): Promise<Organization | undefined> {
  const [row] = await db.sql
    .selectFrom("organizations")
    .select(COLUMNS)
    .where("name_key", "=", fold(name))
    .where(hasSeenWorkspace(db.engine, sight))
    .execute();
  return row;
}

/** Conditions on the list of organizations. Texts match at any place, in any case. */
export interface OrganizationFilter {
  /** Organizations that may be read. */
  visibility: Visibility;
  /** Others in which a workspace may be read, found by their names alone; none without it. */
  sight?: WorkspaceSight | undefined;
  nameOrEmail?: string | undefined;
  name?: string | undefined;
  email?: string | undefined;
}

/** Organizations in order of their names, after `after` (a folded name) or from `offset` on. */
export function listOrganizations(
  db: Reader,
  filter: OrganizationFilter,
  page: { limit: number; offset?: number; after?: string },
): Promise<Organization[]> {
  let query = filtered(db, filter).select(COLUMNS).orderBy("name_key").limit(page.limit);
  if (page.offset !== undefined) query = query.offset(page.offset);
  if (page.after !== undefined) query = query.where("name_key", ">", page.after);
  return query.execute();
}

export async function countOrganizations(db: Reader, filter: OrganizationFilter): Promise<number> {
  const row = await filtered(db, filter)
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirst();
  return row?.count ?? 0;
}

function filtered(db: Reader, filter: OrganizationFilter) {
  const { engine } = db;
  const { visibility, sight, name: ofName, email: ofEmail, nameOrEmail } = filter;
  const name = sql.ref("name_key");
  const email = sql`lower(email)`;
  let query = db.sql.selectFrom("organizations");
  if (ofName !== undefined) query = query.where(contains(engine, name, fold(ofName)));
  const isRead = visible(engine, name, visibility);
  // Whether an email fits would tell it.
  const isKnown = (part: string) =>
    sight === undefined
      ? contains(engine, email, fold(part))
      : sql<SqlBool>`(${isRead} and ${contains(engine, email, fold(part))})`;
  if (ofEmail !== undefined) query = query.where(isKnown(ofEmail));
  if (nameOrEmail !== undefined)
    query = query.where((eb) => eb.or([contains(engine, name, fold(nameOrEmail)), isKnown(nameOrEmail)]));
  return query.where((eb) => eb.or([isRead, ...(sight === undefined ? [] : [hasSeenWorkspace(engine, sight)])]));
}

/** No name sorts after this one. */
const END = "\u{10FFFF}";

/** An organization holds a workspace that may be read: by its count, or by one look for each range of names that rules are about. */
function hasSeenWorkspace(engine: Engine, { whole, parts }: WorkspaceSight): Expression<SqlBool> {
  const isWhole = sql<SqlBool>`(workspace_count > 0 and ${visible(engine, sql.ref("name_key"), whole)})`;
  if (parts.length === 0) return isWhole;
  const lists = [
    parts.map((part) => part.organization),
    parts.map((part) => part.from),
    parts.map((part) => part.to ?? END),
  ];
  const ranges =
    engine === "postgres"
      ? sql`unnest(${lists[0]}::text[], ${lists[1]}::text[], ${lists[2]}::text[]) as part (organization, low, high)`
      : sql`(select value ->> 0 as organization, value ->> 1 as low, value ->> 2 as high
          from json_each(${JSON.stringify(parts.map((_, index) => lists.map((list) => list[index])))})) as part`;
  // SQLite goes through the ranges first, and not through all organizations for each of them.
  const join = engine === "postgres" ? sql`join` : sql`cross join`;
  return sql<SqlBool>`(${isWhole} or organizations.id in (
    select owner.id from ${ranges} ${join} organizations as owner on owner.name_key = part.organization
    where exists (select 1 from workspaces
      where organization_id = owner.id and workspaces.name_key >= part.low and workspaces.name_key < part.high)))`;
}

const addCounts = defineQuery((db, p: { id: string; tags: number; workspaces: number; projects: number }) =>
  db
    .updateTable("organizations")
    .set((eb) => ({
      tag_count: eb("tag_count", "+", p.tags),
      workspace_count: eb("workspace_count", "+", p.workspaces),
      project_count: eb("project_count", "+", p.projects),
    }))
    .where("id", "=", p.id),
);

const COUNTED = ["tags", "workspaces", "projects"] as const;

/** Raises or lowers an organization's maintained counts; part of the transaction that changes what they count. */
export function addToOrganizationCounts(
  tx: Transaction,
  id: string,
  change: { tags?: number; workspaces?: number; projects?: number },
): void {
  tx.write(addCounts, { tags: 0, workspaces: 0, projects: 0, ...change, id });
  for (const kind of COUNTED) tx.adds({ kind, place: id }, change[kind] ?? 0);
}

const insert = insertOf("organizations");
const insertCounter = insertOf("counters");

/** Adds an organization and the counter that its writers take turns on. */
export function insertOrganization(tx: Transaction, organization: Organization): void {
  tx.adds({ kind: "organizations", place: "" });
  const name = counterName({ kind: "organization", id: organization.id });
  tx.write(insertCounter, { name, value: 0, auditSeq: 0, auditHash: "" });
  tx.write(insert, { ...organization, nameKey: fold(organization.name) });
  recordWrite(tx, undefined, organization);
}

const update = updateOf("organizations", "name", "name_key", "email", "settings", "default_execution_mode");

/** Stores the name and the attributes of an organization; its counts have writers of their own. @param before as it is stored */
export function updateOrganization(tx: Transaction, organization: Organization, before: Organization): void {
  tx.write(update, { ...organization, nameKey: fold(organization.name) });
  recordWrite(tx, before, organization);
}

const remove = defineQuery((db, p: { id: string }) => db.deleteFrom("organizations").where("id", "=", p.id));
const endCounter = defineQuery((db, p: { name: string; ended: string }) =>
  db.updateTable("counters").set({ name: p.ended }).where("name", "=", p.name),
);
const recordWrite = apiWriteRecorder<Organization>("organizations", "organization");

/**
 * Removes an organization and ends its counter, and nothing that hangs on it. The counter goes first: a writer of the
 * organization holds it from its beginning and the row only at its end, so that in this order the two cannot deadlock. Under
 * another name, since the head of its chain of audit records lies in it.
 */
export function deleteOrganization(tx: Transaction, organization: Organization): void {
  const { id } = organization;
  const name = counterName({ kind: "organization", id });
  tx.write(endCounter, { name, ended: endedCounter(name) });
  tx.write(remove, { id });
  recordWrite(tx, organization, undefined);
}
