import { Type } from "typebox";
import { enterStream, EVENT_STREAM, openEventSink } from "../../http/sending/event-stream.ts";
import type { ApiRoutes } from "../../http/jsonapi/jsonapi.ts";
import { errorResponses } from "../../http/jsonapi/errors.ts";
import { parameter } from "../../http/jsonapi/schema.ts";
import type { QueryParameters } from "../../http/query.ts";
import { createChangePages } from "./pages.ts";
import { eventText, idText, TOUCHED_TEXT } from "./as-json.ts";
import { EXAMPLE_CHANGE } from "./schema.ts";
import { openChangeStream } from "./stream.ts";

const SCHEMA = {
  operationId: "streamOrganizationEvents",
  summary: "Stream events of an organization",
  tags: ["Events"],
  params: Type.Object({ organization_name: Type.String() }),
  querystring: Type.Object({
    after: parameter("Event ID after which the stream continues. Last-Event-ID overrides it."),
  }),
  headers: Type.Object({ "last-event-id": parameter("ID of the last event that the client has received.") }),
  response: {
    200: {
      description: "Events of workspaces, projects, tags and tag policies, from now or from the requested ID.",
      content: {
        [EVENT_STREAM]: {
          schema: Type.String({ examples: [eventText(EXAMPLE_CHANGE, String(EXAMPLE_CHANGE.position))] }),
        },
      },
    },
    ...errorResponses(410, 429),
  },
};

/** The stream of what is changed in an organization. */
export const changeRoutes: ApiRoutes = (app, _options, done) => {
  const pages = createChangePages();
  app.get<{ Params: { organization_name: string }; Querystring: QueryParameters }>(
    "/organizations/:organization_name/events",
    { schema: SCHEMA },
    async (request, reply) => {
      const { ctx, params, query } = request;
      const lastId = request.headers["last-event-id"];
      const after = lastId === undefined || lastId === "" ? query["after"] : String(lastId);
      const waiter = enterStream(request, reply);
      if (waiter === undefined) return reply.hijack();
      const stream = await openChangeStream(pages, {
        ctx,
        organizationName: params.organization_name,
        after,
        waiter,
        actorOf: async () => request.server.actorOf(request),
      });
      const { stream: body, sink } = openEventSink(request, reply, {
        keepAlive: () => idText(stream.cursor()),
        mostUnread: Infinity,
      });
      const { room, end } = sink;
      stream
        .run({
          send: (change, id) => sink.push(eventText(change, id)),
          mark: (id) => sink.push(idText(id)),
          touch: () => sink.push(TOUCHED_TEXT),
          room,
          end,
        })
        .catch((error: unknown) => ctx.log.info({ err: error, requestId: ctx.requestId }, "event stream aborted"));
      return reply.header("content-type", EVENT_STREAM).send(body);
    },
  );
  done();
};
