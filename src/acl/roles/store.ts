import type { ListScope } from "../list-scope.ts";
import { sql } from "kysely";
import { contains } from "../../storage/conditions.ts";
import type { Reader, Transaction } from "../../storage/database.ts";
import { definePoint, defineQuery, oneOf } from "../../storage/query.ts";
import { checkProof, provenRows, type Content } from "../../storage/proofs.ts";
import { behind, inListScope, outsideListScope } from "../../storage/scoped.ts";
import type { RolesTable } from "../../storage/tables.ts";
import { noteDeletedLink } from "../deleted-links.ts";
import { grantColumns, grantsOf, type Grants } from "../grants.ts";
import { idsByName } from "../ids-by-name.ts";
import type { PageRequest } from "../page.ts";
import { namesOf, NO_NAMES, type NamesById } from "../names.ts";
import { fold } from "../rules/fold.ts";
import { isIn, type Scope } from "../scope.ts";

export interface Role extends Grants {
  id: string;
  scope: Scope;
  name: string;
  description: string;
  hash: string;
  createIndex: number;
  modifyIndex: number;
}

function roleOf(row: RolesTable): Role {
  checkProof("roles", row);
  return {
    ...grantsOf(row),
    id: row.id,
    scope: { partition: row.partition, namespace: row.namespace },
    name: row.name,
    description: row.description,
    hash: row.hash,
    createIndex: row.create_index,
    modifyIndex: row.modify_index,
  };
}

function rowOf(role: Role): Content<"roles"> {
  return {
    ...grantColumns(role),
    ...role.scope,
    id: role.id,
    name: role.name,
    name_key: fold(role.name),
    description: role.description,
    hash: role.hash,
    create_index: role.createIndex,
    modify_index: role.modifyIndex,
  };
}

const byId = definePoint("roles.id", (db) => db.selectFrom("roles").selectAll());

/** Finds a role by its ID; one of another scope is not found. */
export async function findRole(db: Reader, scope: Scope, id: string): Promise<Role | undefined> {
  const row = await db.point(byId, id);
  const role = row && roleOf(row);
  return role !== undefined && isIn(role.scope, scope) ? role : undefined;
}

const byName = defineQuery((db, p: Scope & { nameKey: string }) =>
  db
    .selectFrom("roles")
    .selectAll()
    .where("partition", "=", p.partition)
    .where("namespace", "=", p.namespace)
    .where("name_key", "=", p.nameKey),
);

/** Finds a role by its name, in any case. */
export async function findRoleByName(db: Reader, scope: Scope, name: string): Promise<Role | undefined> {
  const [row] = await db.run(byName, { ...scope, nameKey: fold(name) });
  return row && roleOf(row);
}

const byIds = defineQuery((db, p: Scope & { ids: readonly string[] }, engine) =>
  db
    .selectFrom("roles")
    .selectAll()
    .where(oneOf(engine, sql.ref("id"), p.ids))
    .where("partition", "=", p.partition)
    .where("namespace", "=", p.namespace),
);

/** Roles by their IDs, in no order; those that are gone or lie elsewhere are left out. */
export async function findRoles(db: Reader, scope: Scope, ids: readonly string[]): Promise<Role[]> {
  return ids.length === 0 ? [] : (await db.run(byIds, { ...scope, ids })).map(roleOf);
}

/** Roles by their names in lower case, with their IDs. */
export const findRoleIds = idsByName("roles");

const anywhere = defineQuery((db, p: { ids: readonly string[] }, engine) =>
  db
    .selectFrom("roles")
    .selectAll()
    .where(oneOf(engine, sql.ref("id"), p.ids)),
);

/** So few are read by their keys, which is faster than a list of them. */
const FEW = 4;

/** Names of roles by their IDs, wherever they lie; those that are gone have none. */
export async function findRoleNames(db: Reader, ids: readonly string[]): Promise<NamesById> {
  if (ids.length === 0) return NO_NAMES;
  const few = ids.length <= FEW ? await Promise.all(ids.map((id) => db.point(byId, id))) : undefined;
  const rows = few?.filter((row) => row !== undefined) ?? (await db.run(anywhere, { ids }));
  return namesOf(rows.map(roleOf));
}

/** What a list of roles is limited to. */
export interface RoleFilter {
  /** ID of a policy that they link to; empty for any. */
  policy: string;
}

/** Roles in order of namespaces and names, after that of the page. */
export async function listRoles(
  db: Reader,
  scope: ListScope,
  filter: RoleFilter,
  page: PageRequest & { size: number },
): Promise<Role[]> {
  const rows = await db.sql
    .selectFrom("roles")
    .selectAll()
    .where(inListScope(db.engine, scope))
    .where(behind(scope, "name_key", page.after))
    .$if(filter.policy !== "", (query) => query.where(contains(db.engine, sql.ref("policies"), filter.policy)))
    .$if(page.search !== "", (query) => query.where(contains(db.engine, sql.ref("name_key"), fold(page.search))))
    .orderBy("namespace")
    .orderBy("name_key")
    .limit(page.size)
    .execute();
  return rows.map(roleOf);
}

/** Whether the partition has roles that the caller may not read. */
export async function hasHiddenRoles(db: Reader, scope: ListScope): Promise<boolean> {
  const outside = outsideListScope(db.engine, scope);
  if (outside === undefined) return false;
  return (await db.sql.selectFrom("roles").select("id").where(outside).limit(1).execute()).length > 0;
}

const stored = provenRows("roles", ["partition", "namespace", "create_index"]);
const remove = defineQuery((db, p: { id: string }) => db.deleteFrom("roles").where("id", "=", p.id));

export function insertRole(tx: Transaction, role: Role): void {
  stored.insert(tx, rowOf(role));
}

/** Writes what may change of a role; its scope never does. */
export function updateRole(tx: Transaction, role: Role): void {
  stored.update(tx, rowOf(role));
}

export function deleteRole(tx: Transaction, { id, scope }: Role): void {
  tx.write(remove, { id });
  noteDeletedLink(tx, scope, id);
}
