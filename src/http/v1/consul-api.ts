/**
 * The conventions of `/v1`, as one plugin around its routes: token, scope, parameters of reads, bodies, errors, and the
 * headers of every answer. Its clients are Consul's.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { FastifyPluginCallbackTypebox } from "@fastify/type-provider-typebox";
import { answering, inTurn } from "../sending/answers.ts";
import { contextOf } from "../sending/commits.ts";
import type { Actor } from "../../rights/actor.ts";
import { DEFAULT_SCOPE } from "../../rights/scope.ts";
import { isReserved } from "../../rights/reserved-secrets.ts";
import { AppError } from "../../errors.ts";
import { UNKNOWN_TOKEN } from "../../refused.ts";
import type { Database } from "../../storage/database.ts";
import type { FindActor, FindBySession } from "../receiving/credentials.ts";
import type { ActorForToken } from "../jsonapi/jsonapi.ts";
import { BODY_LIMIT_BYTES } from "../receiving/limits.ts";
import { checkQuery, type QueryParameters } from "../query.ts";
import type { RouteTable } from "../route-table.ts";
import type { Manner } from "../sending/answers.ts";
import { finishAnswer, v1Manner } from "./answer.ts";
import { decoderOf } from "./body-decoder.ts";
import { readAsked, readAskedInSteps, type RequestContent } from "./asked.ts";
import { isLongBody } from "./body.ts";
import { offerToLane } from "./lane.ts";
import { checkParameters, isUnprintable } from "./parameters.ts";
import { handleError } from "./errors.ts";
import { handleInOwnWords } from "./own-token-words.ts";
import { readOptions } from "./reads/read-options.ts";
import { isPretty, JSON_TYPE, renderJson, renderPretty, sendText } from "./render.ts";
import { askedScope, checkDatacenter, givenToken, type Edition, tokenOf } from "./scope.ts";
import { answerUnknown } from "./unknown.ts";
import { isInNew } from "../jsonapi/trials.ts";
import { orTooMany } from "../receiving/strangers.ts";
import { workInTurns } from "../../turns.ts";

/** Routes of a feature, registered under `/v1`. */
export type V1Routes = FastifyPluginCallbackTypebox;

export interface ConsulApiOptions {
  db: Database;
  /** Milliseconds since the epoch. */
  now: () => number;
  routes: RouteTable;
  apiRoutes: readonly V1Routes[];
  /** Finds who a SecretID belongs to, the anonymous token's `anonymous` included. */
  actorForToken: ActorForToken;
  /** Finds who comes without a token and by a session. */
  bySession?: FindBySession | undefined;
  /** Whether a management token was ever made; asked only to word a refusal. */
  isBootstrapped: () => Promise<boolean>;
  /** The one datacenter that requests may name. */
  datacenter: string;
  edition: Edition;
  defaultPolicy: "allow" | "deny";
  /** Whether a token that nobody has is told of in other words than Consul's. */
  ownTokenWords?: boolean | undefined;
}

/** Routes under another prefix that find their caller, its scope and its limits as `/v1` does, and word the rest themselves. */
export interface SiblingFamily {
  prefix: string;
  /** Headers of its answers. @param shell the headers of every answer */
  manner(shell: Manner): Manner;
  handleError: typeof handleError;
  /** Answers with an error that has no more than a status and a text. */
  sendError(reply: FastifyReply, status: number, text: string): void;
  /** Refuses a request by its head. @throws AppError */
  checkHead(request: FastifyRequest): void;
}

type Hook = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void;

/** Registers the family under its prefix. @param sibling the family that is registered in its place */
export function registerConsulApi(app: FastifyInstance, options: ConsulApiOptions, sibling?: SiblingFamily): void {
  void app.register(
    (family, _options, done) => {
      family.decorateRequest("scope");
      family.decorateRequest("askedScope");
      family.decorateRequest("readOptions");
      family.decorateRequest("asked");
      family.decorateRequest("shown");
      family.decorate("manner", sibling?.manner(app.manner) ?? v1Manner(app.manner, options.defaultPolicy));
      family.decorate("actorOf", (request: FastifyRequest) =>
        findActor(options, sessionOf(options, request, true) ?? finderOf(options, secretIn(request)), request),
      );
      family.setErrorHandler(sibling?.handleError ?? (options.ownTokenWords === true ? handleInOwnWords : handleError));
      family.setNotFoundHandler((request, reply) => answerUnknown(request, reply, options.routes, sibling?.sendError));
      family.setReplySerializer(renderJson);
      takeBodies(family);
      // A schema that cannot be decoded shall stop the start and not a request.
      family.addHook("onRoute", (route) => {
        offerToLane(family, route, options, sibling?.checkHead);
        if (route.config?.body !== undefined && route.config.body.read === undefined)
          decoderOf(route.config.body.schema);
        route.handler = answering(route.handler, inWords);
      });
      family.addHook("onRequest", begin(options, sibling));
      family.addHook("preValidation", readBody(options.edition));
      family.addHook("onSend", finishAnswer);
      for (const routes of options.apiRoutes) void family.register(routes);
      done();
    },
    { prefix: sibling?.prefix ?? "/v1" },
  );
}

/** Compact; who wants it otherwise has set a serializer. */
function inWords(request: FastifyRequest, value: unknown): { type: string; body: string } | undefined {
  return isPretty(request) ? undefined : { type: JSON_TYPE, body: renderJson(value) };
}

/** One parser for whatever arrives. It only collects the bytes: `readBody` decodes, also when there are none. */
function takeBodies(family: FastifyInstance): void {
  family.removeAllContentTypeParsers();
  family.addContentTypeParser<Buffer>(
    "*",
    { parseAs: "buffer", bodyLimit: BODY_LIMIT_BYTES },
    (_request, bytes, done) => done(null, bytes),
  );
}

/** All that the head of a request says is checked before its token is looked up. Callbacks: this runs for every request. */
function begin(options: ConsulApiOptions, sibling?: SiblingFamily): Hook {
  const warnOfTokenInUrl = urlTokenWarning();
  return (request, reply, done) => {
    const { url = "/", headers } = request.raw;
    if (isUnprintable(url)) {
      (sibling?.sendError ?? sendText)(reply, 400, "");
      return;
    }
    if (request.is404) {
      answerUnknown(request, reply, options.routes, sibling?.sendError);
      return;
    }
    try {
      sibling?.checkHead(request);
      // Clients send any type or none, and no spelling of one may keep a body from being decoded.
      if (headers["content-type"] !== undefined) headers["content-type"] = undefined;
      checkHead(request, reply, options, url.includes("?"));
    } catch (error) {
      done(asError(error));
      return;
    }
    if (request.route.public) {
      done();
      return;
    }
    const query = request.query as QueryParameters;
    if (query["token"]) warnOfTokenInUrl(request);
    const refuse = (error?: Error): void => done(orTooMany(request, error));
    const bySession = sessionOf(options, request);
    const secret = tokenOf(query, headers);
    if (bySession !== undefined) identify(options, bySession, request, done, refuse);
    else if (isReserved(secret))
      refuse(new AppError("forbidden", "Cannot resolve root ACL", { refused: UNKNOWN_TOKEN }));
    else identify(options, finderOf(options, secret), request, done, refuse);
  };
}

function secretIn({ query, raw }: FastifyRequest): string {
  return tokenOf(query as QueryParameters, raw.headers);
}

function finderOf({ actorForToken }: ConsulApiOptions, secret: string): FindActor {
  return (isCurrent) => actorForToken(secret, isCurrent);
}

/** The session of a request that presents no token: that wins. */
function sessionOf({ bySession }: ConsulApiOptions, request: FastifyRequest, isAgain = false): FindActor | undefined {
  const find = bySession?.(request, isAgain);
  return find !== undefined && givenToken(request.query as QueryParameters, request.raw.headers) === undefined
    ? find
    : undefined;
}

const WARNING_INTERVAL_MS = 60_000;

/** Tokens in URLs end up in the logs of whatever lies between: said once a minute, since whole fleets do it. */
function urlTokenWarning(): (request: FastifyRequest) => void {
  let silentUntil = -Infinity;
  return ({ startedAt, log, id, route }) => {
    if (startedAt < silentUntil) return;
    silentUntil = startedAt + WARNING_INTERVAL_MS;
    log.warn({ requestId: id, route: route.pattern }, "token in a URL; use a header instead");
  };
}

function checkHead(request: FastifyRequest, reply: FastifyReply, options: ConsulApiOptions, hasQuery: boolean): void {
  const { config } = request.route;
  const query = request.query as QueryParameters;
  const { headers } = request.raw;
  if (hasQuery) {
    // As in Go.
    checkQuery(request, "first");
    checkParameters(query, request.route, options.edition);
    if ("pretty" in query) reply.type(JSON_TYPE).serializer(renderPretty);
  }
  if (config.missing !== undefined) checkParams(request.params as Record<string, string>, config.missing);
  if (config.read) request.readOptions = readOptions(query, headers, hasQuery);
  if (hasQuery) checkDatacenter(query, options.datacenter);
  request.askedScope = askedScope(query, headers, hasQuery, options.edition);
}

function checkParams(params: Record<string, string>, message: string): void {
  for (const name in params) if (params[name] === "") throw new AppError("bad_parameter", message);
}

function identify(
  options: ConsulApiOptions,
  find: FindActor,
  request: FastifyRequest,
  done: () => void,
  refuse: (error?: Error) => void,
): void {
  const { db, now } = options;
  function goOn(actor: Actor): void {
    request.ctx = contextOf(request, { db, now }, actor);
    done();
  }
  inTurn(() => findActor(options, find, request), goOn, refuse);
}

/** In the same turn where it is known. @throws AppError `forbidden` when no token has this secret, any more or yet */
function findActor(options: ConsulApiOptions, find: FindActor, request: FastifyRequest): Actor | Promise<Actor> {
  // On every route, whether it is a read or not: whoever asks so counts on what was narrowed before.
  const known = find("consistent" in (request.query as QueryParameters));
  if (known !== undefined && !(known instanceof Promise)) return known;
  return refuseUnknownToken(known, options.isBootstrapped);
}

async function refuseUnknownToken(
  finding: Promise<Actor | undefined> | undefined,
  isBootstrapped: ConsulApiOptions["isBootstrapped"],
): Promise<Actor> {
  const actor = await finding;
  if (actor === undefined) throw unknownToken(await isBootstrapped());
  return actor;
}

function unknownToken(isBootstrapped: boolean): AppError {
  const hint = "ACL system must be bootstrapped before making any requests that require authorization: ";
  return new AppError("forbidden", `${isBootstrapped ? "" : hint}ACL not found`, { refused: UNKNOWN_TOKEN });
}

/** Decodes the body of a route that takes one, and settles the scope, in which the body has the last word. */
function readBody(edition: Edition): Hook {
  return (request, _reply, done) => {
    function goOn({ body, scope }: RequestContent): void {
      request.body = body;
      const isPlanned = isInNew(request) && request.route.config.ofCaller !== true;
      request.scope = isPlanned ? { ...scope, isPlanned } : scope;
      done();
    }
    inTurn(() => contentOf(request, edition), goOn, done);
  };
}

/** Comes later for a long body: others have their turns meanwhile. */
function contentOf(request: FastifyRequest, edition: Edition): RequestContent | Promise<RequestContent> {
  const { askedScope: around, body: bytes, route } = request;
  const own = route.config.public === true ? DEFAULT_SCOPE : request.ctx.actor.scope;
  if (!isLongBody(bytes)) return readAsked(route.config, bytes, { around, own }, edition);
  const reading = workInTurns(readAskedInSteps(route.config, bytes, { around, own }, edition));
  // Its bytes stay in the account of bodies for as long.
  request.caller.count(reading);
  return reading;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error("cannot read the request", { cause: error });
}
