/** A collector of traces: takes OTLP over HTTP as protobuf, decodes it by the protocol's own numbers, and answers as a test says. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { type Field, messagesOf, readFields } from "./protobuf.ts";

export interface CollectedSpan {
  traceId: string;
  spanId: string;
  /** Empty where there is none. */
  parentId: string;
  name: string;
  /** 2 is a server's, 3 a client's. */
  kind: number;
  /** Nanoseconds since the epoch. */
  start: bigint;
  end: bigint;
  /** 2 is an error. */
  status: number;
  attributes: Record<string, string | number>;
  /** Attributes of the sender. */
  resource: Record<string, string | number>;
}

export interface Collector {
  url: string;
  readonly spans: CollectedSpan[];
  /** Headers and path of what it was sent, also where it did not take it. */
  readonly posts: { path: string; headers: IncomingHttpHeaders; bytes: Buffer }[];
  /** Status, or what it does instead. */
  answer: number | ((response: ServerResponse) => void);
  /** Spans with this name. */
  named(name: string): CollectedSpan[];
}

/** Starts one on a free port of 127.0.0.1, or on this one; it is stopped with the test. */
export async function startCollector(port = 0): Promise<Collector> {
  const collector: Collector = {
    url: "",
    spans: [],
    posts: [],
    answer: 200,
    named: (name) => collector.spans.filter((span) => span.name === name),
  };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const bytes = Buffer.concat(parts);
      collector.posts.push({ path: request.url ?? "", headers: request.headers, bytes });
      if (typeof collector.answer === "function") return collector.answer(response);
      if (collector.answer === 200) collector.spans.push(...spansOf(bytes));
      response.writeHead(collector.answer, { "content-type": "application/x-protobuf" }).end();
    });
  });
  await new Promise<void>((resolve) => void server.listen(port, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  collector.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return collector;
}

/** Reads the spans of an `ExportTraceServiceRequest`. */
function spansOf(bytes: Buffer): CollectedSpan[] {
  return messagesOf(readFields(bytes), 1).flatMap((ofResource) => {
    const resource = attributesOf(messagesOf(ofResource, 1)[0] ?? new Map(), 1);
    const scopes = messagesOf(ofResource, 2);
    return scopes.flatMap((scope) => messagesOf(scope, 2).map((span) => spanOf(span, resource)));
  });
}

function spanOf(fields: Map<number, Field[]>, resource: CollectedSpan["resource"]): CollectedSpan {
  const bytes = (number: number): Buffer => (fields.get(number)?.[0] ?? Buffer.alloc(0)) as Buffer;
  const number = (of: Map<number, Field[]>, at: number): bigint => (of.get(at)?.[0] ?? 0n) as bigint;
  return {
    traceId: bytes(1).toString("hex"),
    spanId: bytes(2).toString("hex"),
    parentId: bytes(4).toString("hex"),
    name: bytes(5).toString(),
    kind: Number(number(fields, 6)),
    start: number(fields, 7),
    end: number(fields, 8),
    status: Number(number(messagesOf(fields, 15)[0] ?? new Map<number, Field[]>(), 3)),
    attributes: attributesOf(fields, 9),
    resource,
  };
}

function attributesOf(fields: Map<number, Field[]>, at: number): Record<string, string | number> {
  const pairs = messagesOf(fields, at).map((pair) => {
    const value = messagesOf(pair, 2)[0] ?? new Map<number, Field[]>();
    const text = value.get(1)?.[0];
    const whole = value.get(3)?.[0];
    return [String(pair.get(1)?.[0]), Buffer.isBuffer(text) ? text.toString() : Number(whole)] as const;
  });
  return Object.fromEntries(pairs);
}
