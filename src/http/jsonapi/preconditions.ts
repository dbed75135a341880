/**
 * Writes under a condition (RFC 9110, 13): `If-Match` with the ETag of a read of the very same URL, `If-None-Match: *` for what
 * must not be there yet. It holds in the transaction that writes: what the read was made from has not changed since.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../errors.ts";
import { sameContent, type ContentStates } from "../../storage/feed/content-states.ts";
import { counterName, type Counter } from "../../storage/writes/counters.ts";
import type { Transaction } from "../../storage/database.ts";

/** Gives the ETag of what a read of the request's URL would answer; undefined where that has none. */
export type EtagReader = (request: FastifyRequest, reply: FastifyReply) => Promise<string | undefined>;

/**
 * Runs a write while the condition of its request holds.
 *
 * @param write runs the transaction, and `check` at its beginning
 * @throws AppError `precondition_failed`, or `conflict` when what it rests on is being changed all the time
 */
export type Precondition = <T>(
  counter: Counter,
  write: (check: (tx: Transaction) => Promise<void>) => Promise<T>,
) => Promise<T>;

/** Error for content that has changed since its condition was checked. */
class Moved extends Error {}

/** Maximum number of attempts. Each further one follows a write of another client between check and write. */
const MOST_ATTEMPTS = 10;

/** The conditions of requests of `/api/v2`. */
export function createPreconditions(states: ContentStates) {
  /** By the pattern of their path. */
  const readers = new Map<string, EtagReader>();
  return {
    /** Has writes at a path compared with what is read there. */
    compareAt(url: string, readEtag: EtagReader): void {
      readers.set(url, readEtag);
    },
    /** A hook that notes what the first transaction of a request is made under. */
    note(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
      request.precondition = preconditionOf(request, reply, states, readers.get(request.routeOptions.url ?? ""));
      done();
    },
  };
}

/** The condition of a request that writes; undefined where it has none. @param readEtag undefined where nothing is read at its URL */
function preconditionOf(
  request: FastifyRequest,
  reply: FastifyReply,
  states: ContentStates,
  readEtag: EtagReader | undefined,
): Precondition | undefined {
  const { "if-match": wanted, "if-none-match": unwanted } = request.headers;
  if (request.method === "GET" || (wanted === undefined && unwanted === undefined)) return undefined;
  const fits = (etag: string | undefined) =>
    (wanted === undefined || (etag !== undefined && isNamed(wanted, etag))) &&
    (unwanted === undefined || etag === undefined || !isNamed(unwanted, etag));

  return async (counter, write) => {
    const { db } = request.ctx;
    const params = request.params as Readonly<Record<string, string>>;
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
      const before = await states.read(db, params);
      if (!fits(await found(readEtag, request, reply))) {
        throw new AppError(
          "precondition_failed",
          "Precondition failed: the object does not match If-Match or If-None-Match",
        );
      }
      const check = async (tx: Transaction) => {
        const isOwn = counterName(counter) === before?.counter;
        const [now, index] = await Promise.all([states.read(tx, params), isOwn ? tx.index() : undefined]);
        if (!sameContent(before, now, index)) throw new Moved();
      };
      try {
        return await write(check);
      } catch (error) {
        if (!(error instanceof Moved)) throw error;
      }
    }
    throw new AppError("conflict", "The object is changing too often to check the precondition; retry");
  };
}

async function found(
  readEtag: EtagReader | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string | undefined> {
  try {
    return await readEtag?.(request, reply);
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") return undefined;
    throw error;
  }
}

function isNamed(header: string, etag: string): boolean {
  return header.trim() === "*" || new Set<string>(header.match(/"[^"]*"/g)).has(etag);
}
