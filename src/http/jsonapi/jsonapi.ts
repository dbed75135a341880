/**
 * The conventions of `/api/v2` (JSON:API), as one plugin around its routes: authentication, media type, body and query
 * parsing, validation, error documents and the headers of every answer; and how features say what they answer under it:
 * an operation is what it is called, what it takes and what it answers. Its status, the parameters of its path and the links
 * of its pages follow.
 */
import { contextOf } from "../sending/commits.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import type { Static, TSchema } from "typebox";
import type { FastifyPluginCallbackTypebox } from "@fastify/type-provider-typebox";
import type { Actor } from "../../rights/actor.ts";
import { AppError, notFound } from "../../errors.ts";
import { NO_TOKEN, UNKNOWN_TOKEN } from "../../refused.ts";
import type { ContentStates } from "../../storage/feed/content-states.ts";
import type { Database } from "../../storage/database.ts";
import { answering, createManner, inTurn } from "../sending/answers.ts";
import type { FindActor, FindBySession } from "../receiving/credentials.ts";
import { serveDocument } from "./documents.ts";
import { EVENT_STREAM } from "../sending/event-stream.ts";
import { FILE_TYPES } from "../file-types.ts";
import { secretOf } from "./auth.ts";
import { isList } from "./schema.ts";
import { FAMILY_HEADERS, handleError, MEDIA_TYPE } from "./errors.ts";
import { checkMediaType, parseBodies } from "./media.ts";
import { schemaOf, type ApiOperation } from "./operation.ts";
import { pageDocument, readPage, type FoundPage, type Page } from "./pagination.ts";
import { createPreconditions } from "./preconditions.ts";
import { checkFilters } from "./filters.ts";
import { checkQuery, type QueryParameters } from "../query.ts";
import { refuseUnknown } from "../receiving/refusals.ts";
import { pathOf, type RouteTable } from "../route-table.ts";
import { orTooMany, refuseStranger } from "../receiving/strangers.ts";
import { isWarned } from "./warnings.ts";

/** Routes of a feature, registered under `/api/v2`. */
export type ApiRoutes = FastifyPluginCallbackTypebox;

/** Finds who a SecretID belongs to; undefined when it is unknown or expired. Otherwise as `FindActor`. */
export type ActorForToken = (secret: string, isCurrent?: boolean) => ReturnType<FindActor>;

interface JsonApiOptions {
  db: Database;
  actorForToken: ActorForToken;
  /** Finds who comes without a token and by a session. */
  bySession?: FindBySession | undefined;
  /** Milliseconds since the epoch. */
  now: () => number;
  routes: RouteTable;
  apiRoutes: readonly ApiRoutes[];
  states: ContentStates;
}

/** Registers the family under its prefix. */
export function registerJsonApi(app: FastifyInstance, options: JsonApiOptions): void {
  void app.register(
    (family, _options, done) => {
      const conditions = createPreconditions(options.states);
      family.setErrorHandler(handleError);
      family.setNotFoundHandler((request, reply) => answerUnknown(request, reply, options.routes));
      parseBodies(family);
      family.decorate("actorOf", (request: FastifyRequest) => actorNow(options, request));
      family.addHook("onRoute", (route) => {
        const sharing = route.config?.document;
        if (sharing === undefined) {
          route.handler = answering(route.handler, inWords);
          return;
        }
        const { serve, readEtag } = serveDocument(
          route.handler,
          sharing,
          isList(route.schema?.response),
          options.states,
        );
        route.handler = serve;
        conditions.compareAt(route.url, readEtag);
      });
      family.addHook("onRequest", authenticate(options));
      family.addHook("preValidation", conditions.note);
      family.addHook("preValidation", checkUrl);
      family.decorate("manner", createManner([...app.manner.fixed, ...Object.entries(FAMILY_HEADERS).flat()]));
      family.addHook("onSend", setMediaType);
      for (const routes of options.apiRoutes) void family.register(routes);
      done();
    },
    { prefix: "/api/v2" },
  );
}

function inWords(_request: FastifyRequest, value: unknown): { type: string; body: string | undefined } {
  return { type: MEDIA_TYPE, body: value === null ? undefined : JSON.stringify(value) };
}

function answerUnknown(request: FastifyRequest, reply: FastifyReply, routes: RouteTable): void {
  refuseUnknown(request, reply, routes.allowedMethods(request.raw.url ?? "/"));
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
    const find = finderOf(options, request);
    if (find === undefined) refuseStranger(request, reply, NO_TOKEN, done);
    else identify(options, find, request, reply, done);
  };
}

/** A token wins over a session. Undefined where there is neither. */
function finderOf({ actorForToken, bySession }: JsonApiOptions, request: FastifyRequest, isAgain = false) {
  const secret = secretOf(request.raw.headers);
  return secret === undefined ? bySession?.(request, isAgain) : () => actorForToken(secret);
}

function identify(
  { db, now }: JsonApiOptions,
  find: FindActor,
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
): void {
  function goOn(actor: Actor | undefined): void {
    // The anonymous token belongs to the other family: here, no token is no access.
    if (actor === undefined || actor.anonymous) {
      refuseStranger(request, reply, UNKNOWN_TOKEN, done);
      return;
    }
    request.ctx = contextOf(request, { db, now }, actor);
    checkMediaType(request, reply, done);
  }
  inTurn(find, goOn, (error) => done(orTooMany(request, error)));
}

/**
 * Finds the actor of the token for a request that has waited.
 *
 * @throws AppError `unauthenticated` when the token is gone
 */
async function actorNow(options: JsonApiOptions, request: FastifyRequest): Promise<Actor> {
  const actor = await finderOf(options, request, true)?.();
  if (actor === undefined || actor.anonymous)
    throw new AppError("unauthenticated", "The token was deleted or has expired", { refused: UNKNOWN_TOKEN });
  return actor;
}

function checkUrl(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
  const { url = "/" } = request.raw;
  try {
    // Nothing is stored under a name with a NUL, and PostgreSQL could not even be asked.
    if (url.includes("%00") && pathOf(url).includes("%00")) throw notFound("resource");
    checkQuery(request, "refused");
    checkFilters(request.query as QueryParameters, request.route);
  } catch (error) {
    done(error instanceof Error ? error : new Error("malformed URL", { cause: error }));
    return;
  }
  done();
}

/** Media types of answers that are not JSON:API documents and name their own type. */
const NAMED: readonly unknown[] = [EVENT_STREAM, ...Object.values(FILE_TYPES)];

/** In `onSend`, where Fastify has chosen a media type and nothing changes it any more. */
function setMediaType(
  _request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: Error | null, payload: unknown) => void,
): void {
  const isNamed = NAMED.includes(reply.getHeader("content-type"));
  if (payload !== undefined && payload !== null && !isNamed) reply.header("content-type", MEDIA_TYPE);
  done(null, payload);
}

/** Names of the parameters of a path. */
type NamesIn<Url extends string> = Url extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<`/${Rest}`>
  : Url extends `${string}:${infer Name}`
    ? Name
    : never;

type Request<Url extends string, Body extends TSchema> = FastifyRequest<{
  Params: Record<NamesIn<Url>, string>;
  Querystring: QueryParameters;
  Body: Static<Body>;
}>;

/** The routes of a feature. @param tag heading of its operations in the OpenAPI document */
export function apiRoutes(tag: string, register: (on: Registrar) => void): ApiRoutes {
  return (app, _options, done) => {
    register(createRegistrar(app, tag));
    done();
  };
}

export type Registrar = ReturnType<typeof createRegistrar>;

function createRegistrar(app: FastifyInstance, tag: string) {
  function answers(method: RouteOptions["method"], status: 200 | 201 | 204, config: RouteOptions["config"] = {}) {
    return function register<Url extends string, Body extends TSchema>(
      url: Url,
      operation: ApiOperation<Body, (request: Request<Url, Body>, reply: FastifyReply) => unknown>,
    ): void {
      app.route({
        method,
        url,
        config: operation.outsideShares === undefined ? config : { ...config, outsideShares: operation.outsideShares },
        schema: schemaOf(tag, url, method === "GET" ? [status] : [status, 412], operation),
        async handler(request, reply) {
          const document = await operation.handle(request as Request<Url, Body>, reply);
          const isAnswered = status !== 204 || (operation.warns === true && isWarned(document));
          void reply.code(isAnswered && status === 204 ? 200 : status);
          return isAnswered ? document : null;
        },
      });
    };
  }
  const read = answers("GET", 200, { document: "kept" });
  return {
    /** A document that follows from what is stored of one organization, from the URL and from what the caller may do. */
    read,
    /** A document that nobody else is given, or a stream of one. */
    readOwn: answers("GET", 200, { document: "own" }),
    create: answers("POST", 201),
    patch: answers("PATCH", 200),
    put: answers("PUT", 200),
    /** A PATCH that replaces something as a whole and answers nothing. */
    replace: answers("PATCH", 204),
    /** A POST that changes a resource and answers it. */
    act: answers("POST", 200),
    /** A POST that answers nothing. */
    post: answers("POST", 204),
    delete: answers("DELETE", 204),
    /** A page of a list of such. */
    list<Url extends string, Body extends TSchema>(
      url: Url,
      operation: ApiOperation<Body, (request: Request<Url, Body>, page: Page) => Promise<FoundPage>>,
    ): void {
      read(url, {
        ...operation,
        async handle(request: Request<Url, Body>) {
          const page = readPage(request.query);
          return pageDocument(request, page, await operation.handle(request, page));
        },
      });
    },
  };
}
