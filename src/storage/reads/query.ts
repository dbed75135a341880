import { sql, type AliasedExpression, type Compilable, type Expression, type Kysely, type SqlBool } from "kysely";
import type { Engine } from "../engine.ts";
import type { Tables } from "../tables/tables.ts";

/**
 * Queries that are built once and run with other parameters each time. Building SQL through Kysely costs more than
 * running it, so whatever is asked often is defined with these functions; the text is made at its first use on each
 * connection and kept.
 */
export interface PreparedQuery<P extends object, R> {
  readonly id: number;
  readonly build: (sql: Kysely<Tables>, params: P, engine: Engine) => Compilable<R>;
}

/** A read of one row by a unique key; see `Reader.point`. */
export interface PointQuery<R> {
  readonly id: number;
  /** The rows without any condition on the key. */
  readonly rows: (sql: Kysely<Tables>, engine: Engine) => PointRows<R>;
  /** The column that holds the key, such as `tokens.accessor_id`. */
  readonly key: string;
}

interface PointRows<R> extends Compilable<R> {
  select(selection: AliasedExpression<unknown, string>): PointRows<R>;
  where(condition: Expression<SqlBool>): PointRows<R>;
}

let queries = 0;

/**
 * Defines a query with named parameters. `build` is called once per engine with
 * markers in place of the values, so it may not look at them.
 */
export function defineQuery<P extends object, R>(
  build: (sql: Kysely<Tables>, params: P, engine: Engine) => Compilable<R>,
): PreparedQuery<P, R> {
  return { id: queries++, build };
}

/** Defines a read by a unique key. `rows` selects what is wanted, without a condition on the key. */
export function definePoint<R>(
  key: string,
  rows: (sql: Kysely<Tables>, engine: Engine) => Compilable<R>,
): PointQuery<R> {
  return { id: queries++, key, rows: rows as PointQuery<R>["rows"] };
}

/** Name under which a point read returns its key. */
export const POINT_KEY = "point_key";

/** The text of a defined query and how its parameters are bound. */
export interface BuiltQuery {
  sql: string;
  bind(params: object): unknown[];
}

class Marker {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

const markers = new Proxy(
  {},
  { get: (_, name) => (typeof name === "string" ? new Marker(name) : undefined) },
) as Record<string, never>;

/** Builds the text of a defined query; the caller keeps the result. */
export function buildQuery<P extends object, R>(
  query: PreparedQuery<P, R>,
  kysely: Kysely<Tables>,
  engine: Engine,
): BuiltQuery {
  return withMarkers(query.build(kysely, markers as P, engine));
}

/** Builds a point read, of one key or (with `many`) of a list of keys. */
export function buildPoint<R>(query: PointQuery<R>, kysely: Kysely<Tables>, engine: Engine, many: boolean): BuiltQuery {
  const key = sql.ref(query.key);
  const marker = markers["key"];
  const condition = many ? oneOf(engine, key, marker as unknown as string[]) : sql<SqlBool>`${key} = ${marker}`;
  return withMarkers(query.rows(kysely, engine).select(key.as(POINT_KEY)).where(condition));
}

function withMarkers(compilable: Compilable): BuiltQuery {
  const { sql: text, parameters } = compilable.compile();
  const names = parameters.map((value) => (value instanceof Marker ? value.name : undefined));
  // Parameters that are a list already, as those of many rows.
  const isList = names.length > 0 && names.every((name, place) => name === String(place));
  return {
    sql: text,
    bind(params) {
      if (isList) return [...(params as readonly unknown[])];
      const values = new Array<unknown>(names.length);
      for (let i = 0; i < names.length; i++) {
        const name = names[i];
        values[i] = name === undefined ? parameters[i] : (params as Record<string, unknown>)[name];
      }
      return values;
    },
  };
}

/**
 * `column` is one of `values`, as a condition whose text does not depend on how many there are: PostgreSQL takes an
 * array, SQLite a JSON text (the seam turns every array into one).
 */
export function oneOf(engine: Engine, column: Expression<unknown>, values: readonly string[]): Expression<SqlBool> {
  return engine === "postgres"
    ? sql<SqlBool>`${column} = any(${sql.val(values)}::text[])`
    : sql<SqlBool>`${column} in (select value from json_each(${sql.val(values)}))`;
}

/**
 * A column that rows are compared by and not found by, beside a list of keys. SQLite has no statistics: it takes two equal columns of
 * an index for better than the list, and would walk all of a namespace, or of an organization, for a few keys.
 */
export function compared(engine: Engine, column: string): Expression<string> {
  const reference = sql.ref<string>(column);
  return engine === "postgres" ? reference : sql<string>`+${reference}`;
}

/** `values` as a table of one column, `value`. */
export function valuesOf(engine: Engine, values: readonly string[]): AliasedExpression<{ value: string }, "listed"> {
  return engine === "postgres"
    ? sql<{ value: string }>`unnest(${sql.val(values)}::text[])`.as<"listed">(sql`listed (value)`)
    : sql<{ value: string }>`json_each(${sql.val(values)})`.as("listed");
}
