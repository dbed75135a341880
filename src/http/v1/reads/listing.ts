import type { FastifyRequest } from "fastify";
import { cursorAfter, readPage, type PageRequest } from "../../../acl/page.ts";
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

/** What a request lists. */
export interface Listing<T> {
  /** A slice of the list, in order of the keys. */
  list(page: PageRequest & { size: number }): Promise<T[]>;
  /** What the list is in order of. */
  keyOf(entry: T): string;
  render(entry: T): unknown;
}

interface ListRead<T> extends Pick<Read, "tables" | "sharing"> {
  /** What this request lists. */
  of(request: FastifyRequest): Listing<T>;
}

/**
 * Makes the handler of a list: the page that is asked for, with the cursor of
 * the next one in a header, or the whole of it, slice by slice.
 */
export function serveList<T>({ of, ...rest }: ListRead<T>) {
  return serveRead({
    ...rest,
    async probe(request) {
      await of(request).list({ ...readPage(request.query as Query), size: 1 });
    },
    async make(request) {
      const listing = of(request);
      const { slices, headers } = await open(request, listing);
      const text = await collectList(request, slices, listing.render, MAX_SHARED_BYTES);
      return text === undefined ? undefined : { body: bodyOf(text), headers, key: undefined };
    },
    async stream(request, reply, keep) {
      const listing = of(request);
      const { slices, headers } = await open(request, listing).catch((error: unknown) => {
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

/** The slices of what is asked for, and the headers that go with them. */
async function open<T>(
  request: FastifyRequest,
  listing: Listing<T>,
): Promise<{ slices: Slices<T>; headers: Record<string, string> }> {
  const page = readPage(request.query as Query);
  const { size } = page;
  if (size === undefined)
    return { slices: wholeList(listing, page, MOST_IN_SLICE[request.ctx.db.engine]), headers: {} };
  const entries = await listing.list({ ...page, size: size + 1 });
  const shown = entries.slice(0, size);
  const last = shown.at(-1);
  if (last === undefined || entries.length <= size) return { slices: oneSlice(shown), headers: {} };
  const next = cursorAfter(listing.keyOf(last));
  return { slices: oneSlice(shown), headers: { "x-service-next": next, "x-consul-next": next } };
}

async function* wholeList<T>({ list, keyOf }: Listing<T>, page: PageRequest, most: number): Slices<T> {
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
