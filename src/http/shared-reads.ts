/**
 * Lists of `/api/v2` that several equal callers ask for at once: read and put
 * in words once. `/v1` has tables with indexes to go by (see `v1/reads/`); here
 * a reading is shared with whoever arrives before it has begun, and where all
 * commits are this process's own also with who arrives before the next commit.
 */
import { setImmediate } from "node:timers/promises";
import type { FastifyRequest, RouteHandlerMethod } from "fastify";
import type { Database } from "../storage/database.ts";
import { afterNextTurn } from "../turns.ts";
import { textOf } from "./document-text.ts";
import { baseUrl } from "./pagination.ts";

type Commits = Pick<Database, "commits">;

interface Reading {
  text: Promise<string | Buffer>;
  hasBegun: boolean;
  /** Commits before it began, where all are known. */
  commits: number | undefined;
}

/** Gives the JSON text of what `make` reads, made once for all that may share it. @throws what `make` does */
export type ReadShared = (key: string, make: () => unknown) => Promise<string | Buffer>;

/** Makes the readings of a server. A reading that others wait behind is followed by one, whatever their number. */
export function createSharedReads(db: Commits): ReadShared {
  /** The youngest one of each key. */
  const readings = new Map<string, Reading>();

  async function read(key: string, reading: Reading, before: Reading | undefined, make: () => unknown) {
    // Another server may commit at any time: then only those can share a reading who arrive before it begins.
    if (db.commits() === undefined) await Promise.allSettled([before?.text, setImmediate()]);
    reading.hasBegun = true;
    reading.commits = db.commits();
    try {
      return await textOf(await make());
    } finally {
      void afterNextTurn().then(() => readings.get(key) === reading && readings.delete(key));
    }
  }

  return (key, make) => {
    const last = readings.get(key);
    if (last !== undefined && mayJoin(last, db)) return last.text;
    const reading: Reading = { text: Promise.resolve(""), hasBegun: false, commits: undefined };
    reading.text = read(key, reading, last, make);
    readings.set(key, reading);
    return reading.text;
  };
}

function mayJoin({ hasBegun, commits }: Reading, db: Commits): boolean {
  return !hasBegun || (commits !== undefined && commits === db.commits());
}

/**
 * Makes the handler of a list of one that is shared.
 *
 * @param handler returns what is sent, which follows from the URL, what the caller may do and what is stored alone
 */
export function shareList(handler: RouteHandlerMethod, readShared: ReadShared): RouteHandlerMethod {
  return async function shared(request, reply) {
    const text = await readShared(keyOf(request), () => handler.call(this, request, reply));
    return reply.send(text);
  };
}

/** Links of a list begin with where the client has asked. No part but the last can hold a line break, and URLs have none. */
function keyOf(request: FastifyRequest): string {
  return [request.ctx.actor.rightsKey, baseUrl(request), request.raw.url].join("\n");
}
