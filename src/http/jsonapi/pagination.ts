import type { FastifyRequest } from "fastify";
import type { EntryTexts } from "../sending/entry-texts.ts";
import type { QueryParameters } from "../query.ts";
import { pathOf } from "../route-table.ts";

export interface Page {
  /** From 1, as it was asked for, also beyond the end. */
  number: number;
  size: number;
  /** Entries before this page. */
  offset: number;
}

const DEFAULT_SIZE = 20;
const MAX_SIZE = 100;
/** Keeps every offset an exact integer. */
const MAX_NUMBER = Math.floor(Number.MAX_SAFE_INTEGER / MAX_SIZE);

/** The most that the entries of a page may come to; what does not fit is on the next one. */
export const MAX_PAGE_BYTES = 8 * 1024 * 1024;

/**
 * Behind a page that was cut, entries do not lie where its size says. A number from here on to twice as much names the
 * page that begins behind so many entries: a client that asks for `next-page` misses none. It fits into 32 bits.
 */
const FIRST_BY_OFFSET = 2 ** 30;

const FIRST_PAGE: Page = Object.freeze({ number: 1, size: DEFAULT_SIZE, offset: 0 });

/** The page that `page[number]` and `page[size]` ask for; what is not a positive number means the default. */
export function readPage(query: QueryParameters): Page {
  const askedNumber = query["page[number]"];
  const askedSize = query["page[size]"];
  if (askedNumber === undefined && askedSize === undefined) return FIRST_PAGE;
  const number = Math.min(positive(askedNumber, 1), MAX_NUMBER);
  const size = Math.min(positive(askedSize, DEFAULT_SIZE), MAX_SIZE);
  return { number, size, offset: isByOffset(number) ? number - FIRST_BY_OFFSET : (number - 1) * size };
}

function isByOffset(number: number): boolean {
  return number >= FIRST_BY_OFFSET && number < 2 * FIRST_BY_OFFSET;
}

/**
 * How many entries of a page fit into it: at least one.
 *
 * @param sizes bytes of each entry, about
 */
export function countFitting(sizes: readonly number[], most = MAX_PAGE_BYTES): number {
  let bytes = 0;
  const tooMany = sizes.findIndex((size) => (bytes += size) > most);
  return tooMany === -1 ? sizes.length : Math.max(1, tooMany);
}

function positive(text: string | undefined, otherwise: number): number {
  if (text === undefined || !/^\d+$/.test(text)) return otherwise;
  return Number(text) || otherwise;
}

/** A page as a feature found it. */
export interface FoundPage {
  /** The entries as they are shown. */
  data: readonly object[] | EntryTexts;
  /** How many there are on all pages. */
  total: number;
  /** How many were found for the page, of which it shows the first ones; left out where it shows all. */
  found?: number;
  included?: readonly object[] | undefined;
  /** Further facts about the whole list. */
  meta?: object;
}

/**
 * The document of a page. One that shows fewer entries than were found was cut, and the next one begins there. Its links are
 * absolute, with encoded brackets, and keep all other parameters.
 */
export function pageDocument(request: FastifyRequest, page: Page, { data, total, found, included, meta }: FoundPage) {
  const pagination = paginationMeta(page, total, data.length < (found ?? 0) ? data.length : page.size);
  const { url = "/" } = request.raw;
  const prefix = `${baseUrl(request)}${pathOf(url)}?${otherParameters(url)}page%5Bnumber%5D=`;
  const link = (number: number | null) => number && `${prefix}${number}&page%5Bsize%5D=${page.size}`;
  const links = {
    self: link(page.number),
    first: link(1),
    prev: link(pagination["prev-page"]),
    next: link(pagination["next-page"]),
    last: link(pagination["total-pages"]),
  };
  return { data, included, links, meta: { pagination, ...meta } };
}

/**
 * `meta.pagination` of a list, which has one page when it is empty. Clients stop at `current-page` ≥ `total-pages`.
 *
 * @param shown entries on the page, where it was cut
 */
export function paginationMeta(page: Page, totalCount: number, shown = page.size) {
  const { prev, next, last } = neighbours(page, totalCount, shown);
  return {
    "current-page": page.number,
    "page-size": page.size,
    "prev-page": prev,
    "next-page": next,
    "total-pages": last,
    "total-count": totalCount,
  };
}

/** Numbers of the pages around one. */
function neighbours(page: Page, totalCount: number, shown: number) {
  const { number, size, offset } = page;
  const prev = number > 1 ? number - 1 : null;
  if (!isByOffset(number) && shown === size) {
    const last = Math.max(1, Math.ceil(totalCount / size));
    return { prev, next: number < last ? number + 1 : null, last };
  }
  const end = offset + shown;
  const left = Math.ceil(Math.max(0, totalCount - end) / size);
  const next = left > 0 ? FIRST_BY_OFFSET + end : null;
  return {
    prev: isByOffset(number) ? pageBefore(page) : prev,
    next,
    last: next === null ? number : next + left - 1,
  };
}

function pageBefore({ size, offset }: Page): number | null {
  if (offset === 0) return null;
  return offset <= size ? 1 : FIRST_BY_OFFSET + offset - size;
}

/** Scheme and authority under which the client reaches us: `--public-url`, or as it asked. No slash at the end. */
export function baseUrl(request: FastifyRequest): string {
  return request.server.publicUrl ?? `${request.protocol}://${request.host}`;
}

const PAGE_PARAMETER = /^page(?:\[|%5b)(?:number|size)(?:\]|%5d)(?:=|$)/i;

/** The other parameters as they came, each followed by `&`. */
function otherParameters(url: string): string {
  const start = url.indexOf("?");
  if (start === -1) return "";
  let kept = "";
  for (const piece of url.slice(start + 1).split("&")) {
    if (piece !== "" && !PAGE_PARAMETER.test(piece)) kept += `${piece}&`;
  }
  return kept.replaceAll("[", "%5B").replaceAll("]", "%5D");
}
