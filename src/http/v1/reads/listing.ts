import type { FastifyRequest } from "fastify";
import { cursorAfter, readPage, readSortedPage, type ListOf, type PageRequest } from "../../../lists/page.ts";
import { MOST_COUNTED, type PlacedEntry, type SortedList, type SortRequest } from "../../../lists/sorted.ts";
import { AppError } from "../../../errors.ts";
import { ListPlace, listTurns } from "../../../list-work.ts";
import type { Engine } from "../../../storage/engine.ts";
import type { QueryParameters } from "../../query.ts";
import { isPretty } from "../render.ts";
import {
  collectPage,
  collectPieces,
  joinTexts,
  piecesOf,
  renderPieces,
  textOfEntry,
  type ListPlaceAfter,
  type Slices,
  type TextSlices,
} from "./pieces.ts";
import type { Read } from "./read.ts";
import { serveRead } from "./serve.ts";
import { bodyOf, MAX_SHARED_BYTES } from "../../reads/shared-answers.ts";
import type { BegunList } from "./shared-lists.ts";

/**
 * Rows that are read at a time when the whole list is asked for. Opening a thousand secrets would hold the event loop;
 * on PostgreSQL the rows are also parsed there.
 */
const MOST_IN_SLICE: Record<Engine, number> = { sqlite: 400, postgres: 100 };

/** The first slice is small: nothing is known yet of how long its entries are. */
const FIRST_SLICE = 16;

/** Length that the text of a slice should not pass: a client that stops reading leaves one in the memory. */
const SLICE_LENGTH = 256 * 1024;
/** The same while many are being sent, of whom each may leave one. */
const SLICE_LENGTH_OF_MANY = 64 * 1024;
/** From so many bytes on that are being sent, it is many. */
const MANY_BYTES = 16 * 1024 * 1024;

/** Rows that are read at a time where another thread opens them and writes the text. */
const MOST_IN_TEXT: Record<Engine, number> = { sqlite: 1000, postgres: 100 };

/** Entries that a request lists, and their rendering. */
export interface Listing<T> extends ListOf<T> {
  render(entry: T): unknown;
}

interface ListRead<T> extends Pick<Read, "tables" | "partitionTables" | "sight" | "sharing"> {
  /** Returns the list of this request. @throws AppError `forbidden` when the caller may read none of it */
  of(request: FastifyRequest): Listing<T>;
}

/**
 * Makes the handler of a list: the page that is asked for, with the cursor of the next one in a header, or the whole of
 * it, slice by slice. A header says when entries were left out that the caller may not read.
 */
export function serveList<T>({ of, ...rest }: ListRead<T>) {
  return serveRead({
    ...rest,
    async probe(request) {
      const sorted = readSortedPage(request.query as QueryParameters);
      if (sorted !== undefined) return void (await orderable(of(request)).slice({ ...sorted, size: 1 }));
      const page = readPage(request.query as QueryParameters);
      await of(request).slice({ ...page, size: 1 });
    },
    async make(request) {
      const { pieces, headers } = await open(request, of);
      const text = await collectPieces(pieces, MAX_SHARED_BYTES);
      return text === undefined ? undefined : { body: bodyOf(text), headers, key: undefined };
    },
    open: (request, from) => open(request, of, from),
  });
}

/** Begins what is asked for, or goes on with it, in a place of its own: until it is read to its end, or collected. */
async function open<T>(request: FastifyRequest, of: ListRead<T>["of"], from?: ListPlaceAfter): Promise<BegunList> {
  const sorted = readSortedPage(request.query as QueryParameters);
  const listing = of(request);
  const page = readPage(sorted === undefined ? (request.query as QueryParameters) : {});
  const place = new ListPlace();
  try {
    await place.take();
    return await (sorted === undefined
      ? openList(request, listing, page, place, from)
      : openSorted(request, listing, sorted, place, from));
  } catch (error) {
    place.leave();
    throw error;
  } finally {
    // A list that is built while it is sent continues when its next piece is requested.
    place.handOut();
  }
}

/** The list in its own order, or a page of it. */
async function openList<T>(
  request: FastifyRequest,
  listing: Listing<T>,
  page: PageRequest,
  place: ListPlace,
  from: ListPlaceAfter | undefined,
): Promise<BegunList> {
  const { keyOf, texts } = listing;
  const pretty = isPretty(request);
  if (page.size === undefined && texts !== undefined) {
    const headers = from === undefined && (await listing.isFiltered()) ? FILTERED : {};
    return { headers, pieces: joinTexts(inTexts(request, texts, page, place, from), pretty, from) };
  }
  const rendering = { textOf: (entry: T) => textOfEntry(listing.render(entry), pretty), keyOf, isPretty: pretty };
  if (from !== undefined) {
    const { after, count, total } = from;
    const rest = inSlices(request, listing, { ...page, after }, place, (total ?? Infinity) - count);
    return { headers: {}, pieces: renderPieces(rest, { ...rendering, total }, from) };
  }
  // Settled before the first slice: headers go before all that is read.
  const headers = (await listing.isFiltered()) ? FILTERED : {};
  const { size } = page;
  if (size === undefined)
    return { headers, pieces: renderPieces(inSlices(request, listing, page, place, Infinity), rendering) };
  // One more than is shown says whether there are more.
  const made = await collectPage(inSlices(request, listing, page, place, size + 1), size, rendering);
  return {
    headers: made.hasMore ? { ...headers, ...cursorHeaders(made.last) } : headers,
    pieces: piecesOf(made),
  };
}

/** The page of a list that is sorted as the request says. */
async function openSorted<T>(
  request: FastifyRequest,
  listing: Listing<T>,
  page: SortRequest,
  place: ListPlace,
  from: ListPlaceAfter | undefined,
): Promise<BegunList> {
  const isPrettyText = isPretty(request);
  const list = orderable(listing);
  const rendering = {
    textOf: ({ entry }: PlacedEntry<T>) => textOfEntry(listing.render(entry), isPrettyText),
    keyOf: ({ cursor }: PlacedEntry<T>) => cursor,
    isPretty: isPrettyText,
  };
  if (from !== undefined) {
    const { after, count, total } = from;
    const rest = inSlices(
      request,
      sortedSlice(list, page),
      { size: undefined, after, search: "" },
      place,
      (total ?? 0) - count,
    );
    return { headers: {}, pieces: renderPieces(rest, { ...rendering, total }, from) };
  }
  const headers: Record<string, string> = (await listing.isFiltered()) ? { ...FILTERED } : {};
  const begin = { size: undefined, after: page.after, search: "" };
  const slices = inSlices(request, sortedSlice(list, page), begin, place, page.size + 1);
  const made = await collectPage(slices, page.size, rendering);
  // A page that is the whole list says how many there are.
  const isWhole = !made.hasMore && page.after === "" && page.at === "";
  const total = isWhole ? made.count : await list.count(page);
  headers["x-tessera-total"] = total > MOST_COUNTED ? `${MOST_COUNTED}+` : String(total);
  if (made.hasMore) headers["x-tessera-next"] = made.last;
  return { headers, pieces: piecesOf(made) };
}

/** @throws AppError `bad_parameter` */
function orderable<T>({ sorted }: Listing<T>): SortedList<T> {
  if (sorted === undefined)
    throw new AppError("bad_parameter", "This list does not support limit and sort; use page-size");
  return sorted;
}

function sortedSlice<T>(sorted: SortedList<T>, page: SortRequest): Sliced<PlacedEntry<T>> {
  return {
    slice: ({ after, size }) => sorted.slice({ ...page, after, size }),
    keyOf: ({ cursor }) => cursor,
  };
}

type Sliced<T> = Pick<ListOf<T>, "slice" | "keyOf">;

const FILTERED = { "x-service-results-filtered-by-acls": "true", "x-consul-results-filtered-by-acls": "true" };

function cursorHeaders(last: string): Record<string, string> {
  const next = cursorAfter(last);
  return { "x-service-next": next, "x-consul-next": next };
}

/** @param wanted how many entries at most */
async function* inSlices<T>(
  request: FastifyRequest,
  { slice: list, keyOf }: Sliced<T>,
  page: PageRequest,
  place: ListPlace,
  wanted: number,
): Slices<T> {
  const most = MOST_IN_SLICE[request.ctx.db.engine];
  let { after } = page;
  let size = Math.min(FIRST_SLICE, most, wanted);
  try {
    for (let left = wanted; size > 0;) {
      await place.take();
      const slice = await list({ ...page, after, size });
      // All that was asked for meanwhile may have come in this round.
      await listTurns.pause();
      place.handOut();
      const length = yield slice;
      const last = slice.at(-1);
      if (last === undefined || slice.length < size) return;
      after = keyOf(last);
      left -= size;
      size = Math.min(nextSize(request, size, length), most, left);
    }
  } finally {
    place.leave();
  }
}

/** As many as are likely to fit, and not many more than the last: entries may be of very different lengths. */
function nextSize({ server }: FastifyRequest, size: number, length: number): number {
  const longest = server.sending.used() > MANY_BYTES ? SLICE_LENGTH_OF_MANY : SLICE_LENGTH;
  return Math.min(Math.max(1, Math.floor(longest / Math.max(1, length / size))), size * 2);
}

/** The same of slices that are made as text. */
async function* inTexts(
  request: FastifyRequest,
  texts: NonNullable<ListOf<unknown>["texts"]>,
  page: PageRequest,
  place: ListPlace,
  from: ListPlaceAfter | undefined,
): TextSlices {
  const most = MOST_IN_TEXT[request.ctx.db.engine];
  const pretty = isPretty(request);
  let after = from?.after ?? page.after;
  try {
    for (let size = FIRST_SLICE, isFirst = from === undefined; ; isFirst = false) {
      await place.take();
      const slice = await texts({ ...page, after, size }, { isPretty: pretty, isFirst });
      place.handOut();
      const length = yield slice;
      const count = slice.reduce((sum, piece) => sum + piece.count, 0);
      if (count < size) return;
      after = slice.at(-1)?.last ?? after;
      size = Math.min(nextSize(request, size, length), most);
    }
  } finally {
    place.leave();
  }
}
