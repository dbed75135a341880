import { randomBytes } from "node:crypto";
import type { Server } from "node:http";
import type { Socket } from "node:net";
import { LogController } from "fastify";
import type { FastifyHttpOptions, FastifyReply, FastifyRequest, FastifyServerOptions } from "fastify";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import { errorCode } from "../config/given.ts";
import { compileValidator } from "./jsonapi/body.ts";
import { tryAtUrl } from "./jsonapi/trials.ts";
import { parseQuery } from "./query.ts";
import * as limits from "./receiving/limits.ts";
import { headAsGet } from "./sending/head.ts";
import { answerClientError, type FixedHeaders } from "./sending/raw-answers.ts";

interface NodeOptions {
  config: Pick<Config, "trustedProxies">;
  log: Logger;
  /** PEM; without it the server speaks plain HTTP. */
  tls?: { cert: Buffer; key: Buffer } | undefined;
}

/**
 * Given here and not to the families, so that Fastify's own compilers are never even loaded. Answers are written by V8,
 * for which nothing is compiled at start (docs/decisions/0009).
 */
const SCHEMAS = {
  compilersFactory: { buildValidator: () => compileValidator, buildSerializer: () => () => JSON.stringify },
  // Fastify's types know only the compilers that it brings along.
} as unknown as NonNullable<FastifyServerOptions["schemaController"]>;

interface EarlyRefusals {
  always: FixedHeaders;
  answerBadUrl(request: FastifyRequest, reply: FastifyReply): void;
  /** Gives requests their IDs. */
  nextId: () => string;
  /** Told of what Node's parser refused, which no hook sees. */
  recordRefusal(status: number): void;
}

/** The options of Fastify, and of Node's server below it. */
export function fastifyOptions({ config, log, tls }: NodeOptions, refusals: EarlyRefusals): FastifyHttpOptions<Server> {
  const node = {
    headersTimeout: limits.HEADERS_TIMEOUT_MS,
    connectionsCheckingInterval: limits.CHECK_INTERVAL_MS,
    // A second Host, or a second token, is not passed over in silence.
    joinDuplicateHeaders: true,
    // Ours says more; see host-check.ts.
    requireHostHeader: false,
  };
  return {
    ...(tls === undefined
      ? { http: node }
      : { https: { ...node, ...tls, handshakeTimeout: limits.HEADERS_TIMEOUT_MS } }),
    // Fastify's own lines hold raw URLs; ours are written by request-log.ts.
    logger: false,
    logController: faultsOnly(log),
    genReqId: refusals.nextId,
    bodyLimit: limits.BODY_LIMIT_BYTES,
    schemaController: SCHEMAS,
    requestTimeout: limits.REQUEST_TIMEOUT_MS,
    exposeHeadRoutes: false,
    rewriteUrl: (raw) => tryAtUrl(raw, headAsGet(raw)),
    // A request that arrives on an open connection while the server stops is still answered.
    return503OnClosing: false,
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    // Node's limit on headers bounds parameters too, and answers sooner.
    routerOptions: { maxParamLength: 16 * 1024, querystringParser: parseQuery, compile: true },
    frameworkErrors: (_error, request, reply) => refusals.answerBadUrl(request, reply),
    clientErrorHandler(error: NodeJS.ErrnoException, socket: Socket) {
      const status = answerClientError(error, socket, refusals.always);
      if (status !== undefined) refusals.recordRefusal(status);
    },
  };
}

/** Codes of errors by which a client leaves in the middle of an answer. */
const LEFT: ReadonlySet<string> = new Set(["ERR_STREAM_PREMATURE_CLOSE", "ECONNRESET", "EPIPE"]);

/** Keeps Fastify's reports of faults of ours, and drops its lines about requests. */
function faultsOnly(log: Logger): LogController {
  const controller = new LogController({ disableRequestLogging: true, requestIdLogLabel: "requestId" });
  controller.streamError = (err, request) => {
    // The client has gone: the request's own line says so.
    if (!LEFT.has(errorCode(err))) log.warn({ err, requestId: request.id }, "response was interrupted");
  };
  controller.writeHeadError = (err, request) => log.error({ err, requestId: request.id }, "unusable header");
  controller.serializerError = (err, request) =>
    log.error({ err, requestId: request.id }, "response cannot be serialized");
  controller.serviceUnavailable = () => {};
  return controller;
}

/** Makes what gives each request of this process an ID of its own. */
export function requestIds(): () => string {
  const prefix = `${randomBytes(6).toString("hex")}-`;
  let count = 0;
  return () => {
    count += 1;
    return prefix + count.toString(36);
  };
}
