/** Blocking queries: a read that names an index waits until it can show a newer one. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { TOKENS } from "../../../acl/tokens/lookup.ts";
import { AppError } from "../../../errors.ts";
import type { Waiter, Watched } from "../../../watch/watches.ts";
import { sendMeta } from "./read-options.ts";
import { makeShared, probeShared, readIndexes, type Read } from "./read.ts";
import type { MadeAnswer } from "./shared-answers.ts";

/** Of what was asked to wait, at random: clients that began together shall not all come back together. */
const JITTER = 1 / 16;
/** Jitter comes in so many steps, so that timers can be shared. */
const JITTER_STEPS = 64;
/** A timer may fire a moment before its time, and a token that is about to expire has not expired. */
const EXPIRY_GRACE_MS = 5;

/**
 * Waits for what the request asks for. A waiter is authorized again whenever it
 * is woken, which the end of its token does too.
 *
 * @returns whether there is somebody to answer: the client may have gone
 * @throws AppError as the read does, `rate_limited` when the caller waits too often already
 */
export async function waitForNews(read: Read, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
  const { watches, limits, actorOf } = request.server.reads;
  const release = limits.enter(request.ctx.actor, request.ip);
  const waiter = watches.add();
  const gone = (): void => waiter.end("gone");
  reply.raw.once("close", gone);
  const timer = setTimeout(() => waiter.end("over"), waitMilliseconds(request));
  try {
    const look = createLook(read, request, reply);
    for (;;) {
      watch(waiter, read, request, read.keyOf?.(request));
      const { isNews, key } = await look();
      if (isNews) return true;
      watch(waiter, read, request, key);
      const outcome = await waiter.wait();
      if (outcome === "gone") return false;
      request.ctx = { ...request.ctx, actor: await actorOf(request) };
      if (outcome === "over") return true;
    }
  } finally {
    clearTimeout(timer);
    reply.raw.off("close", gone);
    waiter.end("over");
    release();
  }
}

/** Also the caller's own token: it may be revoked. */
function watch(waiter: Waiter, read: Read, { scope, readOptions, ctx }: FastifyRequest, key: string | undefined): void {
  const watched: Watched = { ...scope, table: read.tables[0], key, after: readOptions.index };
  waiter.watch(watched, { ...ctx.actor.scope, table: TOKENS, key: ctx.actor.accessorId });
}

interface Look {
  isNews: boolean;
  /** Of the object that was found. */
  key: string | undefined;
}

/** What a look found, as far as a later one is compared with it. */
type Seen = { body: MadeAnswer["body"] | undefined };

/** Makes the function that looks whether the read has news for the client. */
function createLook(read: Read, request: FastifyRequest, reply: FastifyReply): () => Promise<Look> {
  const { index: known } = request.readOptions;
  let before: Seen | undefined;
  return async () => {
    const indexes = await readIndexes(read, request);
    sendMeta(reply, indexes[0], { lastContact: 0, knownLeader: request.ctx.db.feed.isTrusted() });
    const isNewer = indexes[0] > known;
    if (read.probe !== undefined) {
      if (before === undefined) await probeShared(read.probe, request, indexes.join());
      before = { body: undefined };
      return { isNews: isNewer, key: undefined };
    }
    const found = await findOrMissing(read, request, indexes.join());
    // A write elsewhere in the table makes the index newer, and the object no other.
    const isOther = before === undefined || before.body !== found?.body;
    before ??= { body: found?.body };
    return { isNews: isNewer && isOther, key: found?.key };
  };
}

async function findOrMissing(read: Read, request: FastifyRequest, at: string): Promise<MadeAnswer | undefined> {
  try {
    return await makeShared(read, request, at);
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found" && read.awaitsMissing === true) return undefined;
    throw error;
  }
}

function waitMilliseconds({ readOptions, ctx }: FastifyRequest): number {
  const asked = readOptions.waitMilliseconds;
  const jitter = (Math.floor(Math.random() * JITTER_STEPS) / JITTER_STEPS) * asked * JITTER;
  const { expiresAt } = ctx.actor;
  const left = expiresAt === undefined ? Infinity : Math.max(0, expiresAt - ctx.now()) + EXPIRY_GRACE_MS;
  return Math.ceil(Math.min(asked + jitter, left));
}
