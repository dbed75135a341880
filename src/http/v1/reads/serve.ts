/**
 * How every read of `/v1` is answered: from which server, at once or when
 * something has changed, and from an answer that was made for others where
 * theirs would be the same. A route says only what it reads; see `object.ts`
 * and `listing.ts`.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Database } from "../../../storage/database.ts";
import { JSON_TYPE } from "../render.ts";
import { sendMeta, type Freshness } from "./read-options.ts";
import { makeShared, readIndexes, sharingKey, type Indexes, type Read } from "./read.ts";
import type { MadeAnswer } from "./shared-answers.ts";
import { chooseSource } from "./source.ts";
import { waitForNews } from "./wait.ts";

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
  // What is missing is made again to be refused in its own words.
  return sendWhole(read, request, reply, news.made ?? (await makeShared(read, request, news.at)));
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

/** What is kept and known to be still right is sent in the same turn. */
function answerNow(
  read: Read,
  request: FastifyRequest,
  reply: FastifyReply,
  lastContact: number,
): FastifyReply | Promise<FastifyReply> {
  if (read.sharing !== "kept") return answerAlone(read, request, reply, lastContact);
  const indexes = readIndexes(read, request);
  if (!Array.isArray(indexes)) return answerShared(read, request, reply, lastContact, indexes);
  const kept = request.server.reads.answers.find(sharingKey(request), indexes.join());
  if (kept === undefined) return answerShared(read, request, reply, lastContact, indexes);
  sendMeta(reply, indexes[0], freshness(request.ctx.db, lastContact));
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
  // Refusals have these headers too.
  sendMeta(reply, indexes[0], freshness(request.ctx.db, lastContact));
  const at = indexes.join();
  if (read.stream === undefined) return sendWhole(read, request, reply, await makeShared(read, request, at));
  const { answers } = request.server.reads;
  const key = sharingKey(request);
  const kept = answers.find(key, at);
  return kept === undefined ? read.stream(request, reply, answers.collect(key, at)) : sendMade(reply, kept);
}

/** What nobody else is given needs no index but the one that it shows. */
async function answerAlone(
  read: Read,
  request: FastifyRequest,
  reply: FastifyReply,
  lastContact: number,
): Promise<FastifyReply> {
  const { db } = request.ctx;
  const index = await db.tableIndex(read.tables[0], request.scope);
  sendMeta(reply, index, freshness(db, lastContact));
  if (read.stream !== undefined) return read.stream(request, reply);
  return sendWhole(read, request, reply, await read.make(request));
}

async function sendWhole(
  read: Read,
  request: FastifyRequest,
  reply: FastifyReply,
  made: MadeAnswer | undefined,
): Promise<FastifyReply> {
  if (made !== undefined) return sendMade(reply, made);
  if (read.stream === undefined) throw new TypeError("only lists can be too long");
  return read.stream(request, reply);
}

/** An answer of the primary shows that it is there; of a replica, the polls of the primary do. */
function freshness(db: Database, lastContact: number): Freshness {
  return { lastContact, knownLeader: !db.isReplica || db.feed.isTrusted() };
}

/** Sends an answer that is there as a whole. */
function sendMade(reply: FastifyReply, { body, headers }: MadeAnswer): FastifyReply {
  for (const name in headers) reply.header(name, headers[name]);
  return reply.type(JSON_TYPE).serializer(asIs).send(body);
}

function asIs(payload: unknown): string {
  return payload as string;
}
