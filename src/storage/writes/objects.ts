/**
 * Statements over whole rows, from the declaration of their table. Their parameters and results are called as the
 * program calls them: `created_at` is `createdAt`.
 */
import { sql } from "kysely";
import { defineQuery, type PreparedQuery } from "../reads/query.ts";
import { columnsOf, type Tables } from "../tables/tables.ts";

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
