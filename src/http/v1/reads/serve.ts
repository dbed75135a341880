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
import { bodyOf, type MadeAnswer } from "../../reads/shared-answers.ts";
import { AppError } from "../../../errors.ts";

/** Makes the handler of a read. */
export function serveRead(read: Read) {
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> => {
    const { index, consistency } = request.readOptions;
    if (index > 0) return answerNews(read, request, reply);
    return consistency === "stale" ? answerStale(read, request, reply) : answerNow(read, request, reply, 0);
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
  return sendWhole(read, request, reply, made, news.at);
}

async function answerStale(read: Read, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { ctx, readOptions } = request;
  const source = chooseSource(ctx.db, readOptions.maxStaleMilliseconds);
  request.ctx = { ...ctx, db: source.db };
  try {
    return await answerNow(read, request, reply, source.lastContactMilliseconds);
  } catch (error) {
    if (!source.isAway(error)) throw error;
    request.ctx = ctx;
    return answerNow(read, request, reply, 0);
  }
}

/** Answers immediately. A kept answer that is known to be still right is sent in the same turn. */
function answerNow(
  read: Read,
  request: FastifyRequest,
  reply: FastifyReply,
  lastContact: number,
): FastifyReply | Promise<FastifyReply> {
  const unchanged = findUnchanged(read, request);
  if (unchanged !== undefined) {
    showIndex(request, unchanged.index, freshness(request.ctx.db, lastContact));
    return sendMade(reply, unchanged.answer);
  }
  const sight = sightOf(read, request);
  if (read.sharing === "own" || sight === "nothing") return answerAlone(read, request, reply, lastContact, sight);
  const indexes = readIndexes(read, request, sight);
  if (!Array.isArray(indexes) || read.sharing !== "kept")
    return answerShared(read, request, reply, lastContact, indexes);
  const { answers } = request.server.reads;
  const [key, at] = [sharingKey(request), indexes.join()];
  const kept = answers.find(key, at);
  if (kept === undefined) return answerShared(read, request, reply, lastContact, indexes);
  answers.confirm(key, request.ctx.db.feed.changes(), indexes[0], at);
  showIndex(request, indexes[0], freshness(request.ctx.db, lastContact));
  return sendMade(reply, kept);
}

/** Many who are woken at once are given one answer, which is made as a whole; a long list is made while it is sent. */
async function answerShared(
  read: Read,
  request: FastifyRequest,
  reply: FastifyReply,
  lastContact: number,
  reading: Indexes | Promise<Indexes>,
): Promise<FastifyReply> {
  const indexes = await reading;
  // The headers are set before the object is read: a caller that may read it gets them also when it is missing.
  showIndex(request, indexes[0], freshness(request.ctx.db, lastContact));
  const at = indexes.join();
  if (read.open === undefined) {
    const made = await makeShared(read, request, at);
    if (made?.index !== undefined) showIndex(request, made.index, freshness(request.ctx.db, lastContact));
    return sendWhole(read, request, reply, made, at);
  }
  const kept = read.sharing === "kept" ? request.server.reads.answers.find(sharingKey(request), at) : undefined;
  return kept === undefined ? sendPieces(read, request, reply, at) : sendMade(reply, kept);
}

/** Makes an answer that is not shared. It needs no index other than the one that it shows. */
function answerAlone(
  read: Read,
  request: FastifyRequest,
  reply: FastifyReply,
  lastContact: number,
  sight: Sight,
): FastifyReply | Promise<FastifyReply> {
  const { db } = request.ctx;
  const index = indexInSight(db, read.tables[0], request.scope, sight);
  if (typeof index !== "number") return index.then((known) => goOn(known));
  return goOn(index);

  function goOn(known: number): FastifyReply | Promise<FastifyReply> {
    showIndex(request, known, freshness(db, lastContact));
    if (read.open !== undefined) return sendPieces(read, request, reply, "");
    const made = read.make(request);
    return made instanceof Promise ? made.then(send) : send(made);
  }

  function send(made: MadeAnswer | undefined): FastifyReply | Promise<FastifyReply> {
    if (made?.index !== undefined) showIndex(request, made.index, freshness(db, lastContact));
    return sendWhole(read, request, reply, made, "");
  }
}

/** @param at the indexes of its tables, which were read before it was made */
function sendWhole(
  read: Read,
  request: FastifyRequest,
  reply: FastifyReply,
  made: MadeAnswer | undefined,
  at: string,
): FastifyReply | Promise<FastifyReply> {
  return made === undefined ? sendPieces(read, request, reply, at) : sendMade(reply, made);
}

/** A list is made while it is sent, once for all who ask for it meanwhile and may share it. */
async function sendPieces(read: Read, request: FastifyRequest, reply: FastifyReply, at: string): Promise<FastifyReply> {
  const { open, sharing } = read;
  if (open === undefined) throw new TypeError("only lists can be too long");
  const { headers, bytes } = isShared(read, request)
    ? await request.server.reads.lists.read(
        `${at}\0${keyWhileMade(read, request)}`,
        (from) => open(request, from),
        (body, ofBody) => {
          if (sharing === "kept") keep(request, at, { body: bodyOf(body), headers: ofBody, key: undefined });
        },
      )
    : await openAlone(open, request);
  return sendList(reply, bytes, headers);
}

function keep(request: FastifyRequest, at: string, answer: MadeAnswer): void {
  request.server.reads.answers.keep(sharingKey(request), at, answer);
}

async function openAlone(open: NonNullable<Read["open"]>, request: FastifyRequest) {
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

/** Database for a read that may be stale. */
interface Source {
  db: Database;
  /** How old what it shows may be. */
  lastContactMilliseconds: number;
  /** Whether a failure means that another source has to be asked. */
  isAway(error: unknown): boolean;
}

/**
 * The replica, if there is one and it is not known to be older than allowed; else the primary.
 *
 * @param maxStaleMilliseconds undefined for any age
 */
function chooseSource(db: Database, maxStaleMilliseconds: number | undefined): Source {
  const { replica } = db;
  const age = replica?.ageMilliseconds();
  if (replica === undefined || age === undefined || age > (maxStaleMilliseconds ?? Infinity)) {
    return { db, lastContactMilliseconds: 0, isAway: () => false };
  }
  return {
    db: replica.db,
    lastContactMilliseconds: Math.ceil(age),
    isAway: (error) => error instanceof AppError && error.code === "unavailable",
  };
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
