/** Spans that the collector does not accept. */
import { ExportResultCode, type ExportResult } from "@opentelemetry/core";
import { type ReadableSpan, TracerProvider } from "@opentelemetry/sdk-trace";
import { pino } from "pino";
import { expect, test } from "vitest";
import { createSender } from "./sender.ts";

/** A sender whose batches a test ends, and the lines of its log. */
function open(now = () => 0) {
  const batches: { spans: readonly ReadableSpan[]; done: (result: ExportResult) => void }[] = [];
  const lines: { msg: string; reason?: string }[] = [];
  const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line) as { msg: string }) });
  const exporter = {
    export: (spans: ReadableSpan[], done: (result: ExportResult) => void) => void batches.push({ spans, done }),
    shutdown: () => Promise.resolve(),
  };
  const { processor, counts } = createSender(exporter, log, now);
  const tracer = new TracerProvider({ spanProcessors: [processor] }).getTracer("test");
  const end = (spans: number): void => {
    for (let i = 0; i < spans; i++) tracer.startSpan("one").end();
  };
  const all = async (result: ExportResult): Promise<void> => {
    while (batches.length > 0) {
      for (const { done } of batches.splice(0)) done(result);
      // The next batch is made in a later turn.
      await new Promise(setImmediate);
      if (batches.length === 0) await processor.forceFlush();
    }
  };
  return { batches, lines, processor, counts, end, all };
}

const TAKEN = { code: ExportResultCode.SUCCESS };
const refused = (error: Error): ExportResult => ({ code: ExportResultCode.FAILED, error });

test("a collector that never answers holds 4,096 spans, and the rest are counted and gone", () => {
  const { batches, counts, end } = open();
  end(10_000);
  expect(counts()).toEqual({ sent: 0, failed: 0, dropped: 10_000 - 4096 });
  expect(batches.map(({ spans }) => spans.length)).toEqual([128]);
});

test("what was refused makes room again", async () => {
  const { batches, counts, end, processor } = open();
  end(5000);
  const [first] = batches.splice(0);
  first?.done(refused(new Error("no")));
  expect(counts()).toEqual({ sent: 0, failed: 128, dropped: 904 });
  end(200);
  expect(counts()).toMatchObject({ dropped: 904 + 200 - 128 });
  void processor.forceFlush();
  for (const { done } of batches.splice(0)) done(TAKEN);
  expect(counts()).toMatchObject({ sent: 4096, failed: 128 });
});

test("the log tells once that spans are lost and once that they are sent again, and at most one of it in a minute", async () => {
  let now = 0;
  const { lines, end, all, processor } = open(() => now);
  const round = async (result: ExportResult): Promise<void> => {
    end(1);
    void processor.forceFlush();
    await all(result);
  };
  const failure = Object.assign(new Error("what the collector says: canary"), { code: 500 });
  for (let i = 0; i < 20; i++) await round(refused(failure));
  expect(lines.map(({ reason }) => reason)).toEqual(["the collector returned status 500"]);
  for (let i = 0; i < 20; i++) await round(i % 2 === 0 ? TAKEN : refused(failure));
  expect(lines).toHaveLength(1);
  now = 60_000;
  await round(TAKEN);
  await round(TAKEN);
  expect(lines.map(({ msg }) => msg)).toEqual([
    "cannot export traces to --otlp-endpoint; traces are dropped",
    "trace export works again",
  ]);
  expect(JSON.stringify(lines)).not.toContain("canary");
});
