/**
 * The conventions of `/api/v2` (JSON:API), as one plugin around its routes: authentication, media type, body and query
 * parsing, validation, error documents and the headers of every answer.
 */
import { notingCommits } from "./commits.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { FastifyPluginCallbackTypebox } from "@fastify/type-provider-typebox";
import type { Actor } from "../acl/actor.ts";
import { AppError, notFound } from "../errors.ts";
import type { Database } from "../storage/database.ts";
import { serveDocument, type ReadState } from "./documents.ts";
import { secretOf } from "./jsonapi-auth.ts";
import { mediaTypeOf, parseBody } from "./jsonapi-body.ts";
import { FAMILY_HEADERS, handleError, MEDIA_TYPE, sendError, WRONG_MEDIA_TYPE } from "./jsonapi-errors.ts";
import { BODY_LIMIT_BYTES } from "./limits.ts";
import { checkQuery } from "./query.ts";
import { refuseUnknown } from "./refusals.ts";
import { pathOf, type RouteTable } from "./route-table.ts";

/** Routes of a feature, registered under `/api/v2`. */
export type ApiRoutes = FastifyPluginCallbackTypebox;

/** Finds who a SecretID belongs to; undefined when it is unknown or expired. */
export type ActorForToken = (secret: string) => Promise<Actor | undefined>;

interface JsonApiOptions {
  db: Database;
  actorForToken: ActorForToken;
  /** Milliseconds since the epoch. */
  now: () => number;
  routes: RouteTable;
  apiRoutes: readonly ApiRoutes[];
  readState: ReadState;
}

/** Registers the family under its prefix. */
export function registerJsonApi(app: FastifyInstance, options: JsonApiOptions): void {
  void app.register(
    (family, _options, done) => {
      family.setErrorHandler(handleError);
      family.setNotFoundHandler((request, reply) => answerUnknown(request, reply, options.routes));
      parseBodies(family);
      family.decorate("actorOf", (request: FastifyRequest) => actorNow(options, request));
      family.addHook("onRoute", (route) => {
        const sharing = route.config?.document;
        if (sharing !== undefined) route.handler = serveDocument(route.handler, sharing, options.readState);
      });
      family.addHook("onRequest", authenticate(options));
      family.addHook("preValidation", checkUrl);
      family.addHook("onSend", addHeaders);
      for (const routes of options.apiRoutes) void family.register(routes);
      done();
    },
    { prefix: "/api/v2" },
  );
}

function answerUnknown(request: FastifyRequest, reply: FastifyReply, routes: RouteTable): void {
  refuseUnknown(request, reply, routes.allowedMethods(request.raw.url ?? "/"));
}

/** One parser for whatever arrives: the media type has been checked, and nothing can get past this one. */
function parseBodies(family: FastifyInstance): void {
  family.removeAllContentTypeParsers();
  family.addContentTypeParser<Buffer>(
    "*",
    { parseAs: "buffer", bodyLimit: BODY_LIMIT_BYTES },
    (_request, bytes, done) => {
      try {
        done(null, parseBody(bytes));
      } catch (error) {
        done(error instanceof Error ? error : new Error("parsing failed", { cause: error }));
      }
    },
  );
}

type Hook = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void;

/** Callbacks and not promises: this runs for every request. */
function authenticate(options: JsonApiOptions): Hook {
  return (request, reply, done) => {
    // Before the body is looked at: what is wrong with it does not matter where there is no route.
    if (request.is404) {
      answerUnknown(request, reply, options.routes);
      return;
    }
    if (request.route.public) {
      checkMediaType(request, reply, done);
      return;
    }
    const secret = secretOf(request.raw.headers);
    if (secret === undefined) {
      sendError(reply, UNAUTHORIZED);
      return;
    }
    void identify(options, secret, request, reply, done);
  };
}

async function identify(
  { db, actorForToken, now }: JsonApiOptions,
  secret: string,
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
): Promise<void> {
  let actor: Actor | undefined;
  try {
    actor = await actorForToken(secret);
  } catch (error) {
    done(error instanceof Error ? error : new Error("the token cannot be resolved", { cause: error }));
    return;
  }
  // The anonymous token belongs to the other family: here, no token is no access.
  if (actor === undefined || actor.anonymous) {
    sendError(reply, UNAUTHORIZED);
    return;
  }
  request.ctx = { db: notingCommits(db, request), actor, requestId: request.id, log: request.log, now };
  checkMediaType(request, reply, done);
}

/** Who has the token of a request that has waited. @throws AppError `unauthenticated` when nobody has, any more */
async function actorNow({ actorForToken }: JsonApiOptions, request: FastifyRequest): Promise<Actor> {
  const actor = await actorForToken(secretOf(request.raw.headers) ?? "");
  if (actor === undefined || actor.anonymous) throw new AppError("unauthenticated", "The token is gone");
  return actor;
}

const UNAUTHORIZED = { status: 401 } as const;

/** Also required of a request without a body, as the hosted service does. */
function checkMediaType(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const { method } = request.raw;
  const type = request.raw.headers["content-type"];
  if (method === "GET" || type === MEDIA_TYPE || mediaTypeOf(type) === MEDIA_TYPE) {
    done();
    return;
  }
  sendError(reply, WRONG_MEDIA_TYPE);
}

function checkUrl(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
  const { url = "/" } = request.raw;
  try {
    // Nothing is stored under a name with a NUL, and PostgreSQL could not even be asked.
    if (url.includes("%00") && pathOf(url).includes("%00")) throw notFound("resource");
    checkQuery(request, "refused");
  } catch (error) {
    done(error instanceof Error ? error : new Error("malformed URL", { cause: error }));
    return;
  }
  done();
}

/** In `onSend`, where Fastify has chosen a media type and nothing changes it any more. */
function addHeaders(
  _request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: Error | null, payload: unknown) => void,
): void {
  reply.header("tfp-api-version", FAMILY_HEADERS["tfp-api-version"]);
  reply.header("tfp-appname", FAMILY_HEADERS["tfp-appname"]);
  if (payload !== undefined && payload !== null) reply.header("content-type", MEDIA_TYPE);
  done(null, payload);
}
