import type { FastifyRequest } from "fastify";
import type { Query } from "./query.ts";
import { pathOf } from "./route-table.ts";

interface Page {
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

const FIRST_PAGE: Page = Object.freeze({ number: 1, size: DEFAULT_SIZE, offset: 0 });

/** The page that `page[number]` and `page[size]` ask for; what is not a positive number means the default. */
export function readPage(query: Query): Page {
  const askedNumber = query["page[number]"];
  const askedSize = query["page[size]"];
  if (askedNumber === undefined && askedSize === undefined) return FIRST_PAGE;
  const number = Math.min(positive(askedNumber, 1), MAX_NUMBER);
  const size = Math.min(positive(askedSize, DEFAULT_SIZE), MAX_SIZE);
  return { number, size, offset: (number - 1) * size };
}

function positive(text: string | undefined, otherwise: number): number {
  if (text === undefined || !/^\d+$/.test(text)) return otherwise;
  return Number(text) || otherwise;
}

interface PaginationMeta {
  "current-page": number;
  "page-size": number;
  "prev-page": number | null;
  "next-page": number | null;
  /** 1 when there is nothing. */
  "total-pages": number;
  "total-count": number;
}

/** `meta.pagination` of a list. Clients stop at `current-page` ≥ `total-pages`. */
export function paginationMeta(page: Page, totalCount: number): PaginationMeta {
  const totalPages = countPages(page, totalCount);
  return {
    "current-page": page.number,
    "page-size": page.size,
    "prev-page": page.number > 1 ? page.number - 1 : null,
    "next-page": page.number < totalPages ? page.number + 1 : null,
    "total-pages": totalPages,
    "total-count": totalCount,
  };
}

interface PaginationLinks {
  self: string;
  first: string;
  prev: string | null;
  next: string | null;
  last: string;
}

/** `links` of a list: absolute, with encoded brackets, all other parameters kept. */
export function paginationLinks(request: FastifyRequest, page: Page, totalCount: number): PaginationLinks {
  const prefix = `${baseUrl(request)}${pathOf(request.raw.url ?? "/")}?${otherParameters(request.raw.url ?? "")}page%5Bnumber%5D=`;
  const suffix = `&page%5Bsize%5D=${page.size}`;
  const totalPages = countPages(page, totalCount);
  return {
    self: `${prefix}${page.number}${suffix}`,
    first: `${prefix}1${suffix}`,
    prev: page.number > 1 ? `${prefix}${page.number - 1}${suffix}` : null,
    next: page.number < totalPages ? `${prefix}${page.number + 1}${suffix}` : null,
    last: `${prefix}${totalPages}${suffix}`,
  };
}

function countPages(page: Page, totalCount: number): number {
  return Math.max(1, Math.ceil(totalCount / page.size));
}

/** Scheme and authority under which the client reaches us: `--public-url`, or as it asked. No slash at the end. */
function baseUrl(request: FastifyRequest): string {
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
