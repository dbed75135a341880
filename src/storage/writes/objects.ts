/**
 * Statements over whole rows, from the declaration of their table. Their parameters and results are called as the
 * program calls them: `created_at` is `createdAt`.
 */
import { sql } from "kysely";
import { defineQuery, type PreparedQuery } from "../reads/query.ts";
import { columnsOf, type Tables } from "../tables/tables.ts";
import type { EngineTransaction } from "../database.ts";

export type MemberName<C extends string> = C extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<MemberName<Rest>>}`
  : C;

/** A row as an object. */
export type ObjectOf<T extends keyof Tables> = { [C in keyof Tables[T] & string as MemberName<C>]: Tables[T][C] };

/** Returns the name of a column in objects. */
export function memberName(column: string): string {
  return column.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

type Selection<T extends keyof Tables, C> = C extends string ? `${T}.${C} as ${MemberName<C>}` : never;

/** Returns all columns of a table, for a query that returns objects. @param without columns that are left out */
export function selectionOf<T extends keyof Tables, C extends keyof Tables[T] & string, W extends C = never>(
  table: T,
  ...without: W[]
): readonly Selection<T, Exclude<keyof Tables[T] & string, W>>[] {
  const columns = (columnsOf(table) ?? []).filter((column) => !without.includes(column as W));
  return columns.map((column) => `${table}.${column} as ${memberName(column)}`) as never;
}

type Columns = Record<string, never>;

/** Inserts an object. */
export function insertOf<T extends keyof Tables>(table: T): PreparedQuery<ObjectOf<T>, unknown> {
  const columns = columnsOf(table) ?? [];
  return defineQuery((db, p: ObjectOf<T>) => db.insertInto(table).values(valuesIn(p, columns) as never));
}

/**
 * Numbers of rows that one statement inserts, largest first, each a statement that is prepared once. As few as a list has in one
 * statement: it runs to its end, however scattered the rows lie (`purge/slices.ts`).
 */
const ROWS = [25, 5, 1];

/** Inserts rows in their order. */
type InsertAll<R> = (tx: Pick<EngineTransaction, "write">, rows: readonly R[]) => void;

/**
 * Makes the function that inserts objects, many in each statement: where hundreds are written, most of the cost is that of
 * statements.
 */
export function insertAllOf<T extends keyof Tables>(table: T): InsertAll<ObjectOf<T>> {
  return insertAllBy(table, memberName);
}

/** The same of rows whose members are called as the columns. */
export function insertRowsOf<T extends keyof Tables>(table: T): InsertAll<Tables[T]> {
  return insertAllBy(table, (column) => column);
}

function insertAllBy<R extends object>(table: keyof Tables, nameOf: (column: string) => string): InsertAll<R> {
  const columns = columnsOf(table) ?? [];
  const members = columns.map(nameOf);
  const inserts = ROWS.map((count) => ({ count, query: insertMany(table, columns, count) }));
  return (tx, rows) => {
    let next = 0;
    for (const { count, query } of inserts) {
      while (rows.length - next >= count) {
        const values: unknown[] = [];
        for (const end = next + count; next < end; next++) {
          for (const member of members) values.push((rows[next] as Readonly<Record<string, unknown>>)[member]);
        }
        tx.write(query, values);
      }
    }
  };
}

/** Parameters are the values of all rows, one row after the other. */
function insertMany(table: keyof Tables, columns: readonly string[], rows: number): PreparedQuery<unknown[], unknown> {
  return defineQuery((db, p: readonly unknown[]) => {
    const row = (at: number) => columns.map((column, place) => [column, p[at * columns.length + place]]);
    const values = Array.from({ length: rows }, (_, at) => Object.fromEntries(row(at)) as Columns);
    return db.insertInto(table).values(values);
  });
}

/** Writes those columns of the object with its `id`. */
export function updateOf<T extends keyof Tables, C extends keyof Tables[T] & string>(
  table: T,
  ...columns: C[]
): PreparedQuery<Pick<ObjectOf<T>, MemberName<"id" | C> & keyof ObjectOf<T>>, unknown> {
  return defineQuery((db, p: { id: string }) =>
    db
      .updateTable(table as "meta")
      .set(valuesIn(p, columns))
      .where(sql`id`, "=", p.id),
  ) as never;
}

/** Each by name: a query's parameters are markers, which cannot be spread. */
function valuesIn(p: object, columns: readonly string[]): Columns {
  return Object.fromEntries(columns.map((column) => [column, (p as Columns)[memberName(column)]])) as Columns;
}
