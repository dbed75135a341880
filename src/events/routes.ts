import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { RenderScope } from "../acl/scope.ts";
import { AppError } from "../errors.ts";
import type { Budget } from "../http/limits.ts";
import type { Query } from "../http/query.ts";
import { parseIndex } from "../http/v1/parameters.ts";
import type { V1Routes } from "../http/v1/consul-api.ts";
import { operation } from "../http/v1/operation.ts";
import { EVENT_STREAM } from "../http/v1/render.ts";
import { openStream, type EventSink } from "./service.ts";
import { readTopics, TOPIC_NAMES } from "./topics.ts";
import type { EventWindow, KeptEvent } from "./window.ts";

/** A client that leaves more than this unread is cut off; it can go on where it stopped. */
const MAX_UNREAD_LENGTH = 256 * 1024;
/** A line now and then shows who reads that the stream is alive, and to this server that the client is. */
const KEEP_ALIVE_MS = 15_000;
/** How long a client waits before it connects again. */
const RETRY_MS = 1000;
const MAX_TIMER_MS = 2 ** 31 - 1;

const EVENTS = operation({
  operationId: "streamEvents",
  summary: "Stream changes as they happen, as server-sent events",
  tag: "Events",
  produces: EVENT_STREAM,
  query: { topics: `Names with commas between them, of ${TOPIC_NAMES.join(", ")}; all when left out.` },
  answer: Type.String({
    description: "The stream; Last-Event-ID in the request makes it go on behind that event.",
    examples: ['event: policies\ndata: {"Topic":"policies","Key":"…","Index":18}\nid: 18\n\n'],
  }),
});

/** The stream of changes. */
export function eventRoutes(window: EventWindow, renderScope: RenderScope): V1Routes {
  return (app, _options, done) => {
    app.get(
      "/events",
      { config: { anyNamespace: true, refusals: [410, 429] }, schema: EVENTS },
      async (request, reply) => {
        const { watches, limits } = request.server.reads;
        const { ctx, scope } = request;
        const topics = readTopics((request.query as Query)["topics"]);
        const after = readLastId(request.headers["last-event-id"]);
        // Gone while its token was looked up: that it closes is not told twice.
        if (reply.raw.destroyed) return reply.hijack();
        const release = limits.enter(ctx.actor, request.ip);
        const waiter = watches.add();
        const timer = endWithToken(request, () => waiter.end("over"));
        reply.raw.once("close", () => {
          clearTimeout(timer);
          waiter.end("gone");
          release();
        });
        const start = await openStream(window, {
          ctx,
          scope,
          topics,
          after,
          waiter,
          actorOf: async () => request.server.actorOf(request),
        });
        const { stream, sink } = openSink(renderScope, reply.raw, request.server.sending);
        start(sink);
        return reply.header("content-type", EVENT_STREAM).send(stream);
      },
    );
    app.addHook("onClose", (_app, closed) => {
      window.close();
      closed();
    });
    done();
  };
}

function readLastId(header: string | string[] | undefined): number | undefined {
  if (header === undefined || header === "") return undefined;
  const index = parseIndex(String(header));
  if (index === undefined) throw new AppError("bad_parameter", "Invalid Last-Event-ID");
  return index;
}

/** At the end of the token's time the stream ends too. */
function endWithToken({ ctx }: FastifyRequest, end: () => void): NodeJS.Timeout | undefined {
  const { expiresAt } = ctx.actor;
  return expiresAt === undefined ? undefined : setTimeout(end, Math.min(expiresAt - ctx.now(), MAX_TIMER_MS));
}

/** @param budget what is left unread is counted in it */
function openSink(
  renderScope: RenderScope,
  response: ServerResponse,
  budget: Budget,
): { stream: Readable; sink: EventSink } {
  const stream = new Readable({ read: () => undefined });
  stream.push(`retry: ${RETRY_MS}\n\n`);
  let counted = 0;
  const hasRoom = (): boolean => {
    const unread = stream.readableLength + response.writableLength;
    budget.give(counted);
    counted = unread <= MAX_UNREAD_LENGTH && budget.take(unread) ? unread : 0;
    return counted === unread;
  };
  const push = (text: string): void => {
    if (stream.destroyed || stream.readableEnded) return;
    if (hasRoom()) stream.push(text);
    else stream.destroy();
  };
  const keepAlive = setInterval(() => push(": still here\n\n"), KEEP_ALIVE_MS);
  stream.once("close", () => {
    clearInterval(keepAlive);
    budget.give(counted);
    counted = 0;
  });
  return {
    stream,
    sink: {
      send: (events, resumeFrom) => push(renderEvents(events, resumeFrom, renderScope)),
      end() {
        clearInterval(keepAlive);
        if (!stream.destroyed) stream.push(null);
      },
    },
  };
}

/** The last one carries what to go on from: a client that comes back in between is told all of them again. */
function renderEvents(events: readonly KeptEvent[], resumeFrom: number | undefined, renderScope: RenderScope): string {
  const id = resumeFrom === undefined ? "" : `id: ${resumeFrom}\n`;
  const texts = events.map((event) => renderEvent(event, renderScope));
  return texts.length === 0 ? `${id}\n` : `${texts.join("\n")}${id}\n`;
}

/** Without the empty line that ends it. `*` says that anything in the partition may have changed. */
function renderEvent({ change, index, partition }: KeptEvent, renderScope: RenderScope): string {
  const data =
    change === undefined
      ? { Topic: "*", Index: index, ...renderScope({ partition, namespace: "*" }) }
      : { Topic: change.table, Key: change.key, Index: index, ...renderScope(change) };
  return `event: ${data.Topic === "*" ? "unknown" : data.Topic}\ndata: ${JSON.stringify(data)}\n`;
}
