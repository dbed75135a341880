import { AppError } from "../errors.ts";
import type { Database, Reader } from "../storage/database.ts";
import type { SortedList, SortRequest } from "./sorted.ts";

/** A page of a list, as `?page-size=`, `?after=` and `?search=` ask for it. */
export interface PageRequest {
  /** How many entries at most; undefined for the whole list. */
  size: number | undefined;
  /** Sort key of the last entry of the page before; empty for the first page. */
  after: string;
  /** Only entries that hold this text, in any case. */
  search: string;
}

/** How a slice is written. */
export interface TextForm {
  isPretty: boolean;
  /** Whether nothing comes before it. */
  isFirst: boolean;
}

/** A list that a request may read, slice by slice. */
export interface ListOf<T> {
  /** Entries in order of their keys, after that of the page. */
  slice(page: PageRequest & { size: number }): Promise<T[]>;
  /** Returns the key that a list is ordered by. */
  keyOf(entry: T): string;
  /**
   * Whether the kind has others that the caller may not read. Does not depend on a search or filter: else the answer
   * would reveal that a guessed name exists.
   */
  isFiltered(): Promise<boolean>;
  /** Returns a slice as it is sent, for lists that are made off the event loop. */
  texts?: ((page: PageRequest & { size: number }, form: TextForm) => Promise<readonly TextPiece[]>) | undefined;
  /** The same list in the orders that `?sort=` names; undefined where it has one only, and pages by `page-size`. */
  sorted?: SortedList<T>;
}

/** A part of the text of a slice: whole entries, with what stands in front of each. */
export interface TextPiece {
  bytes: Uint8Array;
  /** How many entries it has, and the key of the last of them. */
  count: number;
  last: string;
}

/** Entries that one page may have. */
const MAX_PAGE_SIZE = 1000;
/** Sort keys are folded names and UUIDs, after a namespace where there are several: nothing else is taken from a cursor. */
const SORT_KEY = /^[a-z0-9\-_/]{1,320}$/;

/**
 * Reads the parameters of a page. A cursor holds a sort key and nothing else:
 * rights and filters are those of the request that shows it.
 *
 * @throws AppError `bad_parameter`
 */
export function readPage(query: { "page-size"?: string; after?: string; search?: string }): PageRequest {
  const { "page-size": size, after = "", search = "" } = query;
  const page = { size: size === undefined ? undefined : pageSize(size), after: sortKey(after), search };
  if (page.size === undefined && after !== "")
    throw new AppError("bad_parameter", "The parameter after requires page-size");
  return page;
}

type SortQuery = {
  limit?: string;
  sort?: string;
  after?: string;
  at?: string;
  search?: string;
  "id-prefix"?: string;
};

/** Fewer characters would be a list of too many. */
const ID_PREFIX = /^[0-9a-f-]{4,36}$/i;

/**
 * Reads the parameters of a page that says its `limit`.
 *
 * @returns undefined for a request without, which asks for the list as `readPage` reads it
 * @throws AppError `bad_parameter`
 */
export function readSortedPage(query: SortQuery & { "page-size"?: string }): SortRequest | undefined {
  const { limit, sort = "", after = "", at = "", search = "", "id-prefix": prefix } = query;
  if (limit === undefined) {
    if (prefix !== undefined) throw new AppError("bad_parameter", 'The parameter "id-prefix" requires "limit"');
    if (sort !== "" || at !== "") throw new AppError("bad_parameter", 'The parameters "sort" and "at" require "limit"');
    return undefined;
  }
  if (query["page-size"] !== undefined) throw new AppError("bad_parameter", "Set only one of limit and page-size");
  const size = /^\d{1,4}$/.test(limit) ? Number(limit) : 0;
  if (size < 1 || size > MAX_PAGE_SIZE) {
    throw new AppError("bad_parameter", `Invalid limit: it must be a whole number from 1 to ${MAX_PAGE_SIZE}`);
  }
  if (prefix !== undefined && !ID_PREFIX.test(prefix))
    throw new AppError("bad_parameter", "Invalid id-prefix: it must be the first 4 to 36 characters of a UUID");
  const isDescending = sort.startsWith("-");
  const field = isDescending ? sort.slice(1) : sort;
  return { size, field, isDescending, after, at, search, idPrefix: prefix?.toLowerCase() ?? "" };
}

/** Maximum number of rows that are read in place on SQLite: another thread takes longer. */
const FEW = 50;

/**
 * Returns the reader for a slice of a list: off the event loop, unless the slice is short. On PostgreSQL never among
 * the point reads, which would wait behind it on their few connections.
 *
 * @param isFiltered whether rows may be skipped, so that the search for a few may read many
 */
export function listReader(
  db: Pick<Database, "long" | "engine"> & Reader,
  { size, search }: PageRequest,
  isFiltered: boolean,
): Reader {
  const isShort = (size ?? Infinity) <= FEW && search === "" && !isFiltered;
  return isShort && db.engine === "sqlite" ? db : db.long;
}

/** The cursor of the page that comes after an entry. */
export function cursorAfter(key: string): string {
  return Buffer.from(key).toString("base64url");
}

function pageSize(text: string): number {
  const size = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (size < 1) throw new AppError("bad_parameter", "Invalid page-size: expected an integer of at least 1");
  return Math.min(size, MAX_PAGE_SIZE);
}

function sortKey(cursor: string): string {
  if (cursor === "") return "";
  const key = Buffer.from(cursor, "base64url").toString("latin1");
  if (!SORT_KEY.test(key) || cursorAfter(key) !== cursor)
    throw new AppError("bad_parameter", 'Invalid parameter "after": not a cursor of this list');
  return key;
}
