/** Spans of requests. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Tracing } from "../../tracing/tracing.ts";
import { sentMethod } from "../sending/head.ts";
import type { Metrics } from "../metrics/metrics.ts";

/** Begins the span of a request whose route is known; `request-log.ts` ends it. */
export function beginSpan(tracing: Tracing, request: FastifyRequest, isSecure: boolean): void {
  const { raw, route } = request;
  request.span = tracing.begin({
    method: sentMethod(raw),
    route: route.method === "*" ? undefined : route.pattern,
    headers: raw.headers,
    isSecure,
  });
}

/** Goes on with a request so that what it asks of the database and of others is below its span. */
export function underSpan(tracing: Tracing | undefined, { span }: FastifyRequest, done: () => void): void {
  if (tracing === undefined || span === undefined) done();
  else tracing.within(span, done);
}

/** From now on does so with each request also when its body was read, whose end is an event of the connection. */
export function traceHandlers(app: FastifyInstance, tracing: Tracing, metrics: Metrics): void {
  app.addHook("preValidation", (request, _reply, done) => underSpan(tracing, request, done));
  metrics.sums("tessera_spans_total", "Number of spans by result", ["result"], () =>
    Object.entries(tracing.counts()).map(([result, count]) => [{ result }, count] as const),
  );
}
