/**
 * Lists by pages that are sorted as the caller asks: which orders a kind has, the cursors in them, and the statements. A page is
 * found by where the one before ended, never by how much was before it, so nothing that stands still is lost or shown twice.
 */
import { sql, type Expression, type RawBuilder, type SelectQueryBuilder, type SqlBool } from "kysely";
import { AppError } from "../errors.ts";
import { contains } from "../storage/reads/conditions.ts";
import type { Reader } from "../storage/database.ts";
import type { Tables } from "../storage/tables/tables.ts";
import { fold } from "../fold.ts";

/** How a page is asked for: `?limit=`, `?sort=`, `?at=`, `?after=` and `?search=`. */
export interface SortRequest {
  size: number;
  /** Name of an order; empty for the first of the kind. */
  field: string;
  isDescending: boolean;
  /** Cursor that the page before gave; empty for the first page. */
  after: string;
  /** Text of the sort value at which the first page begins; empty for the beginning. Behind a cursor it says nothing more. */
  at: string;
  search: string;
  /** The beginning of the IDs of all entries, in lower case; empty for any. */
  idPrefix: string;
}

/** Which entries of a list are asked for. */
export type EntryFilter = Pick<SortRequest, "search" | "idPrefix">;

/** Order of a list. Ties are in order of names, or of IDs where there are none. */
export interface Order {
  /** Member that it sorts by, in the spelling of the wire. */
  name: string;
  /** SQL of the value, as the index of the order has it; our own text. */
  value: string;
  /** Whether the values are numbers; texts otherwise. */
  isNumber?: boolean;
  /** Returns the value of a text of `?at=`; undefined for an invalid one. */
  at?(text: string): string | number | undefined;
}

/** An entry with its place in the order that was asked for. */
export interface PlacedEntry<T> {
  entry: T;
  /** The cursor behind it. */
  cursor: string;
}

/** A list in each of its orders. */
export interface SortedList<T> {
  slice(page: SortRequest): Promise<PlacedEntry<T>[]>;
  /** How many entries the search finds, `MOST_COUNTED` and one more at most. */
  count(found: EntryFilter): Promise<number>;
}

/** Maximum that is counted; above it the answer only shows that there are more. */
export const MOST_COUNTED = 10_000;
/** Number of characters of a long text that it is sorted by. */
const SORTED_LENGTH = 64;
/** Maximum length of a value in a cursor. */
const MOST_IN_CURSOR = 1024;

/** Sorts by the beginning of a text, in any case. */
export function byText(name: string, column: string): Order {
  return {
    name,
    value: `lower(substr(${column}, 1, ${SORTED_LENGTH}))`,
    // By code points, as databases count.
    at: (text) => Array.from(fold(text)).slice(0, SORTED_LENGTH).join(""),
  };
}

/** Sorts by a number that objects show. */
function byNumber(name: string, column: string): Order {
  return { name, value: column, isNumber: true, at: (text) => (/^\d{1,15}$/.test(text) ? Number(text) : undefined) };
}

const COMMON_ORDERS: readonly Order[] = [
  byText("Description", "description"),
  byNumber("CreateIndex", "create_index"),
  byNumber("ModifyIndex", "modify_index"),
];

/** The orders that objects without a name have. @param name of the member of their key, whose column is `key` */
export function ordersByKey(name: string, key: string): readonly Order[] {
  return [{ name, value: key, at: fold }, ...COMMON_ORDERS];
}

type Condition = Expression<SqlBool>;

/** Source of a list: a table, its orders, and the rows that exist. */
export interface Sortable {
  table: keyof Tables;
  /** The primary key. */
  id: string;
  /** Orders ties: names, or IDs where there are none. Unique in a namespace. */
  key: string;
  columns: readonly string[];
  orders: readonly Order[];
  /** Columns that are searched, in any case. */
  search: readonly string[];
  /** The column of the UUIDs by whose beginning they are found; undefined where there are none that anybody may know. */
  uuid?: string | undefined;
  /** The rows that there are. */
  where: readonly Condition[];
  /** Whether they lie in several namespaces, in order of which they are then. */
  isOfSeveral: boolean;
}

interface Place {
  namespace: string;
  value: string | number;
  key: string;
}

/**
 * The rows of a page, each with its cursor.
 *
 * @throws AppError `bad_parameter` for an order that the kind has not, or a cursor of another list
 */
export async function readSorted(db: Reader, list: Sortable, page: SortRequest): Promise<PlacedEntry<object>[]> {
  const order = orderOf(list.orders, page.field);
  const direction = page.isDescending ? "desc" : "asc";
  const value = sql.raw(order.value);
  const found: PlacedEntry<object>[] = [];
  for (const part of partsOf(list, order, page)) {
    // Skipped rows are read in an index alone, if an index contains their columns; rows are long.
    const picked = inOrder(rowsOf(db, list, page).where(part), list, value, direction)
      .select(sql.ref(list.id).as("id"))
      .limit(page.size - found.length);
    const rows = await inOrder(db.sql.selectFrom(list.table as "policies"), list, value, direction)
      .select(list.columns as readonly "namespace"[])
      .select([value.as("sort_value"), sql.ref(list.key).as("sort_key")])
      .where(sql<SqlBool>`${sql.ref(list.id)} in ${picked}`)
      .execute();
    for (const row of rows as (object & { namespace?: string; sort_value: string | number; sort_key: string })[]) {
      const place = {
        namespace: list.isOfSeveral ? (row.namespace ?? "") : "",
        value: row.sort_value,
        key: row.sort_key,
      };
      found.push({ entry: row, cursor: cursorOf(order, page, place) });
    }
    if (found.length === page.size) break;
  }
  return found;
}

/** How many rows the search finds, `MOST_COUNTED` and one more at most. */
export async function countSorted(db: Reader, list: Sortable, found: EntryFilter): Promise<number> {
  const rows = rowsOf(db, list, found)
    .select(sql`1`.as("one"))
    .limit(MOST_COUNTED + 1);
  const [counted] = await db.sql
    .selectFrom(rows.as("found"))
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .execute();
  return counted?.count ?? 0;
}

/** The orders that objects with a name have. @param name the column of their folded names */
export function ordersOfNamed(name: string): readonly Order[] {
  return [{ name: "Name", value: name, at: fold }, ...COMMON_ORDERS];
}

/** A list that is read in one place. @param shown gives entries in the order of the rows */
export function sortedBy<T>(
  db: Reader,
  list: Sortable,
  shown: (rows: object[]) => Promise<readonly T[]>,
): SortedList<T> {
  return {
    async slice(page) {
      const placed = await readSorted(db, list, page);
      const entries = await shown(placed.map(({ entry }) => entry));
      return entries.map((entry, index) => ({ entry, cursor: placed[index]?.cursor ?? "" }));
    },
    count: (found) => countSorted(db, list, found),
  };
}

/** The order of a name. @throws AppError `bad_parameter` */
export function orderOf(orders: readonly Order[], field: string): Order {
  const order = field === "" ? orders[0] : orders.find(({ name }) => name === field);
  if (order !== undefined) return order;
  const names = orders.map(({ name }) => name).join(", ");
  throw new AppError("bad_parameter", `Invalid sort: use ${names}; prefix with - for descending order`);
}

type Rows<O> = SelectQueryBuilder<Tables, "policies", O>;

function inOrder<O>(
  rows: Rows<O>,
  { isOfSeveral, key }: Sortable,
  value: RawBuilder<unknown>,
  direction: "asc" | "desc",
): Rows<O> {
  return rows
    .$if(isOfSeveral, (query) => query.orderBy("namespace", direction))
    .orderBy(value, direction)
    .orderBy(sql.ref(key), direction);
}

/** @throws AppError `bad_parameter` */
function rowsOf(db: Reader, { table, search: searched, where, uuid }: Sortable, { search, idPrefix }: EntryFilter) {
  const text = fold(search);
  if (idPrefix !== "" && uuid === undefined)
    throw new AppError("bad_parameter", "Invalid id-prefix: the objects of this list do not have a UUID");
  return (
    db.sql
      .selectFrom(table as "policies")
      .where((eb) => eb.and([...where]))
      .$if(text !== "", (query) =>
        query.where((eb) => eb.or(searched.map((each) => contains(db.engine, sql`lower(${sql.ref(each)})`, text)))),
      )
      // A range of the primary key. No digit of a UUID comes behind `f`.
      .$if(idPrefix !== "", (query) =>
        query
          .where(sql.ref(uuid ?? ""), ">=", sql.val(idPrefix))
          .where(sql.ref(uuid ?? ""), "<", sql.val(`${idPrefix}g`)),
      )
  );
}

/**
 * The conditions whose rows, one after the other, are what the page is cut from. Each is a range of an index, which one
 * condition about all columns would not be on SQLite where the value is an expression.
 */
function partsOf({ isOfSeveral, key }: Sortable, order: Order, page: SortRequest): RawBuilder<SqlBool>[] {
  const value = sql.raw(order.value);
  const beyond = sql.raw(page.isDescending ? "<" : ">");
  if (page.after === "") {
    if (page.at === "") return [sql<SqlBool>`1 = 1`];
    if (isOfSeveral) throw new AppError("bad_parameter", 'The parameter "at" requires one namespace');
    return [sql<SqlBool>`${value} ${beyond}= ${atOf(order, page.at)}`];
  }
  const place = placeOf(order, page);
  const own = [sql<SqlBool>`${value} ${beyond} ${place.value}`];
  if (order.value !== key)
    own.unshift(sql<SqlBool>`${value} = ${place.value} and ${sql.ref(key)} ${beyond} ${place.key}`);
  if (!isOfSeveral) return own;
  const inNamespace = own.map((each) => sql<SqlBool>`namespace = ${place.namespace} and ${each}`);
  return [...inNamespace, sql<SqlBool>`namespace ${beyond} ${place.namespace}`];
}

function atOf({ name, at = (text) => text }: Order, text: string): string | number {
  const value = isPlain(text) ? at(text) : undefined;
  if (value === undefined) throw new AppError("bad_parameter", `Invalid parameter "at": not a value of ${name}`);
  return value;
}

/** It holds what its entry shows, and nothing else: rights and filters are those of the request that sends it. */
function cursorOf({ name }: Order, { isDescending }: Pick<SortRequest, "isDescending">, place: Place): string {
  const sorted = isDescending ? `-${name}` : name;
  return Buffer.from(JSON.stringify([sorted, place.namespace, place.value, place.key])).toString("base64url");
}

function placeOf(order: Order, page: SortRequest): Place {
  const place = page.after.length > MOST_IN_CURSOR ? undefined : parsed(page.after);
  const isOfOrder = typeof place?.value === (order.isNumber === true ? "number" : "string");
  // Only what this server would write: spelled in one way, and of this order.
  if (place !== undefined && isOfOrder && cursorOf(order, page, place) === page.after) return place;
  throw new AppError("bad_parameter", 'Invalid parameter "after": not a cursor of this list in this order');
}

function parsed(cursor: string): Place | undefined {
  try {
    const read: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    if (!Array.isArray(read) || read.length !== 4) return undefined;
    const [, namespace, value, key] = read as unknown[];
    if (!isPlain(namespace) || !isPlain(key) || !(isPlain(value) || Number.isSafeInteger(value))) return undefined;
    return { namespace, value: value as string | number, key };
  } catch {
    return undefined;
  }
}

/** A text that a column may hold. */
function isPlain(value: unknown): value is string {
  return typeof value === "string" && value.isWellFormed() && !value.includes("\0");
}
