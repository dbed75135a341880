/** Streams of server-sent events: what those of both families have in common. */
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Waiter } from "../../watch/watches.ts";
import { holderOf } from "../receiving/request-callers.ts";

/** Server-sent events. */
export const EVENT_STREAM = "text/event-stream";

/** A client that leaves more than this unread of what it is told unasked is cut off; it can go on where it stopped. */
const MAX_UNREAD_LENGTH = 256 * 1024;
/** While so much is unread, a stream that is fed as it is read gets no more. */
const ROOM_LENGTH = 64 * 1024;
/** A line now and then shows who reads that the stream is alive, and to this server that the client is. */
const KEEP_ALIVE_MS = 15_000;
/** How long a client waits before it connects again. */
const RETRY_MS = 1000;
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The way to one client. */
export interface EventSink {
  /** Sends the text of whole events. */
  push(text: string): void;
  /** Resolves when the client has read nearly all of it; at once when it has, or is gone. */
  room(): Promise<void>;
  /** No more will come. */
  end(): void;
}

interface SinkOptions {
  /** Returns the text that is sent at intervals while there are no events. Default: a comment. */
  keepAlive?: () => string;
  /** Characters that a client may leave unread; none where it is fed as it reads. */
  mostUnread?: number;
}

/**
 * Begins a stream within the limits of its caller. It ends with the client, with the time of the caller's token, and with
 * the server.
 *
 * @returns what ends then; undefined where the client has gone already, and nobody is to be answered
 * @throws AppError `rate_limited` when the caller has too many
 */
export function enterStream(request: FastifyRequest, reply: FastifyReply): Waiter | undefined {
  // Gone while its token was looked up: that it closes is not told twice.
  if (reply.raw.destroyed) return undefined;
  const { watches, limits } = request.server.reads;
  const release = limits.enter(request.caller.owner, request.ctx.actor.anonymous);
  request.isHeld = true;
  const waiter = watches.add();
  const timer = endWithToken(request, () => waiter.end("over"));
  reply.raw.once("close", () => {
    clearTimeout(timer);
    waiter.end("gone");
    release();
  });
  return waiter;
}

/** At the end of the token's time the stream ends too. */
function endWithToken({ ctx }: FastifyRequest, end: () => void): NodeJS.Timeout | undefined {
  const { expiresAt } = ctx.actor;
  return expiresAt === undefined ? undefined : setTimeout(end, Math.min(expiresAt - ctx.now(), MAX_TIMER_MS));
}

/**
 * Makes the stream that is the body of an answer, and the way into it. What its client leaves unread is counted among the bytes
 * that are being sent; where there is no room for it, the client is cut off.
 */
export function openEventSink(
  request: FastifyRequest,
  { raw: response }: FastifyReply,
  { keepAlive = stillHere, mostUnread = MAX_UNREAD_LENGTH }: SinkOptions = {},
): { stream: Readable; sink: EventSink } {
  const pool = request.server.sending;
  const holder = holderOf(request);
  let isWanted: (() => void) | undefined;
  const goOn = (): void => {
    isWanted?.();
    isWanted = undefined;
  };
  const stream = new Readable({ highWaterMark: ROOM_LENGTH, read: goOn });
  stream.push(`retry: ${RETRY_MS}\n\n`);
  let counted = 0;
  const hasRoom = (): boolean => {
    const unread = stream.readableLength + response.writableLength;
    // Mostly nothing is unread, and there are thousands of streams.
    if (unread === counted) return true;
    pool.give(holder, counted);
    counted = unread <= mostUnread && pool.take(holder, unread) === undefined ? unread : 0;
    return counted === unread;
  };
  const push = (text: string): void => {
    if (stream.destroyed || stream.readableEnded) return;
    if (hasRoom()) stream.push(text);
    else stream.destroy();
  };
  const timer = setInterval(() => push(keepAlive()), KEEP_ALIVE_MS);
  stream.once("close", () => {
    clearInterval(timer);
    pool.give(holder, counted);
    counted = 0;
    goOn();
  });
  return {
    stream,
    sink: {
      push,
      async room() {
        if (stream.readableLength < ROOM_LENGTH || stream.destroyed) return;
        await new Promise<void>((resolve) => (isWanted = resolve));
      },
      end() {
        clearInterval(timer);
        if (!stream.destroyed) stream.push(null);
      },
    },
  };
}

function stillHere(): string {
  return ": still here\n\n";
}
