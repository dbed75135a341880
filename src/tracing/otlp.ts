/** Traces by OpenTelemetry's SDK, sent by OTLP over HTTP as protobuf. Loaded only where `--otlp-endpoint` is given. */
import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { ParentBasedSampler, TraceIdRatioBasedSampler, TracerProvider } from "@opentelemetry/sdk-trace";
import type { Logger } from "pino";
import { readVersion } from "../config/version.ts";
import type { OutboundResponse } from "../outbound/outbound.ts";
import { type EndedPiece, PIECES } from "../pieces.ts";
import { ANSWER_MS, createSender } from "./sender.ts";
import type { RequestSpan, RequestStart, Tracing } from "./tracing.ts";

interface OtlpOptions {
  /** Spans are posted to `/v1/traces` below it. */
  endpoint: string;
  /** The part of the traces that begin here that is sent, from 0 to 1. */
  sample: number;
  log: Logger;
}

/** Time for sending the remaining spans at a stop. */
const STOP_MS = 2000;

/** Methods that the conventions know; any other is a client's own word. */
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Starts tracing. */
export function traceByOtlp({ endpoint, sample, log }: OtlpOptions): Tracing {
  const exporter = new OTLPTraceExporter({ url: tracesUrl(endpoint), timeoutMillis: ANSWER_MS });
  const { processor, counts } = createSender(exporter, log, () => performance.now());
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      "service.name": "tessera",
      "service.version": readVersion(),
      "service.instance.id": randomUUID(),
      "host.name": hostname(),
      "process.pid": process.pid,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sample) }),
    spanProcessors: [processor],
  });
  const tracer = provider.getTracer("tessera", readVersion());
  const current = new AsyncLocalStorage<Context | undefined>();
  const contexts = new WeakMap<RequestSpan, Context>();
  const propagator = new W3CTraceContextPropagator();

  function begin({ method, route, headers, isSecure }: RequestStart): RequestSpan {
    const parent = propagator.extract(ROOT_CONTEXT, headers, { get: (all, name) => all[name], keys: Object.keys });
    const known = METHODS.has(method) ? method : "_OTHER";
    const span = tracer.startSpan(
      route === undefined ? known : `${known} ${route}`,
      {
        kind: SpanKind.SERVER,
        attributes: {
          "http.request.method": known,
          "url.scheme": isSecure ? "https" : "http",
          ...(route !== undefined && { "http.route": route }),
        },
      },
      parent,
    );
    const made = requestSpan(span);
    contexts.set(made, trace.setSpan(parent, span));
    return made;
  }

  const stopPieces = followPieces(current, ({ name, attributes, mayBegin }) => {
    const parent = current.getStore();
    if (parent === undefined && !mayBegin) return undefined;
    return tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent ?? ROOT_CONTEXT);
  });

  return {
    begin,
    within: (span, work) => current.run(contexts.get(span) ?? ROOT_CONTEXT, work),
    counts,
    async stop() {
      stopPieces();
      const late = new AbortController();
      const all = provider.shutdown().catch((error: unknown) => log.debug({ err: error }, "traces were not flushed"));
      await Promise.race([all, sleep(STOP_MS, undefined, { signal: late.signal }).catch(() => undefined)]);
      late.abort();
    },
  };
}

function requestSpan(span: Span): RequestSpan {
  return {
    traceparent: traceparentOf(span),
    end({ status, requestId, accessorId, isExpected }) {
      span.setAttributes({ "http.response.status_code": status, "tessera.request_id": requestId });
      if (accessorId !== undefined) span.setAttribute("tessera.accessor_id", accessorId);
      // An error of the client is not a failure of the server.
      if (status >= 500 && !isExpected) fail(span, String(status));
      span.end();
    },
  };
}

/**
 * Makes spans of pieces, each below the one that it is a piece of.
 *
 * @param begin gives the span of one, where it is to have one
 * @returns what ends that
 */
function followPieces(current: Current, begin: (piece: EndedPiece) => Span | undefined): () => void {
  const spans = new WeakMap<EndedPiece, Span>();
  const subscribers = {
    asyncEnd(piece: EndedPiece): void {
      const span = spans.get(piece);
      if (span === undefined) return;
      if ("error" in piece) fail(span, piece.error instanceof Error ? piece.error.constructor.name : "unknown");
      else if (isAnswer(piece, piece.result)) span.setAttribute("http.response.status_code", piece.result.status);
      span.end();
    },
  };
  PIECES.start.bindStore(current, (piece) => {
    const outer = current.getStore();
    const span = begin(piece);
    if (span === undefined) return outer;
    spans.set(piece, span);
    return trace.setSpan(outer ?? ROOT_CONTEXT, span);
  });
  PIECES.subscribe(subscribers);
  return () => {
    PIECES.unsubscribe(subscribers);
    PIECES.start.unbindStore(current);
  };
}

/** Whether a piece was a request that was sent, and this its answer. */
function isAnswer({ attributes }: EndedPiece, result: unknown): result is OutboundResponse {
  return result !== undefined && "http.request.method" in attributes;
}

/** The context in which something is done: the span that it is below. */
type Current = AsyncLocalStorage<Context | undefined>;

/** Marks what failed. @param type a word of this program: what an error says may be of somebody's */
function fail(span: Span, type: string): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute("error.type", type);
}

function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
}

/** As the protocol says, below the address that is given; that of the traces itself is taken as it is. */
function tracesUrl(endpoint: string): string {
  const url = new URL(endpoint);
  const path = url.pathname.replace(/\/+$/, "");
  url.pathname = path.endsWith("/v1/traces") ? path : `${path}/v1/traces`;
  return url.href;
}
