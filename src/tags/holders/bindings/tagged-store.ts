/** Conditions on keys and values, for lists of workspaces and projects. */
import { sql, type Expression, type SqlBool } from "kysely";
import type { Reader } from "../../../storage/database.ts";
import { defineQuery, oneOf } from "../../../storage/reads/query.ts";

/** A key that is asked for, and with which value. */
export interface TaggedTest {
  /** Id of its row in the pool. */
  tag: string;
  /** Undefined for any. */
  value: string | undefined;
  /** Whether any project has the key. */
  isInherited: boolean;
  /** Whether workspaces may not give it another value than their project. */
  isFixed: boolean;
}

/** Tests that must hold: all of them, or one of them. There is at least one. */
export interface TaggedFilter {
  tests: readonly TaggedTest[];
  isUnion: boolean;
}

/**
 * The ids of the workspaces to which the keys apply, as a query: links are read in the order of an index that holds all
 * that is asked, so that very many are counted without looking at a workspace.
 */
export function taggedIds({ tests, isUnion }: TaggedFilter) {
  const sets = tests.map((test) => sql`select workspace_id as id from (${idsOf(test)}) each_test`);
  return sql`${sql.join(sets, isUnion ? sql` union ` : sql` intersect `)}`;
}

function idsOf(test: TaggedTest) {
  const { tag, isInherited, isFixed } = test;
  const own = sql`select workspace_id from workspace_tags own
    where own.tag_id = ${tag} and own.marks > 1${withValue(test, "own")}`;
  if (!isInherited) return own;
  const inherited = sql`select member.id as workspace_id from project_tags given
    join workspaces member on member.project_id = given.project_id
    where given.tag_id = ${tag}${withValue(test, "given")}`;
  return isFixed
    ? sql`${own} and not exists (select 1 from workspaces member join project_tags given
        on given.project_id = member.project_id and given.tag_id = ${tag} where member.id = own.workspace_id)
        union all ${inherited}`
    : sql`${own} union all ${inherited} and not exists (select 1 from workspace_tags other
        where other.workspace_id = member.id and other.tag_id = ${tag} and other.marks > 1)`;
}

function withValue({ value }: TaggedTest, table: string) {
  return value === undefined ? sql`` : sql` and ${sql.ref(`${table}.value`)} = ${value}`;
}

/** Whether the keys apply to the workspace of the query: for lists that look at few workspaces until a page is full. */
export function workspacesTagged({ tests, isUnion }: TaggedFilter): Expression<SqlBool> {
  return sql<SqlBool>`(${sql.join(tests.map(appliesTo), isUnion ? sql` or ` : sql` and `)})`;
}

function appliesTo(test: TaggedTest) {
  const { tag, isInherited, isFixed } = test;
  const own = (more = sql``) => sql`exists (select 1 from workspace_tags own
    where own.workspace_id = workspaces.id and own.tag_id = ${tag} and own.marks > 1${more})`;
  if (!isInherited) return own(withValue(test, "own"));
  const given = (more = sql``) => sql`exists (select 1 from project_tags given
    where given.project_id = workspaces.project_id and given.tag_id = ${tag}${more})`;
  const [matchesOwn, matchesGiven] = [own(withValue(test, "own")), given(withValue(test, "given"))];
  return isFixed
    ? sql`(${matchesGiven} or (${matchesOwn} and not ${given()}))`
    : sql`(${matchesOwn} or (${matchesGiven} and not ${own()}))`;
}

/** Whether the project of the query has the keys itself. */
export function projectsTagged({ tests, isUnion }: TaggedFilter): Expression<SqlBool> {
  const conditions = tests.map(
    (test) => sql`exists (select 1 from project_tags given
      where given.project_id = projects.id and given.tag_id = ${test.tag}${withValue(test, "given")})`,
  );
  return sql<SqlBool>`(${sql.join(conditions, isUnion ? sql` or ` : sql` and `)})`;
}

/** To how many workspaces the keys apply. */
export async function countTagged(db: Reader, filter: TaggedFilter): Promise<number> {
  const rows = await sql<{ count: number }>`select count(*) as count from (${taggedIds(filter)}) tagged`.execute(
    db.sql,
  );
  return rows.rows[0]?.count ?? 0;
}

const fixedKeys = defineQuery((db, p: { organization: string; keys: readonly string[] }, engine) =>
  db
    .selectFrom("reserved_tag_keys")
    .select("key")
    .where("organization_id", "=", p.organization)
    .where("disable_overrides", "=", 1)
    .where(oneOf(engine, sql.ref("key"), p.keys)),
);

/** Finds the keys to which workspaces may not give another value than their project. */
export async function findFixedKeys(db: Reader, organization: string, keys: readonly string[]): Promise<Set<string>> {
  const rows = await db.run(fixedKeys, { organization, keys });
  return new Set(rows.map(({ key }) => key));
}
