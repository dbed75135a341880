/**
 * Sends ended spans to the collector, as many as it accepts. Whatever its state, nothing here waits for it or grows.
 */
import { type ExportResult, ExportResultCode } from "@opentelemetry/core";
import { BatchSpanProcessor, type ReadableSpan, type SpanExporter, type SpanProcessor } from "@opentelemetry/sdk-trace";
import type { Logger } from "pino";
import type { SpanCounts } from "./tracing.ts";

/** Spans that may be on their way, of some 2 KB each. */
const MOST_SPANS = 4096;
/** Each batch is written in one turn, in 2 ms or so. */
const BATCH = 128;
const EVERY_MS = 1000;
/** How long the collector has for a batch. */
export const ANSWER_MS = 5000;
/** However often a collector comes and goes, the log tells it once in that time. */
const TOLD_MS = 60_000;

export interface SpanSender {
  processor: SpanProcessor;
  counts(): SpanCounts;
}

/**
 * Makes it.
 *
 * @param exporter sends a batch
 * @param now the monotonic clock, in milliseconds
 */
export function createSender(exporter: SpanExporter, log: Logger, now: () => number): SpanSender {
  const counts: SpanCounts = { sent: 0, failed: 0, dropped: 0 };
  const tell = createTeller(log, now);
  let onTheirWay = 0;
  const batches = new BatchSpanProcessor({
    exporter: {
      export(spans, done) {
        exporter.export(spans, (result) => {
          onTheirWay -= spans.length;
          counts[result.code === ExportResultCode.SUCCESS ? "sent" : "failed"] += spans.length;
          tell(result, counts);
          // Whether it was taken is told here; to whoever makes batches each has gone well, or it would report it once more.
          done({ code: ExportResultCode.SUCCESS });
        });
      },
      shutdown: async () => exporter.shutdown(),
    },
    maxQueueSize: MOST_SPANS,
    maxExportBatchSize: BATCH,
    scheduledDelayMillis: EVERY_MS,
    // Longer than the exporter takes at its longest, so that it is the one that gives up.
    exportTimeoutMillis: 4 * ANSWER_MS,
  });
  return {
    processor: {
      onStart: () => undefined,
      onEnd(span: ReadableSpan) {
        if (onTheirWay >= MOST_SPANS) counts.dropped += 1;
        else {
          onTheirWay += 1;
          batches.onEnd(span);
        }
      },
      forceFlush: async () => batches.forceFlush(),
      shutdown: async () => batches.shutdown(),
    },
    counts: () => ({ ...counts }),
  };
}

/** Makes what tells the log when the collector takes no spans any more, and when it does again. */
function createTeller(log: Logger, now: () => number): (result: ExportResult, counts: SpanCounts) => void {
  let isFailing = false;
  let toldAt = -Infinity;
  return ({ code, error }, { failed, dropped }) => {
    const fails = code !== ExportResultCode.SUCCESS;
    if (fails === isFailing || now() - toldAt < TOLD_MS) return;
    isFailing = fails;
    toldAt = now();
    if (fails) log.warn({ reason: reasonOf(error) }, "cannot export traces to --otlp-endpoint; traces are dropped");
    else log.info({ failed, dropped }, "trace export works again");
  };
}

/** Why, without anything that the collector has said. */
function reasonOf(error: (Error & { code?: unknown }) | undefined): string {
  const code = error?.code;
  if (typeof code === "number") return `the collector returned status ${code}`;
  return typeof code === "string" ? code : (error?.message ?? "unknown");
}
