/** Traces, as the rest of the program sees them; what makes them is loaded only where `--otlp-endpoint` is given. */
import type { IncomingHttpHeaders } from "node:http";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import { laterPart } from "../later-part.ts";

/** How a request ended. */
export interface RequestEnd {
  status: number;
  requestId: string;
  accessorId: string | undefined;
  /** Whether it is a failure that clients know and that is none of the server. */
  isExpected: boolean;
}

/** The span of a request. */
export interface RequestSpan {
  /** By which its trace is found, in the format of the W3C. */
  readonly traceparent: string;
  /** Has it sent, some time later. What is never ended is never sent. */
  end(how: RequestEnd): void;
}

export interface RequestStart {
  /** As the client sent it. */
  method: string;
  /** The pattern of the route; undefined where there is none. */
  route: string | undefined;
  headers: IncomingHttpHeaders;
  isSecure: boolean;
}

/** How many spans have gone where. */
export interface SpanCounts {
  sent: number;
  /** The collector did not take them. */
  failed: number;
  /** There were too many on their way. */
  dropped: number;
}

export interface Tracing {
  /** Begins the span of a request: below the one that its headers name, and sent only where that is. */
  begin(request: RequestStart): RequestSpan;
  /** Does what makes the pieces of that request. */
  within<T>(span: RequestSpan, work: () => T): T;
  counts(): SpanCounts;
  /** Sends what is left, for two seconds at most. Never fails. */
  stop(): Promise<void>;
}

/** Starts tracing where the configuration asks for it. */
export async function startTracing(
  { otlpEndpoint, otlpSample }: Pick<Config, "otlpEndpoint" | "otlpSample">,
  log: Logger,
): Promise<Tracing | undefined> {
  if (otlpEndpoint === undefined) return undefined;
  const { traceByOtlp } = await laterPart(() => import("./otlp.ts"));
  return traceByOtlp({ endpoint: otlpEndpoint, sample: otlpSample, log });
}
