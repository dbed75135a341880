/**
 * Answers that wait to be sent. Each one is held until it is durable. A connection takes pieces one after the other, as
 * its client reads. A budget limits all connections together.
 */
import type { ServerResponse } from "node:http";
import { pipeline, Readable, Transform } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../errors.ts";
import { createPool, poolRefusalText, type PoolHolder, type Pool, type PoolRefusal } from "../../shared-pool.ts";
import type { Database } from "../../storage/database.ts";
import { EVENT_STREAM } from "./event-stream.ts";
import { unlessHead } from "./head.ts";
import { holderOf } from "../receiving/request-callers.ts";
import { decodedPath } from "../route-table.ts";

/**
 * Bytes that are counted for an answer that is built while it is sent: a slice of rows, and some pieces of text in
 * flight.
 */
export const STREAM_BYTES = 1024 * 1024;
/** Shorter answers are not counted: the kernel takes them at once. */
const COUNTED_FROM = 16 * 1024;
/** A longer answer is handed to its socket in pieces, as the client reads. */
const WHOLE_BYTES = 256 * 1024;
const PIECE_BYTES = 64 * 1024;

export type Streamed = NodeJS.ReadableStream | ReadableStream;
export type Payload = string | Buffer | Streamed | null | undefined;

const UNREAD = "Too many responses to writes are waiting for slow clients";

type Done = (error: Error | null, payload?: Payload) => void;

/** The account of the bytes that are being sent. */
export type SendingAccount = ReturnType<typeof createSending>;

/** An answer that sends bytes which others may send too. */
interface Sharer {
  pool: Pool;
  holder: PoolHolder | undefined;
}

/** The bytes that are being sent, and the answers that share some. */
class SendingRoom {
  readonly pool: Pool;
  /**
   * Account of answers that are sent in any case: they take nothing from the room for reads. A caller with many unread
   * bytes in it cannot write further.
   */
  readonly ofWrites: Pool;
  /** The answers that send the same bytes, which count once: for the first of them that is still there. */
  readonly #shared = new WeakMap<Buffer, Set<Sharer>>();
  /** Bytes counted since the start. */
  total = 0;

  constructor(limit: number | undefined) {
    this.pool = createPool("sending", limit);
    this.ofWrites = createPool("sendingOfWrites", limit);
  }

  /** @returns the pool that gives it back */
  #takeRoom(request: FastifyRequest, holder: PoolHolder | undefined, bytes: number): Pool {
    this.total += bytes;
    if (isOutside(request)) {
      this.ofWrites.force(holder, bytes);
      return this.ofWrites;
    }
    const refusal = this.pool.take(holder, bytes);
    if (refusal !== undefined) throw noRoom(request.url, refusal);
    return this.pool;
  }

  #count(request: FastifyRequest, response: ServerResponse, bytes: number): void {
    // Nobody is there any more to send it to.
    if (response.destroyed) return;
    const holder = holderOf(request);
    const taken = this.#takeRoom(request, holder, bytes);
    response.once("close", () => taken.give(holder, bytes));
  }

  #countShared(request: FastifyRequest, response: ServerResponse, bytes: Buffer): void {
    if (response.destroyed) return;
    // Under TLS, each connection has a copy of what it was handed.
    if ("encrypted" in request.raw.socket) this.#count(request, response, Math.min(bytes.length, WHOLE_BYTES));
    const sharers = this.#shared.get(bytes) ?? new Set();
    const own: Sharer = { pool: this.pool, holder: holderOf(request) };
    if (sharers.size === 0) own.pool = this.#takeRoom(request, own.holder, bytes.length);
    this.#shared.set(bytes, sharers.add(own));
    response.once("close", () => {
      const [first] = sharers;
      sharers.delete(own);
      if (first !== own) return;
      own.pool.give(own.holder, bytes.length);
      const [next] = sharers;
      if (next !== undefined) next.pool.force(next.holder, bytes.length);
    });
  }

  /**
   * Counts a payload until its answer is out.
   *
   * @throws AppError `rate_limited` on a read of `/v1`, and `unavailable` on one of `/api/v2`, when there is no room
   */
  countWhole(request: FastifyRequest, response: ServerResponse, payload: string | Buffer): void {
    if (isShort(payload)) return;
    if (typeof payload === "string") this.#count(request, response, payload.length);
    else this.#countShared(request, response, payload);
  }

  /** @returns what is sent instead of the payload */
  admitWhole(request: FastifyRequest, reply: FastifyReply, payload: string | Buffer): string | Buffer | Readable {
    const bytes = typeof payload === "string" && payload.length > WHOLE_BYTES ? Buffer.from(payload) : payload;
    this.countWhole(request, reply.raw, bytes);
    return typeof bytes === "string" || bytes.length <= WHOLE_BYTES ? bytes : inPieces(reply, bytes);
  }

  countStream(request: FastifyRequest, reply: FastifyReply, payload: Streamed): Streamed {
    // A stream of events counts what its client leaves unread; see `event-stream.ts`.
    if (reply.getHeader("content-type") !== EVENT_STREAM) this.#count(request, reply.raw, STREAM_BYTES);
    return payload;
  }
}

/** Makes the account of a server. */
export function createSending(limit?: number) {
  const room = new SendingRoom(limit);
  const { pool, ofWrites } = room;
  return {
    pool,
    used: () => pool.used() + ofWrites.used(),
    /** Bytes of all answers that were counted since the start. */
    total: () => room.total,
    refused: () => pool.refused() + ofWrites.refused(),
    /** Why a write may not begin: answers to those before it wait to be read, and one that is done is answered in any case. */
    refusalOf: (request: FastifyRequest): string | undefined =>
      isChanging(request) && ofWrites.isKeptFrom(holderOf(request)) ? poolRefusalText(UNREAD, "large") : undefined,
    countWhole: (request: FastifyRequest, response: ServerResponse, payload: string | Buffer) =>
      room.countWhole(request, response, payload),
    /** The same, and calls back with what is sent: the payload, or a stream of its pieces when it is long. */
    admit(request: FastifyRequest, reply: FastifyReply, payload: Payload, done: Done): void {
      if (payload === null || payload === undefined || isShort(payload)) {
        done(null, payload);
        return;
      }
      let admitted: Payload;
      try {
        const isWhole = typeof payload === "string" || Buffer.isBuffer(payload);
        admitted = isWhole ? room.admitWhole(request, reply, payload) : room.countStream(request, reply, payload);
      } catch (error) {
        // The source of the stream must stop.
        if (payload instanceof Readable) payload.destroy();
        done(error instanceof Error ? error : new Error("cannot send the response", { cause: error }));
        return;
      }
      done(null, admitted);
    },
  };
}

function isShort(payload: string | Buffer | Streamed): boolean {
  return (typeof payload === "string" || Buffer.isBuffer(payload)) && payload.length < COUNTED_FROM;
}

function isChanging({ method, routeOptions }: FastifyRequest): boolean {
  return method !== "GET" && method !== "HEAD" && routeOptions.config.question !== true;
}

/** Answered however much is being sent: a write, since it has been done, and whatever shows how the server is. */
function isOutside(request: FastifyRequest): boolean {
  if (isChanging(request)) return true;
  const { ctx, routeOptions } = request;
  const { outsideShares } = routeOptions.config;
  return outsideShares === "always" || (outsideShares === "management" && ctx.actor.isManagement === true);
}

function noRoom(url: string, refusal: PoolRefusal): AppError {
  const code = decodedPath(url).startsWith("/v1/") ? "rate_limited" : "unavailable";
  return new AppError(code, poolRefusalText("Too many responses are waiting for slow clients", refusal));
}

/** Slices of the same bytes, each when the one before has been taken. */
function inPieces(reply: FastifyReply, bytes: Buffer): Readable {
  reply.header("content-length", bytes.length);
  let at = 0;
  return new Readable({
    highWaterMark: PIECE_BYTES,
    read() {
      this.push(at < bytes.length ? bytes.subarray(at, (at += PIECE_BYTES)) : null);
    },
  });
}

/** Requests whose answer could not be made durable: their error passes the gate, since it tells nothing stored. */
const failed = new WeakSet<FastifyRequest>();

/**
 * No answer leaves before everything that it may have seen is durable: holds each payload, and each chunk of a streamed
 * one, until storage says so. When storage cannot, the family's 503 is sent instead. What may leave is then counted as
 * what is being sent.
 */
export function holdUntilDurable(app: FastifyInstance, db: Database, { admit }: Pick<SendingAccount, "admit">): void {
  app.addHook("onSend", (request: FastifyRequest, reply: FastifyReply, payload: Payload, done) => {
    if (failed.has(request)) {
      done(null, payload);
      return;
    }
    if (isStream(payload)) {
      admit(request, reply, payload, (error) => {
        if (error === null) done(null, gateStream(db, unlessHead(request.raw, payload)));
        else done(error);
      });
      return;
    }
    db.whenDurable((error) => {
      // A 503 of unreachable storage contains no stored data. A failure of this answer would end in another one that
      // nobody receives.
      if (error === undefined || reply.statusCode === 503) {
        admit(request, reply, payload, done);
        return;
      }
      done(outcomeUnknown(request, error));
    });
  });
}

/** Returns the error that replaces an answer that could not be made durable. */
export function outcomeUnknown(request: FastifyRequest, cause: unknown): AppError {
  failed.add(request);
  return new AppError("outcome_unknown", "Storage failed; the outcome of the write is unknown", { cause });
}

function isStream(payload: Payload): payload is Streamed {
  return typeof payload === "object" && payload !== null && ("pipe" in payload || "getReader" in payload);
}

function gateStream(db: Database, payload: Streamed): Transform {
  const gate = new Transform({
    // A stream that no client reads keeps little memory.
    highWaterMark: 16 * 1024,
    transform(chunk: Buffer, _encoding, done) {
      db.whenDurable((error) => (error === undefined ? done(null, chunk) : done(error)));
    },
  });
  const source = "getReader" in payload ? Readable.from(payload) : payload;
  // A failure on either side ends both; the gate reports it to whoever reads it.
  pipeline(source, gate, () => {});
  return gate;
}
