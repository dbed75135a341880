import type { ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { sentMethod } from "../sending/head.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { traceparentOf } from "./origin.ts";
import { shownRefusal } from "./refused.ts";

const REQUEST = Symbol("request");
const RECORDER = Symbol("recorder");

interface TrackedResponse extends ServerResponse {
  [REQUEST]?: FastifyRequest;
  [RECORDER]?: Recorder;
}

interface Recorder {
  log: Logger;
  metrics: Metrics;
  /** Log successful reads too. */
  accessLog: boolean;
}

/** Stands in the log and the metrics for a request whose client went, or was cut off, before it got an answer. */
const NOT_ANSWERED = 499;

/**
 * Makes the function that notes how a request ended: in the metrics, and in
 * the log for every write, refusal and failure.
 *
 * It listens for the response's `close` and not for Fastify's `onResponse`,
 * which stays silent when the client has gone: a write must not go unlogged.
 */
export function recordRequests(recorder: Recorder): (request: FastifyRequest, reply: FastifyReply) => void {
  return (request, reply) => {
    const response: TrackedResponse = reply.raw;
    response[REQUEST] = request;
    response[RECORDER] = recorder;
    response.on("close", onClose);
  };
}

/** Paths of readiness checks, and of the console, whose page may be open while the server builds it. */
const ASKED_EARLY = /^\/(?:readyz|ui)(?:\/|$)/;

/** Whether a failure is no fault: clients know a refusal by it, or it is a 503 while the server starts or stops, or is asked for just that. The reason is logged where it lies. */
function isToBeExpected(request: FastifyRequest, status: number): boolean {
  if (request.isExpected) return true;
  if (status !== 503) return false;
  return request.server.lifecycle.phase !== "serving" || ASKED_EARLY.test(request.route.pattern);
}

/** One function for all responses: a closure per request would cost more than it is worth. */
function onClose(this: TrackedResponse): void {
  const request = this[REQUEST];
  const recorder = this[RECORDER];
  if (request === undefined || recorder === undefined) return;
  const durationMs = performance.now() - request.startedAt;
  const status = this.headersSent ? this.statusCode : NOT_ANSWERED;
  const { isExpected } = request;
  recorder.metrics.observe(request.route, status, request.isHeld ? undefined : durationMs / 1000, isExpected);
  const { id: requestId, ctx } = request;
  const accessorId = (ctx as typeof ctx | undefined)?.actor.accessorId;
  request.span?.end({ status, requestId, accessorId, isExpected });
  // HEAD is a GET by now.
  const isRead = request.raw.method === "GET" || request.route.config.question === true;
  if (isRead && status < 400 && !recorder.accessLog) return;
  const line = {
    requestId,
    method: sentMethod(request.raw),
    route: request.route.pattern,
    status,
    expected: isExpected || undefined,
    durationMs: Math.round(durationMs * 1000) / 1000,
    accessorId,
    traceparent: traceparentOf(request),
    refused: shownRefusal(request.refused),
    aborted: this.writableFinished ? undefined : true,
  };
  if (status >= 500 && !isToBeExpected(request, status)) recorder.log.error(line, "request");
  else recorder.log.info(line, "request");
}
