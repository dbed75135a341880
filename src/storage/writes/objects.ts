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
type InsertAll<R> = (tx: Pick<EngineTransaction, "engine" | "write">, rows: readonly R[]) => void;

/**
 * Makes the function that inserts objects, many in each statement: where hundreds are written, most of the cost is that of
 * statements.
 *
 * @param own columns in which rows differ that bulk work writes. On SQLite a statement whose rows agree in all others binds those
 * once: to bind a value costs as much there as to store it
 */
export function insertAllOf<T extends keyof Tables>(
  table: T,
  own?: readonly (keyof Tables[T] & string)[],
): InsertAll<ObjectOf<T>> {
  return insertAllBy(table, memberName, own);
}

/** The same of rows whose members are called as the columns. */
export function insertRowsOf<T extends keyof Tables>(
  table: T,
  own?: readonly (keyof Tables[T] & string)[],
): InsertAll<Tables[T]> {
  return insertAllBy(table, (column) => column, own);
}

/** A row by the names of its members. */
type Row = Readonly<Record<string, unknown>>;

function insertAllBy<R extends object>(
  table: keyof Tables,
  nameOf: (column: string) => string,
  own: readonly string[] = [],
): InsertAll<R> {
  const columns = columnsOf(table) ?? [];
  const members = columns.map(nameOf);
  const inserts = ROWS.map((count) => ({ count, query: insertMany(table, columns, count) }));
  const shared = columns.filter((column) => !own.includes(column));
  const [ownMembers, sharedMembers] = [own.map(nameOf), shared.map(nameOf)];
  const [most = 1] = ROWS;
  const alike = own.length === 0 ? undefined : insertAlike(table, { shared, own }, most);
  return (tx, rows) => {
    let next = 0;
    for (const { count, query } of inserts) {
      while (rows.length - next >= count) {
        const some = rows.slice(next, (next += count)) as readonly Row[];
        const [first] = some;
        const canShare = alike !== undefined && tx.engine === "sqlite" && count === most && first !== undefined;
        if (canShare && areAlike(some, first, sharedMembers)) {
          tx.write(alike, [...valuesOf(first, sharedMembers), ...some.flatMap((row) => valuesOf(row, ownMembers))]);
        } else {
          tx.write(
            query,
            some.flatMap((row) => valuesOf(row, members)),
          );
        }
      }
    }
  };
}

function valuesOf(row: Row, members: readonly string[]): unknown[] {
  return members.map((member) => row[member]);
}

function areAlike(rows: readonly Row[], first: Row, members: readonly string[]): boolean {
  return rows.every((row) => members.every((member) => row[member] === first[member]));
}

/** Parameters are the values of all rows, one row after the other. */
function insertMany(table: keyof Tables, columns: readonly string[], rows: number): PreparedQuery<unknown[], unknown> {
  return defineQuery((db, p: readonly unknown[]) => {
    const row = (at: number) => columns.map((column, place) => [column, p[at * columns.length + place]]);
    const values = Array.from({ length: rows }, (_, at) => Object.fromEntries(row(at)) as Columns);
    return db.insertInto(table).values(values);
  });
}

/** Parameters are the values that all rows share, and then those of each row. */
function insertAlike(
  table: keyof Tables,
  { shared, own }: { shared: readonly string[]; own: readonly string[] },
  rows: number,
): PreparedQuery<unknown[], unknown> {
  return defineQuery((db, p: readonly unknown[]) => {
    const refs = (columns: readonly string[]) => sql.join(columns.map((column) => sql.ref(column)));
    const ofRow = (row: number) => sql`(${sql.join(own.map((_, at) => p[shared.length + row * own.length + at]))})`;
    const values = sql.join(Array.from({ length: rows }, (_, row) => ofRow(row)));
    const all = refs([...shared, ...own]);
    const query = sql`insert into ${sql.table(table)} (${all}) with common (${refs(shared)}) as (values (${sql.join(
      shared.map((_, at) => p[at]),
    )})), each (${refs(own)}) as (values ${values}) select ${all} from common, each`;
    return { compile: () => query.compile(db) };
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
