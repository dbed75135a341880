/** Conditions of lists of what lies in namespaces: of one, or of those of a partition that may be seen. */
import { sql, type Expression, type SqlBool } from "kysely";
import { seesAll, visible, type VisibleNames } from "./conditions.ts";
import type { Engine } from "./engine.ts";

/** The same shape as `ListScope` in `acl/permission.ts`. */
interface ListedScope {
  partition: string;
  namespace: string;
  /** The namespaces; undefined for the one that is named. */
  visible?: VisibleNames;
}

/** The rows that the list may show. They have columns `partition` and `namespace`. */
export function inListScope(
  engine: Engine,
  { partition, namespace, visible: names }: ListedScope,
): Expression<SqlBool> {
  const chosen = names === undefined ? sql`namespace = ${namespace}` : visible(engine, sql.ref("namespace"), names);
  return names !== undefined && seesAll(names)
    ? sql<SqlBool>`partition = ${partition}`
    : sql<SqlBool>`partition = ${partition} and ${chosen}`;
}

/** The rows of the same list that it may not show; undefined when there can be none. */
export function outsideListScope(
  engine: Engine,
  { partition, visible: names }: ListedScope,
): Expression<SqlBool> | undefined {
  if (names === undefined || seesAll(names)) return undefined;
  return sql<SqlBool>`partition = ${partition} and not ${visible(engine, sql.ref("namespace"), names)}`;
}

/**
 * The rows behind the last one that was shown, in order of namespaces and then of the column.
 *
 * @param after as `listKey` gives it; empty for all rows
 */
export function behind({ visible: names }: ListedScope, column: string, after: string): Expression<SqlBool> {
  const key = sql.ref(column);
  if (after === "") return sql<SqlBool>`1 = 1`;
  if (names === undefined) return sql<SqlBool>`${key} > ${after}`;
  const [, namespace = after, own = ""] = /^([^/]*)\/(.*)$/.exec(after) ?? [];
  return sql<SqlBool>`(namespace, ${key}) > (${namespace}, ${own})`;
}

/** What an entry of such a list is sorted by, as one text. @param key its own, within its namespace */
export function listKey({ visible: names }: ListedScope, namespace: string, key: string): string {
  return names === undefined ? key : `${namespace}/${key}`;
}
