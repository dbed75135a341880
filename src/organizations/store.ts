import { sql } from "kysely";
import { fold } from "../acl/rules/fold.ts";
import type { Visibility } from "../acl/rules/visibility.ts";
import { contains, visible } from "../storage/conditions.ts";
import { apiWriteRecorder } from "../audit/api-objects.ts";
import { counterName, endedCounter } from "../storage/counters.ts";
import type { Reader, Transaction } from "../storage/database.ts";
import { insertOf, selectionOf, updateOf, type ObjectOf } from "../storage/objects.ts";
import { definePoint, defineQuery } from "../storage/query.ts";

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

/** What of an organization's list is asked for. Texts are matched anywhere, in any case. */
export interface OrganizationFilter {
  visibility: Visibility;
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
  const name = sql.ref("name_key");
  const email = sql`lower(email)`;
  let query = db.sql.selectFrom("organizations").where(visible(engine, name, filter.visibility));
  if (filter.name !== undefined) query = query.where(contains(engine, name, fold(filter.name)));
  if (filter.email !== undefined) query = query.where(contains(engine, email, fold(filter.email)));
  const { nameOrEmail } = filter;
  if (nameOrEmail !== undefined) {
    const part = fold(nameOrEmail);
    query = query.where((eb) => eb.or([contains(engine, name, part), contains(engine, email, part)]));
  }
  return query;
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
