/**
 * How every read of `/v1` is answered: from which server, at once or when something has changed, and from an answer
 * that was made for others where theirs would be the same. A route says only what it reads; see `serveObject` and
 * `listing.ts`.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import { indexInSight, type Sight } from "../../../rights/sight.ts";
import type { Database } from "../../../storage/database.ts";
import { sendTurns } from "../../reads/waiting.ts";
import { streamOf } from "../../sending/streamed-lists.ts";
import { JSON_TYPE, isPretty, renderJson, renderPretty } from "../render.ts";
import { bytesOf, type Bytes } from "./pieces.ts";
import { CURRENT, showIndex, type Freshness } from "./read-options.ts";
import {
  confirmNews,
  findUnchanged,
  isShared,
  keyWhileMade,
  makeShared,
  readIndexes,
  sharingKey,
  sightOf,
  type Indexes,
  type Read,
  waitForNews,
} from "./read.ts";
import { chooseSource } from "./stale-source.ts";
import { bodyOf, type MadeAnswer, noteUses, withUses } from "../../reads/shared-answers.ts";

/** By what an answer leaves. */
interface WayOut<T> {
  /** For one that is there as a whole. */
  whole(made: MadeAnswer): T | Promise<T>;
  /** For a list that is made while it is sent. @param at the indexes of its tables, which were read before */
  pieces(at: string): T | Promise<T>;
}

/** Reads by their handlers, for who answers them without a reply. */
const reads = new WeakMap<object, Read>();

/** Makes the handler of a read. */
export function serveRead(read: Read) {
  const handler = (request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> => {
    const { index, consistency } = request.readOptions;
    if (index > 0) return answerNews(read, request, reply);
    return consistency === "stale"
      ? answerStale(read, request, reply)
      : answerNow(read, request, byReply(read, request, reply), 0);
  };
  reads.set(handler, read);
  return handler;
}

/** The read that a handler of `serveRead` serves. */
export function readOf(handler: object): Read | undefined {
  return reads.get(handler);
}

/**
 * The answer to a read of now.
 *
 * @returns undefined for a list that would be made while it is sent
 */
export function makeNow(read: Read, request: FastifyRequest): MadeAnswer | undefined | Promise<MadeAnswer | undefined> {
  return answerNow<MadeAnswer | undefined>(read, request, NO_PIECES, 0);
}

const NO_PIECES: WayOut<MadeAnswer | undefined> = { whole: (made) => made, pieces: () => undefined };

function byReply(read: Read, request: FastifyRequest, reply: FastifyReply): WayOut<FastifyReply> {
  return {
    whole: (made) => sendMade(reply, made),
    pieces: (at) => sendPieces(read, request, reply, at),
  };
}

async function answerNews(read: Read, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const news = await waitForNews(read, request, reply);
  if (news === undefined) return reply.hijack();
  // A missing object is looked up again, for its own error message.
  const made = news.made ?? (await makeShared(read, request, news.at));
  if (news.made === undefined) confirmNews(read, request, news);
  // All who waited for one making go on in the same turn.
  await sendTurns.pause();
  return leave(byReply(read, request, reply), made, news.at);
}

async function answerStale(read: Read, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { ctx, readOptions } = request;
  const source = chooseSource(ctx.db, readOptions.maxStaleMilliseconds);
  const out = byReply(read, request, reply);
  request.ctx = { ...ctx, db: source.db };
  try {
    return await answerNow(read, request, out, source.lastContactMilliseconds);
  } catch (error) {
    if (!source.isAway(error)) throw error;
    request.ctx = ctx;
    return answerNow(read, request, out, 0);
  }
}

/** Answers immediately. A kept answer that is known to be still right leaves in the same turn. */
function answerNow<T>(read: Read, request: FastifyRequest, out: WayOut<T>, lastContact: number): T | Promise<T> {
  const unchanged = findUnchanged(read, request);
  if (unchanged !== undefined) {
    noteUses(request, unchanged.answer);
    showIndex(request, unchanged.index, freshness(request.ctx.db, lastContact));
    return out.whole(unchanged.answer);
  }
  const sight = sightOf(read, request);
  if (read.sharing === "own" || sight === "nothing") return answerAlone(read, request, out, lastContact, sight);
  const indexes = readIndexes(read, request, sight);
  if (!Array.isArray(indexes) || read.sharing !== "kept") return answerShared(read, request, out, lastContact, indexes);
  const { answers } = request.server.reads;
  const [key, at] = [sharingKey(request), indexes.join()];
  const kept = answers.find(key, at);
  if (kept === undefined) return answerShared(read, request, out, lastContact, indexes);
  noteUses(request, kept);
  answers.confirm(key, request.ctx.db.feed.changes(), indexes[0], at);
  showIndex(request, indexes[0], freshness(request.ctx.db, lastContact));
  return out.whole(kept);
}

/** Many who are woken at once are given one answer, which is made as a whole; a long list is made while it is sent. */
async function answerShared<T>(
  read: Read,
  request: FastifyRequest,
  out: WayOut<T>,
  lastContact: number,
  reading: Indexes | Promise<Indexes>,
): Promise<T> {
  const indexes = await reading;
  // The headers are set before the object is read: a caller that may read it gets them also when it is missing.
  showIndex(request, indexes[0], freshness(request.ctx.db, lastContact));
  const at = indexes.join();
  if (read.open === undefined) {
    const made = await makeShared(read, request, at);
    if (made?.index !== undefined) showIndex(request, made.index, freshness(request.ctx.db, lastContact));
    return leave(out, made, at);
  }
  const kept = read.sharing === "kept" ? request.server.reads.answers.find(sharingKey(request), at) : undefined;
  if (kept === undefined) return out.pieces(at);
  noteUses(request, kept);
  return out.whole(kept);
}

/** Makes an answer that is not shared. It needs no index other than the one that it shows. */
function answerAlone<T>(
  read: Read,
  request: FastifyRequest,
  out: WayOut<T>,
  lastContact: number,
  sight: Sight,
): T | Promise<T> {
  const { db } = request.ctx;
  const index = indexInSight(db, read.tables[0], request.scope, sight);
  if (typeof index !== "number") return index.then((known) => goOn(known));
  return goOn(index);

  function goOn(known: number): T | Promise<T> {
    showIndex(request, known, freshness(db, lastContact));
    if (read.open !== undefined) return out.pieces("");
    const made = read.make(request);
    return made instanceof Promise ? made.then(send) : send(made);
  }

  function send(made: MadeAnswer | undefined): T | Promise<T> {
    if (made?.index !== undefined) showIndex(request, made.index, freshness(db, lastContact));
    return leave(out, made, "");
  }
}

/** @param at the indexes of its tables, which were read before it was made */
function leave<T>(out: WayOut<T>, made: MadeAnswer | undefined, at: string): T | Promise<T> {
  return made === undefined ? out.pieces(at) : out.whole(made);
}

/** A list is made while it is sent, once for all who ask for it meanwhile and may share it. */
async function sendPieces(read: Read, request: FastifyRequest, reply: FastifyReply, at: string): Promise<FastifyReply> {
  const { open, sharing } = read;
  if (open === undefined) throw new TypeError("only lists can be too long");
  const { headers, bytes, uses } = isShared(read, request)
    ? await request.server.reads.lists.read(
        `${at}\0${keyWhileMade(read, request)}`,
        async (from) => ({ ...(await open(request, from)), uses: () => withUses(request, EMPTY).uses }),
        (body, ofBody) => {
          if (sharing === "kept") keep(request, at, { body: bodyOf(body), headers: ofBody, key: undefined });
        },
      )
    : await openAlone(open, request);
  noteUses(request, { uses: uses?.() });
  return sendList(reply, bytes, headers);
}

type OpenedList = Awaited<ReturnType<FastifyRequest["server"]["reads"]["lists"]["read"]>>;

function keep(request: FastifyRequest, at: string, answer: MadeAnswer): void {
  request.server.reads.answers.keep(sharingKey(request), at, withUses(request, answer));
}

const EMPTY: MadeAnswer = { body: "", headers: {}, key: undefined };

async function openAlone(open: NonNullable<Read["open"]>, request: FastifyRequest): Promise<OpenedList> {
  const { headers, pieces } = await open(request);
  return { headers, bytes: bytesOf(pieces) };
}

/** An answer of the primary shows that it is there; of a replica, the polls of the primary do. */
function freshness(db: Database, lastContact: number): Freshness {
  const knownLeader = !db.isReplica || db.feed.isTrusted();
  return lastContact === 0 && knownLeader ? CURRENT : { lastContact, knownLeader };
}

/** Sends an answer that is there as a whole. */
function sendMade(reply: FastifyReply, { body, headers }: MadeAnswer): FastifyReply | Promise<FastifyReply> {
  return reply.request.server.answer(reply, { status: 200, type: JSON_TYPE, body, headers });
}

/**
 * Answers with JSON that comes in pieces. The next one is asked for when the client has taken the one before, so memory
 * does not grow with the answer. A failure before the first piece is an error answer; later, the connection breaks off,
 * so that nobody takes a part for the whole.
 */
export async function sendList(
  reply: FastifyReply,
  bytes: Bytes,
  headers: MadeAnswer["headers"] = {},
): Promise<FastifyReply> {
  const [first, second] = [await bytes.next(), await bytes.next()];
  const begun = first.value ?? Buffer.alloc(0);
  // Not told by a header in another place from one that was kept: that would tell that something has changed.
  if (second.done) return sendMade(reply, { body: begun, headers, key: undefined });
  reply.headers(headers).type(JSON_TYPE);
  return reply.send(streamOf(reply.request, bytes, [begun, second.value]));
}

/** Result of a read of one object. */
interface Found {
  /** Key of the object within its table, such as its ID. */
  key: string;
  /** As it is on the wire. */
  value: unknown;
  /** The same as compact JSON, where that is known already. */
  json?: string;
  /** The index to show, where the caller may know of this object and not of its table. */
  index?: number;
}

type Told = "tables" | "partitionTables" | "sight" | "sharing" | "keyOf" | "awaitsMissing";

export interface ObjectRead extends Pick<Read, Told> {
  /** In the same turn where it is known. @throws AppError `not_found`, `forbidden` */
  find(request: FastifyRequest): Promise<Found> | Found;
}

/** Makes the handler of a read of one object. */
export function serveObject({ find, awaitsMissing = true, ...rest }: ObjectRead) {
  return serveRead({
    ...rest,
    awaitsMissing,
    make(request) {
      const found = find(request);
      return found instanceof Promise ? found.then((later) => inWords(request, later)) : inWords(request, found);
    },
  });
}

function inWords(request: FastifyRequest, { key, value, json, index }: Found): MadeAnswer {
  const body = isPretty(request) ? renderPretty(value) : (json ?? renderJson(value));
  return { body, key, headers: {}, index };
}

/** The path parameters of a request, as the route names them. */
export function paramsOf<R extends { Params: object }>(request: FastifyRequest): R["Params"] {
  return request.params as R["Params"];
}
