import type { FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../context.ts";
import { sendList, type Slices } from "../http/v1/list.ts";
import { sendMeta } from "../http/v1/read-options.ts";
import type { Query } from "../http/query.ts";
import type { Engine } from "../storage/database.ts";
import { cursorAfter, readPage, type PageRequest } from "./page.ts";
import type { Scope } from "./scope.ts";

/**
 * Rows that are read at a time when the whole list is asked for. Opening a thousand secrets would hold the event loop;
 * on PostgreSQL the rows are also parsed there.
 */
const MOST_IN_SLICE: Record<Engine, number> = { sqlite: 400, postgres: 100 };

/** The first slice is small, so that the answer begins soon. */
const FIRST_SLICE = 50;

/** Length that the text of a slice should not pass, so that long descriptions do not fill the memory. */
const SLICE_LENGTH = 1024 * 1024;

export interface Listing<T> {
  /** The table whose index the answer shows. */
  table: string;
  /** A slice of the list, in order of the keys. */
  list(page: PageRequest & { size: number }): Promise<T[]>;
  /** What the list is in order of. */
  keyOf(entry: T): string;
  render(entry: T): unknown;
}

/**
 * Answers with a list: the page that is asked for, with the cursor of the next
 * one in a header, or the whole of it, slice by slice. The index is read before
 * the first slice, so that no change falls between them unseen.
 */
export async function answerList<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  listing: Listing<T>,
): Promise<FastifyReply> {
  const page = readPage(request.query as Query);
  await answerIndex(request.ctx, reply, listing.table, request.scope);
  const { size } = page;
  if (size === undefined)
    return sendList(reply, slices(listing, page, MOST_IN_SLICE[request.ctx.db.engine]), listing.render);
  const entries = await listing.list({ ...page, size: size + 1 });
  const shown = entries.slice(0, size);
  const last = shown.at(-1);
  if (last !== undefined && entries.length > size) {
    const next = cursorAfter(listing.keyOf(last));
    reply.header("x-service-next", next).header("x-consul-next", next);
  }
  return sendList(reply, oneSlice(shown), listing.render);
}

/** Sets the headers of a read: the index of the table, which single reads show too. */
export async function answerIndex({ db }: Context, reply: FastifyReply, table: string, scope: Scope): Promise<void> {
  sendMeta(reply, await db.tableIndex(table, scope));
}

async function* slices<T>({ list, keyOf }: Listing<T>, page: PageRequest, most: number): Slices<T> {
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
