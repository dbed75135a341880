import { Type } from "typebox";
import type { RenderScope } from "../rights/scope.ts";
import { AppError } from "../errors.ts";
import { enterStream, EVENT_STREAM, openEventSink } from "../http/sending/event-stream.ts";
import type { QueryParameters } from "../http/query.ts";
import { parseIndex } from "../http/v1/parameters.ts";
import type { V1Routes } from "../http/v1/consul-api.ts";
import { operation } from "../http/v1/operation.ts";
import { openStream } from "./service.ts";
import { readTopics, TOPIC_NAMES } from "./topics.ts";
import type { EventWindow, KeptEvent } from "./window.ts";

const EVENTS = operation({
  operationId: "streamEvents",
  summary: "Stream events of access control changes",
  tag: "Events",
  produces: EVENT_STREAM,
  query: { topics: `Comma-separated kinds: ${TOPIC_NAMES.join(", ")}. Default: all.` },
  answer: Type.String({
    description: "Event stream. Last-Event-ID in the request continues after that event.",
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
        const { ctx, scope } = request;
        const topics = readTopics((request.query as QueryParameters)["topics"]);
        const after = readLastId(request.headers["last-event-id"]);
        const waiter = enterStream(request, reply);
        if (waiter === undefined) return reply.hijack();
        const start = await openStream(window, {
          ctx,
          scope,
          topics,
          after,
          waiter,
          actorOf: async () => request.server.actorOf(request),
        });
        const { stream, sink } = openEventSink(request, reply);
        start({
          send: (events, resumeFrom) => sink.push(renderEvents(events, resumeFrom, renderScope)),
          end: sink.end,
        });
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
