import { sql, type Expression, type SqlBool } from "kysely";
import type { Engine } from "../engine.ts";
import { oneOf } from "./query.ts";

/** Names that may be seen; the same shape as `Visibility` in `rights/rules/visibility.ts`. */
interface VisibleNames {
  ranges: readonly { from: string; to: string | undefined }[];
  names: readonly string[];
  except: readonly string[];
}

/** Beyond this many ranges they travel as one list: SQLite bounds the depth of an expression. */
const RANGES_INLINE = 100;

/** Whether everything may be seen, so that no condition is needed and maintained counts hold. */
export function seesAll({ ranges, except }: VisibleNames): boolean {
  const [first] = ranges;
  return except.length === 0 && first !== undefined && first.from === "" && first.to === undefined;
}

/** Whether nothing may be seen. */
export function seesNothing({ ranges, names }: VisibleNames): boolean {
  return ranges.length === 0 && names.length === 0;
}

/** `column`, which holds folded names, is one that may be seen. */
export function visible(engine: Engine, column: Expression<unknown>, names: VisibleNames): Expression<SqlBool> {
  const allowed = sql.join(
    [
      ...(names.names.length > 0 ? [oneOf(engine, column, names.names)] : []),
      ...(names.ranges.length > RANGES_INLINE
        ? [inRanges(engine, column, names.ranges)]
        : names.ranges.map(({ from, to }) =>
            to === undefined ? sql`${column} >= ${from}` : sql`(${column} >= ${from} and ${column} < ${to})`,
          )),
    ],
    sql` or `,
  );
  if (seesNothing(names)) return sql<SqlBool>`1 = 0`;
  if (names.except.length === 0) return sql<SqlBool>`(${allowed})`;
  return sql<SqlBool>`((${allowed}) and not ${oneOf(engine, column, names.except)})`;
}

/** Each row looks for its range by halves: to compare it with all of them took seconds where both were many. */
function inRanges(engine: Engine, column: Expression<unknown>, ranges: VisibleNames["ranges"]): Expression<SqlBool> {
  const from = ranges.map((range) => range.from);
  // No name sorts after this one, so it stands for a range without end.
  const to = ranges.map((range) => range.to ?? "\u{10FFFF}");
  return engine === "postgres"
    ? sql<SqlBool>`coalesce((${to}::text[])[width_bucket(${column}, ${from}::text[])] > ${column}, false)`
    : // The bounds are read once for a statement, not for each row.
      sql<SqlBool>`${sql.raw(IN_RANGES)}(${column}, (select ${sql.raw(KEEP_RANGES)}(${from}, ${to})))`;
}

/** Functions that our connections to SQLite have; see `sqlite/connection.ts`. */
export const KEEP_RANGES = "tessera_keep_ranges";
export const IN_RANGES = "tessera_in_ranges";

/** `column` holds `part` somewhere, compared exactly; no character of `part` is special. */
export function contains(
  engine: Engine,
  column: Expression<unknown>,
  part: string | Expression<unknown>,
): Expression<SqlBool> {
  return engine === "postgres"
    ? sql<SqlBool>`strpos(${column}, ${part}) > 0`
    : sql<SqlBool>`instr(${column}, ${part}) > 0`;
}

/** Texts from one on up to before another, compared by bytes. */
export interface TextRange {
  from: string;
  to: string;
}

/** `column` lies in a range. @param bounds values, or parameters of a prepared query */
export function inRange(column: Expression<unknown>, { from, to }: TextRange): Expression<SqlBool> {
  return sql<SqlBool>`(${column} >= ${from} and ${column} < ${to})`;
}

/**
 * `column`, which an index of SQLite has, equals a value that is left to be compared row by row: another condition finds
 * few rows, and SQLite, which keeps no statistics, would prefer this one.
 */
export function equalsUnled(engine: Engine, column: Expression<unknown>, value: string): Expression<SqlBool> {
  return engine === "sqlite" ? sql<SqlBool>`+${column} = ${value}` : sql<SqlBool>`${column} = ${value}`;
}

/** `column` fits a pattern made by `likePattern`; compared exactly when both are folded. */
export function fits(column: Expression<unknown>, pattern: string): Expression<SqlBool> {
  return sql<SqlBool>`${column} like ${pattern} escape '\\'`;
}

/** A pattern for `fits` in which `*` stands for any text and all else for itself. */
export function likePattern(wildcard: string): string {
  return wildcard
    .split("*")
    .map((text) => text.replace(/[\\%_]/g, (character) => `\\${character}`))
    .join("%");
}

/** The same shape as `ListScope` in `rights/permission.ts`. */
interface ListedScope {
  partition: string;
  namespace: string;
  /** The namespaces; undefined for the one that is named. */
  visible?: VisibleNames;
}

/**
 * The rows that the list may show. They have columns `partition` and `namespace`.
 *
 * @param isLed whether another condition has an index of its own and leaves few rows: SQLite, which keeps no statistics,
 * would take that of the scope and look at all of it, and is kept from it by a `+`
 */
export function inListScope(
  engine: Engine,
  { partition, namespace, visible: names }: ListedScope,
  isLed = false,
): Expression<SqlBool> {
  const plus = isLed && engine === "sqlite" ? sql`+` : sql``;
  const chosen =
    names === undefined ? sql`${plus}namespace = ${namespace}` : visible(engine, sql.ref("namespace"), names);
  return names !== undefined && seesAll(names)
    ? sql<SqlBool>`${plus}partition = ${partition}`
    : sql<SqlBool>`${plus}partition = ${partition} and ${chosen}`;
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

/** Sort key of an entry of such a list, as one text. @param key the entry's own key, within its namespace */
export function listKey({ visible: names }: ListedScope, namespace: string, key: string): string {
  return names === undefined ? key : `${namespace}/${key}`;
}
