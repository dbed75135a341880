/**
 * The HTTP server that both API families stand in: limits, request ids, log
 * and metrics of every request, the check of the Host header, and answers to
 * what no route takes.
 */
import type { Server } from "node:http";
import Fastify, { LogController, type FastifyHttpOptions, type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { randomBytes } from "node:crypto";
import type { Logger } from "pino";
import { type Config, isLoopback } from "../config.ts";
import type { Database } from "../storage/database.ts";
import { holdUntilDurable } from "./durability.ts";
import { hostCheck } from "./host-check.ts";
import * as limits from "./limits.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import { parseQuery } from "./query.ts";
import { refuse, refuseUnknown, type RefusalStatus } from "./refusals.ts";
import { recordRequests } from "./request-log.ts";
import "./request.ts";
import { collectRoutes, type RouteTable } from "./routes.ts";

export interface ServerOptions {
  config: Pick<Config, "listen" | "publicUrl" | "trustedProxies" | "allowedHosts" | "accessLog">;
  db: Database;
  log: Logger;
  /** PEM; without it the server speaks plain HTTP. */
  tls?: { cert: Buffer; key: Buffer } | undefined;
}

export interface Shell {
  app: FastifyInstance;
  routes: RouteTable;
  metrics: Metrics;
}

/** Builds the server with everything but its routes. */
export function createServer(options: ServerOptions): Shell {
  const { config, db, log } = options;
  const app = Fastify(fastifyOptions(options));
  const routes = collectRoutes(app);
  const metrics = createMetrics(db, routes);
  app.decorate("publicUrl", config.publicUrl);
  app.decorateRequest("ctx");
  app.decorateRequest("startedAt", 0);
  app.decorateRequest("route");
  app.setErrorHandler((error, request, reply) => {
    request.log.error({ err: error }, "unexpected error");
    void reply.code(500).type("text/plain; charset=utf-8").send("internal server error\n");
  });
  app.setNotFoundHandler((request, reply) => {
    refuseUnknown(request, reply, routes.allowedMethods(request.raw.url ?? "/"));
  });
  const record = recordRequests({ log, metrics, accessLog: config.accessLog });
  const isAllowedHost = isLoopback(config.listen.host) ? hostCheck(allowedHosts(config)) : () => true;
  app.addHook("onRequest", (request, reply, done) => {
    request.startedAt = performance.now();
    request.route = request.routeOptions.config.route ?? routes.unknown;
    record(request, reply);
    reply.header("x-request-id", request.id);
    if (isAllowedHost(request.raw.headers.host)) done();
    else refuse(request, reply, 421, "The Host header names a host that this server does not answer for");
  });
  holdUntilDurable(app, db);
  const stopSweep = limits.cutSlowReaders(app.server);
  app.addHook("onClose", (_app, done) => {
    stopSweep();
    metrics.stop();
    done();
  });
  onFrameworkError.set(app.server, (error, request, reply) => {
    request.startedAt = performance.now();
    request.route = routes.unknown;
    record(request, reply);
    refuse(request, reply, error.code === "FST_ERR_MAX_PARAM_LENGTH" ? 414 : 400, "The URL is malformed");
  });
  return { app, routes, metrics };
}
