/** Source of the rows of a list: page by page, from either family of the API. */
import { TesseraError, type Answer, type Client, type OperationId, type Query } from "@tessera-server/client";
import type { ListQuery } from "./filter.ts";

export interface Total {
  readonly count: number;
  /** There are more than the server counted. */
  readonly isMore: boolean;
}

export interface ListPage<Row> {
  readonly rows: readonly Row[];
  /** Asks for the page behind this one; undefined on the last. */
  readonly next: string | undefined;
  readonly total: Total | undefined;
  /** There are others, which the caller may not see. */
  readonly isPartlyHidden: boolean;
  /** The row of it that was jumped to. */
  readonly at?: number;
  /** Number of rows before a page that was jumped to, where the server returns it. */
  readonly before?: number;
}

export interface ListSource<Row> {
  page(asked: ListQuery, cursor: string | undefined, signal: AbortSignal): Promise<ListPage<Row>>;
  /** Returns the page that contains a text, or its position, in the requested order. */
  pageAt?(asked: ListQuery, text: string, jump: Jump<Row>, signal: AbortSignal): Promise<ListPage<Row>>;
}

/** One that gives pages, and so the one that is jumped to. */
export type PagedSource<Row> = Required<ListSource<Row>>;

/** Fields and texts for jumps to a text. */
export interface Jump<Row> {
  /** Text fields by which rows can be sorted; an empty one is the server's own order. */
  readonly fields: readonly string[];
  /** Text by which rows of a list of `/api/v2` are sorted, in these orders. */
  text?(row: Row): string;
}

/** Jumps by what the lists of most kinds of `/v1` are in order of. */
export const BY_NAME: Jump<unknown> = { fields: ["", "Name", "Description"] };

/** Rows that one page has. */
const SIZE = 100;

/** How a list that comes whole is searched and sorted here. */
export interface Local<Row> {
  /** Text that a search looks through. */
  text(row: Row): string;
  /** Sort value of a row, for a field that columns name. */
  value(row: Row, field: string): string | number | undefined;
}

/** Lists of which this server gives no pages. */
const wholes = new Set<OperationId>();

/** A list of `/v1`. It is read whole, and searched and sorted here, where it is filtered here or the server gives no pages of it. */
export function v1Source<Row>(client: Client, operation: OperationId, local: Local<Row>): PagedSource<Row> {
  async function read(asked: ListQuery, place: Query, signal: AbortSignal): Promise<ListPage<Row>> {
    if (wholes.has(operation) || asked.here.length > 0) return wholePage(client, operation, local, asked, signal);
    const { search, sort, filters } = asked;
    const query: Query = { limit: SIZE, ...place, search: given(search), sort: given(sort), ...filters };
    try {
      const { headers, body } = await client.request<readonly Row[]>(operation, { query, signal });
      return {
        rows: body,
        next: headers.get("x-tessera-next") ?? undefined,
        total: totalOf(headers.get("x-tessera-total")),
        isPartlyHidden: isFiltered(headers),
      };
    } catch (error) {
      if (!(error instanceof TesseraError) || error.status !== 400 || !/"limit"/.test(error.detail)) throw error;
      wholes.add(operation);
      return wholePage(client, operation, local, asked, signal);
    }
  }
  return {
    page: async (asked, after, signal) => read(asked, { after }, signal),
    pageAt: async (asked, at, _jump, signal) => ({ ...(await read(asked, { at }, signal)), at: 0 }),
  };
}

/**
 * Source for a list of `/v1` without pages, such as partitions.
 *
 * @param most maximum number of entries that the server returns
 */
export function wholeSource<Row>(
  client: Client,
  operation: OperationId,
  local: Local<Row>,
  most = Infinity,
): ListSource<Row> {
  return { page: async (asked, _cursor, signal) => wholePage(client, operation, local, asked, signal, most) };
}

/** A list of `/v1` that comes whole, and not as an array. */
export function mappedSource<Row, Body>(
  client: Client,
  operation: OperationId,
  rowsOf: (body: Body) => readonly Row[],
  local: Local<Row>,
): ListSource<Row> {
  return {
    async page(asked, _cursor, signal) {
      const { headers, body } = await client.request<Body>(operation, { signal });
      return { ...lookedThrough(rowsOf(body), asked, local), isPartlyHidden: isFiltered(headers) };
    },
  };
}

/** A list of which there is never much: where it is searched, sorted or filtered, all pages of it are read. */
export function smallSource<Row>(source: ListSource<Row>, local: Local<Row>): ListSource<Row> {
  return {
    async page(asked, cursor, signal) {
      const plain: ListQuery = { ...asked, search: "", sort: "", here: [] };
      if (asked.search === "" && asked.sort === "" && asked.here.length === 0)
        return source.page(plain, cursor, signal);
      const rows: Row[] = [];
      let isPartlyHidden = false;
      for (let next: string | undefined, isFirst = true; isFirst || next !== undefined; isFirst = false) {
        const page = await source.page(plain, next, signal);
        rows.push(...page.rows);
        isPartlyHidden ||= page.isPartlyHidden;
        next = page.next;
      }
      return { ...lookedThrough(rows, asked, local), isPartlyHidden };
    },
  };
}

async function wholePage<Row>(
  client: Client,
  operation: OperationId,
  local: Local<Row>,
  asked: ListQuery,
  signal: AbortSignal,
  most = Infinity,
): Promise<ListPage<Row>> {
  const { headers, body } = await client.request<readonly Row[] | null>(operation, { query: asked.filters, signal });
  return { ...lookedThrough(body ?? [], asked, local, most), isPartlyHidden: isFiltered(headers) };
}

/** Returns the matching rows in the requested order, as the only page. */
function lookedThrough<Row>(
  all: readonly Row[],
  { search, sort, here }: ListQuery,
  local: Local<Row>,
  most = Infinity,
): Pick<ListPage<Row>, "rows" | "next" | "total"> {
  const fitting = all.filter((row) => here.every((one) => one.fits(row as never, one.value, all as readonly never[])));
  const rows = sorted(searched(fitting, search, local), sort, local);
  return { rows, next: undefined, total: { count: rows.length, isMore: all.length >= most } };
}

function isFiltered(headers: Headers): boolean {
  return headers.get("x-service-results-filtered-by-acls") === "true";
}

function given(text: string): string | undefined {
  return text === "" ? undefined : text;
}

/**
 * A list of `/api/v2`; `path` names what it is of, such as its organization. `more` may have a smaller `page[size]` where rows
 * are large.
 */
export function v2Source<Row>(
  client: Client,
  operation: OperationId,
  path: Readonly<Record<string, string>>,
  more: Query = {},
  searchName = "q",
): PagedSource<Row> {
  const size = Number(more["page[size]"] ?? SIZE);
  async function read({ search, sort, filters }: ListQuery, place: Query, signal: AbortSignal): Promise<V2List<Row>> {
    const order = given(sort) ?? more["sort"];
    const query: Query = { ...more, ...place, [searchName]: given(search), sort: order, ...filters };
    const { body }: Answer<V2List<Row>> = await client.request<V2List<Row>>(operation, { path, query, signal });
    return body;
  }
  async function page(asked: ListQuery, cursor: string | undefined, signal: AbortSignal): Promise<ListPage<Row>> {
    const body = await read(asked, { "page[size]": size, "page[number]": cursor }, signal);
    const pagination = body.meta?.pagination;
    const next = pagination?.["next-page"];
    return {
      rows: body.data,
      next: next === null || next === undefined ? undefined : String(next),
      total: pagination === undefined ? undefined : { count: pagination["total-count"], isMore: false },
      isPartlyHidden: false,
    };
  }
  return {
    page,
    async pageAt(asked, text, { text: textOf = () => "" }, signal) {
      const isPast = (row: Row) => (asked.sort.startsWith("-") ? textOf(row) < text : textOf(row) > text);
      const one = async (number: number) => read(asked, { "page[size]": 1, "page[number]": number }, signal);
      const { meta } = await one(1);
      // Between pages the half is looked at: seventeen short reads among a million rows.
      let low = 1;
      let high = Math.max(1, Math.ceil((meta?.pagination?.["total-count"] ?? 0) / size));
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        const [row] = (await one((middle - 1) * size + 1)).data;
        if (row === undefined || isPast(row)) high = middle - 1;
        else low = middle;
      }
      const found = await page(asked, String(low), signal);
      const at = found.rows.findIndex((row) => isPast(row) || textOf(row) === text);
      return { ...found, before: (low - 1) * size, at: at < 0 ? found.rows.length - 1 : at };
    },
  };
}

interface V2List<Row> {
  readonly data: readonly Row[];
  readonly meta?: { readonly pagination?: { readonly "next-page": number | null; readonly "total-count": number } };
}

function totalOf(text: string | null): Total | undefined {
  const found = /^(\d+)(\+?)$/.exec(text ?? "");
  return found === null ? undefined : { count: Number(found[1]), isMore: found[2] === "+" };
}

function searched<Row>(rows: readonly Row[], search: string, { text }: Local<Row>): readonly Row[] {
  const wanted = search.trim().toLowerCase();
  return wanted === "" ? rows : rows.filter((row) => text(row).toLowerCase().includes(wanted));
}

function sorted<Row>(rows: readonly Row[], sort: string, { value }: Local<Row>): readonly Row[] {
  if (sort === "") return rows;
  const field = sort.replace(/^-/, "");
  const sign = sort.startsWith("-") ? -1 : 1;
  return [...rows].sort((a, b) => sign * compare(value(a, field), value(b, field)));
}

/** Compares two values. Undefined values sort last. */
function compare(a: string | number | undefined, b: string | number | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), undefined, { numeric: true, sensitivity: "base" });
}
