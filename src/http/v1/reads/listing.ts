import type { FastifyRequest } from "fastify";
import { cursorAfter, readPage, type ListOf, type PageRequest } from "../../../acl/page.ts";
import type { Engine } from "../../../storage/database.ts";
import type { Query } from "../../query.ts";
import { collectList, sendList, type Slices } from "./list.ts";
import type { Read } from "./read.ts";
import { serveRead } from "./serve.ts";
import { bodyOf, MAX_SHARED_BYTES } from "./shared-answers.ts";

/**
 * Rows that are read at a time when the whole list is asked for. Opening a thousand secrets would hold the event loop;
 * on PostgreSQL the rows are also parsed there.
 */
const MOST_IN_SLICE: Record<Engine, number> = { sqlite: 400, postgres: 100 };

/** The first slice is small, so that the answer begins soon. */
const FIRST_SLICE = 8;

/** Length that the text of a slice should not pass: a client that stops reading leaves one in the memory. */
const SLICE_LENGTH = 256 * 1024;

/** What a request lists, and how it is shown. */
export interface Listing<T> extends ListOf<T> {
  render(entry: T): unknown;
}

interface ListRead<T> extends Pick<Read, "tables" | "partitionTables" | "sharing"> {
  /** What this request lists. @throws AppError `forbidden` when the caller may read none of it */
  of(request: FastifyRequest): Listing<T>;
}

/**
 * Makes the handler of a list: the page that is asked for, with the cursor of
 * the next one in a header, or the whole of it, slice by slice. A header says
 * when entries were left out that the caller may not read.
 */
export function serveList<T>({ of, ...rest }: ListRead<T>) {
  return serveRead({
    ...rest,
    async probe(request) {
      const page = readPage(request.query as Query);
      await of(request).slice({ ...page, size: 1 });
    },
    async make(request) {
      const { listing, slices, headers } = await begin(request, of);
      const text = await collectList(request, slices, listing.render, MAX_SHARED_BYTES);
      return text === undefined ? undefined : { body: bodyOf(text), headers, key: undefined };
    },
    async stream(request, reply, keep) {
      const { listing, slices, headers } = await begin(request, of).catch((error: unknown) => {
        keep?.(undefined);
        throw error;
      });
      for (const name in headers) reply.header(name, headers[name]);
      const onEnd = (text: string | undefined): void =>
        keep?.(text === undefined ? undefined : { body: bodyOf(text), headers, key: undefined });
      return sendList(reply, slices, listing.render, keep && { limit: MAX_SHARED_BYTES, onEnd });
    },
  });
}

interface Begun<T> {
  listing: Listing<T>;
  slices: Slices<T>;
  headers: Record<string, string>;
}

/** The slices of what is asked for, and the headers that go with them. */
async function begin<T>(request: FastifyRequest, of: ListRead<T>["of"]): Promise<Begun<T>> {
  const page = readPage(request.query as Query);
  const listing = of(request);
  // Settled before the first slice: headers go before all that is read.
  const headers = (await listing.isFiltered()) ? { ...FILTERED } : {};
  const { size } = page;
  if (size === undefined) {
    return { listing, slices: wholeList(listing, page, MOST_IN_SLICE[request.ctx.db.engine]), headers };
  }
  const entries = await listing.slice({ ...page, size: size + 1 });
  const shown = entries.slice(0, size);
  const last = shown.at(-1);
  if (last === undefined || entries.length <= size) return { listing, slices: oneSlice(shown), headers };
  const next = cursorAfter(listing.keyOf(last));
  return { listing, slices: oneSlice(shown), headers: { ...headers, "x-service-next": next, "x-consul-next": next } };
}

const FILTERED = { "x-service-results-filtered-by-acls": "true", "x-consul-results-filtered-by-acls": "true" };

async function* wholeList<T>({ slice: list, keyOf }: Listing<T>, page: PageRequest, most: number): Slices<T> {
  let { after } = page;
  let size = Math.min(FIRST_SLICE, most);
  for (;;) {
    const slice = await list({ ...page, after, size });
    const length = yield slice;
    const last = slice.at(-1);
    if (last === undefined || slice.length < size) return;
    after = keyOf(last);
    // As many as are likely to fit, and not many times more than the last: entries may be of very different lengths.
    const fit = Math.floor(SLICE_LENGTH / Math.max(1, length / slice.length));
    size = Math.max(1, Math.min(fit, size * 4, most));
  }
}

async function* oneSlice<T>(slice: readonly T[]): Slices<T> {
  yield slice;
}
