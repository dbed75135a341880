/**
 * The HTTP server that every API family stands in: limits, request ids, log and metrics of each request, the check of
 * the Host header, and answers to what no route takes.
 */
import Fastify from "fastify";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

import type { Logger } from "pino";
import { isLoopback, type Config } from "../config.ts";
import { readVersion } from "../config/version.ts";
import { AppError } from "../errors.ts";
import type { Database } from "../storage/database.ts";
import { collectGarbage, watchSurges } from "./sending/after-surge.ts";
import { hostCheck, hostName, originCheck, targetCheck, type HostFault } from "./receiving/host-check.ts";
import { endAfterAnswer, type Lifecycle, trackConnections } from "./lifecycle.ts";
import { answerOddRequests, type FixedHeaders } from "./sending/raw-answers.ts";
import { fastifyOptions, requestIds } from "./fastify-options.ts";
import { createMetrics, type Metrics } from "./metrics/metrics.ts";
import { refuse, refuseUnknown } from "./receiving/refusals.ts";
import { recordRequests } from "./receiving/request-log.ts";
import { collectRoutes, type RouteTable } from "./route-table.ts";
import { createFindPeer } from "../outbound/peers.ts";
import { createReceiving } from "./receiving/receiving.ts";
import { beginFor, hasLeft, isNobodys, trackCallers } from "./receiving/request-callers.ts";
import { addLane } from "./lane/add.ts";
import { addRates } from "./receiving/rate-limits.ts";
import { addAnswers, createManner, type Manner } from "./sending/answers.ts";
import { createSending, holdUntilDurable } from "./sending/sending.ts";
import { answerInOrder } from "./receiving/pipelining.ts";
import { beginSpan, traceHandlers, underSpan } from "./receiving/traced-requests.ts";
import { cutSlowReaders } from "./sending/slow-readers.ts";
import { measureTransport } from "./metrics/transport.ts";
import type { Tracing } from "../tracing/tracing.ts";
import * as limits from "./receiving/limits.ts";

interface ServerOptions {
  config: Pick<Config, "listen" | "publicUrl" | "trustedProxies" | "allowedHosts" | "accessLog"> &
    Partial<Pick<Config, "maxConnections" | "maxSending">>;
  db: Database;
  log: Logger;
  /** PEM; without it the server speaks plain HTTP. */
  tls?: { cert: Buffer; key: Buffer } | undefined;
  /** Makes spans of requests; without it there are none. */
  tracing?: Tracing | undefined;
}

interface Shell {
  app: FastifyInstance;
  routes: RouteTable;
  metrics: Metrics;
}

/** Builds the server with everything but its routes. */
export function createServer(options: ServerOptions): Shell {
  const { config, db, log, tls, tracing } = options;
  const always = fixedHeaders(tls !== undefined);
  const nextId = requestIds();
  const app = Fastify(
    fastifyOptions(options, {
      answerBadUrl(request, reply) {
        begin(request, reply, routes.unknown);
        // None of the hooks runs.
        reply.headers(always);
        refuse(request, reply, 400, "The URL is malformed");
      },
      always,
      nextId,
      recordRefusal,
    }),
  );
  function recordRefusal(status: number): void {
    metrics.observe(routes.unknown, status, 0);
    log.info({ route: routes.unknown.pattern, status }, "request rejected before it was read");
  }
  const routes = collectRoutes(app);
  const metrics = createMetrics(db, routes);
  answerOddRequests(app.server, always, recordRefusal);
  const peerOf = createFindPeer(config.trustedProxies);
  const pipelines = answerInOrder(app.server, peerOf);
  const begin = createBegin(options, recordRequests({ log, metrics, accessLog: config.accessLog }));
  const lifecycle = decorate(app, config);
  answerFaults(app, routes);
  const findHostFault = targetCheck(hostTest(config));
  const isForeign = originCheck({ ...config, isSecure: tls !== undefined });
  app.addHook("onRequest", (request, reply, done) => {
    begin(request, reply, request.routeOptions.config.route ?? routes.unknown);
    if (lifecycle.endsConnections) endAfterAnswer(reply.raw);
    if (lifecycle.phase === "starting") {
      refuseEarly(request, reply);
      return;
    }
    const fault = findHostFault(request.raw);
    if (fault !== undefined) refuse(request, reply, fault, HOST_FAULTS[fault]);
    else if (isForeign(request.raw.method, request.raw.headers)) {
      refuse(request, reply, 403, "The request comes from a page of another origin");
    } else beginFor(request, reply, tracing === undefined ? done : () => underSpan(tracing, request, done));
  });
  trackCallers(app);
  addLane(app, options, routes, { metrics, findHostFault, isForeign, nextId });
  if (tracing !== undefined) traceHandlers(app, tracing, metrics);
  // Behind the families' own hooks, which know who asks.
  sendWithinRoom(app, options, { metrics, pipelines, peerOf, manner: plainManner(always) });
  return { app, routes, metrics };
}

type Begin = (request: FastifyRequest, reply: FastifyReply, route: RouteTable["unknown"]) => void;

/** Returns what every request begins with. */
function createBegin({ log, tracing, tls }: ServerOptions, record: ReturnType<typeof recordRequests>): Begin {
  return (request, reply, route) => {
    request.startedAt = performance.now();
    request.route = route;
    // One logger for all: one of its own for every request would cost more than the request's line, which names it anyway.
    request.log = log;
    reply.log = log;
    if (tracing !== undefined) beginSpan(tracing, request, tls !== undefined);
    record(request, reply);
  };
}

/** Gives the server and its requests the members that all hooks use. */
function decorate(app: FastifyInstance, { publicUrl }: ServerOptions["config"]): Lifecycle {
  const lifecycle: Lifecycle = { phase: "serving", endsConnections: false };
  app.decorate("lifecycle", lifecycle);
  app.decorate("connections", trackConnections(app.server));
  app.decorate("publicUrl", publicUrl);
  addRates(app);
  app.decorateRequest("ctx");
  app.decorateRequest("startedAt", 0);
  app.decorateRequest("isHeld", false);
  app.decorateRequest("isExpected", false);
  app.decorateRequest("route");
  app.decorateRequest("hasCommitted", false);
  app.decorateRequest("owners", undefined);
  app.decorateRequest("precondition");
  app.decorateRequest("span");
  return lifecycle;
}

/** Answers what no route takes, and faults in routes outside the families. */
function answerFaults(app: FastifyInstance, routes: RouteTable): void {
  const answerUnknown = (request: FastifyRequest, reply: FastifyReply): void => {
    refuseUnknown(request, reply, routes.allowedMethods(request.raw.url ?? "/"));
  };
  app.setNotFoundHandler(answerUnknown);
  app.setErrorHandler((error, request, reply) => {
    // A fault in the body does not matter where no route takes the body.
    if (request.is404) answerUnknown(request, reply);
    else answerFault(error, request, reply);
  });
}

interface Transport {
  metrics: Metrics;
  pipelines: ReturnType<typeof answerInOrder>;
  peerOf: ReturnType<typeof createFindPeer>;
  manner: Manner;
}

/** Has requests received, and answers sent, within the room for them, and answers held until they are durable. */
function sendWithinRoom(
  app: FastifyInstance,
  { config, db }: ServerOptions,
  { metrics, pipelines, peerOf, manner }: Transport,
): void {
  const receiving = createReceiving();
  const sending = createSending(config.maxSending);
  app.addHook("preParsing", (request, reply, payload, done) => {
    // Nobody is there any more to receive from.
    if (hasLeft(request, reply)) return;
    const isStream = request.route.config.takes !== undefined;
    const refusal = sending.refusalOf(request) ?? receiving.admit(request.raw, request.caller, isStream);
    if (refusal === undefined) {
      done(null, payload);
      return;
    }
    reply.header("retry-after", "1");
    refuse(request, reply, 503, refusal);
  });
  app.decorate("sending", sending.pool);
  const connections = limits.limitConnections(app.server, config.maxConnections ?? limits.defaultConnections(), peerOf);
  measureTransport(metrics, { pipelines, connections, sending, receiving: receiving.pool });
  addAnswers(app, db, manner, sending);
  holdUntilDurable(app, db, sending);
  const stopSweep = cutSlowReaders(app.connections);
  const stopSurges = watchSurges(sending, collectGarbage);
  app.addHook("onClose", (_app, done) => {
    stopSweep();
    stopSurges();
    metrics.stop();
    done();
  });
}

/** The headers of every answer, whatever it is: nothing here is to be kept by others, guessed at, or run in a page. */
const ALWAYS = {
  // All of it was decided by rights, or is of the moment.
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'",
  vary: "Accept-Encoding, Authorization, X-Service-Token, X-Consul-Token",
  "x-content-type-options": "nosniff",
  // Which /openapi.json tells anybody too: a command says when it is another one than its own, without a request for it.
  "x-tessera-version": readVersion(),
} as const;

/** A year. Other names of the host are not this server's business. */
const UNDER_TLS = { "strict-transport-security": "max-age=31536000" } as const;

/** The manner of what is in no family, on which those of the families stand. */
function plainManner(always: FixedHeaders): Manner {
  return createManner(Object.entries(always).flat());
}

/** Returns the headers that every answer has. @param isTls whether the server itself terminates TLS */
function fixedHeaders(isTls: boolean): FixedHeaders {
  return isTls ? { ...ALWAYS, ...UNDER_TLS } : ALWAYS;
}

const HOST_FAULTS: Readonly<Record<HostFault, string>> = {
  400: "The request must have one Host header that matches the host of its target",
  421: "Unknown host in the Host header; see --allowed-hosts",
};

/** Listening on loopback, only loopback names and those that were allowed; elsewhere, any. */
function hostTest(config: ServerOptions["config"]): (host: string | undefined) => boolean {
  if (!isLoopback(config.listen.host)) return () => true;
  const own = config.publicUrl === undefined ? undefined : hostName(new URL(config.publicUrl).host);
  return hostCheck(own === undefined ? config.allowedHosts : [...config.allowedHosts, own]);
}

/** Until the first management token is settled nobody may do anything: the first to come would be who owns the server. */
function refuseEarly(request: FastifyRequest, reply: FastifyReply): void {
  reply.header("retry-after", "1");
  refuse(request, reply, 503, "The server is starting; retry in 1 s");
}

/** For routes outside the families, which have handlers of their own. */
function answerFault(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (isNobodys(error, request, reply)) return;
  if (error instanceof AppError && (error.code === "unavailable" || error.code === "outcome_unknown")) {
    if (error.code === "unavailable") reply.header("retry-after", "1");
    refuse(request, reply, 503, error.message);
    return;
  }
  request.log.error({ err: error, requestId: request.id }, "unexpected error");
  void reply.code(500).type("text/plain; charset=utf-8").send("internal server error\n");
}
