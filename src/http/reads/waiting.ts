/** Reads that wait until they have news for their client: what both families have in common. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { createTurns } from "../../turns.ts";
import type { Watched } from "../../watch/watches.ts";

/**
 * Part of the requested wait that is added at random, so that clients that started together do not all return together.
 */
const JITTER = 1 / 16;
/** Jitter comes in so many steps, so that timers can be shared. */
const JITTER_STEPS = 64;
/** A timer may fire a moment before its time, and a token that is about to expire has not expired. */
const EXPIRY_GRACE_MS = 5;

/** Turns in which requests that were woken together are answered. */
export const sendTurns = createTurns();

/** Conditions that end the wait of a read. */
interface Wait<Look extends { isNews: boolean }> {
  /** For how long at most, before jitter. */
  milliseconds: number;
  /** By which changes it is woken: before its first look, and by what that has seen. */
  watched(seen?: Look): Watched[] | Promise<Watched[]>;
  /** Looks whether there is news for the client. What it throws ends the wait. */
  look(): Promise<Look>;
  /** Whether who was woken is answered though there is no news. */
  isOther?(): boolean;
}

/**
 * Waits for news. A waiter is authorized again whenever it is woken, which the end of its token does too.
 *
 * @returns what was seen last; undefined when there is nobody to answer: the client has gone
 * @throws AppError as `look` does, `rate_limited` when the caller waits too often already
 */
export async function waitFor<Look extends { isNews: boolean }>(
  request: FastifyRequest,
  reply: FastifyReply,
  { milliseconds, watched, look, isOther }: Wait<Look>,
): Promise<Look | undefined> {
  // Gone while its token was looked up: that it closes is not told twice.
  if (reply.raw.destroyed) return undefined;
  const { watches, limits } = request.server.reads;
  const release = limits.enter(request.caller.owner, request.ctx.actor.anonymous);
  request.isHeld = true;
  const waiter = watches.add();
  const gone = (): void => waiter.end("gone");
  reply.raw.once("close", gone);
  const timer = setTimeout(() => waiter.end("over"), bounded(milliseconds, request));
  try {
    for (;;) {
      // Before the look, so that no change falls between the look and the wait.
      waiter.watch(...(await watched()), ...request.ctx.actor.restsOn);
      const first = await look();
      if (first.isNews) return first;
      waiter.watch(...(await watched(first)), ...request.ctx.actor.restsOn);
      const outcome = await waiter.wait();
      if (outcome === "gone") return undefined;
      const found = request.server.actorOf(request);
      const actor = found instanceof Promise ? await found : found;
      // The same one while nothing that it follows from has changed.
      const { uses } = request.ctx.actor;
      if (actor !== (uses?.of ?? request.ctx.actor))
        request.ctx = { ...request.ctx, actor: { ...actor, ...(uses && { uses }) } };
      // Mostly there is news now, and no need to watch again.
      const then = await look();
      if (then.isNews || outcome === "over" || isOther?.() === true) return then;
    }
  } finally {
    clearTimeout(timer);
    reply.raw.off("close", gone);
    waiter.end("over");
    release();
  }
}

/** No longer than the token lives. */
function bounded(asked: number, { ctx }: FastifyRequest): number {
  const jitter = (Math.floor(Math.random() * JITTER_STEPS) / JITTER_STEPS) * asked * JITTER;
  const { expiresAt } = ctx.actor;
  const left = expiresAt === undefined ? Infinity : Math.max(0, expiresAt - ctx.now()) + EXPIRY_GRACE_MS;
  return Math.ceil(Math.min(asked + jitter, left));
}
