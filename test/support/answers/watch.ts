/**
 * Looks at each answer of each application that is made in this process, where it leaves: what is checked is what its client
 * gets, whether it was prepared, shared, streamed or packed. The process may be that of a test, or a server that one has started.
 */
import { channel } from "node:diagnostics_channel";
import type { OutgoingMessage, ServerResponse } from "node:http";
import { gunzipSync } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { SentAnswer } from "./check.ts";
import { noteSeen } from "./seen.ts";

/** Size above which only the first answer of each operation is checked. */
const LONG_BYTES = 1024 * 1024;
/** Size above which no answer is kept. */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Starts to watch.
 *
 * @param check returns the fault of an answer
 * @param tell gets each fault
 */
export function watchAnswers(check: (answer: SentAnswer) => string | undefined, tell: (fault: string) => void): void {
  const longSeen = new Set<string>();
  channel("fastify.initialization").subscribe((message) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook("onRequest", (request, reply, done) => {
      record(request, reply, longSeen, (answer) => {
        noteSeen(answer.operationId, answer.status);
        const fault = check(answer);
        if (fault !== undefined) tell(fault);
      });
      done();
    });
  });
}

type End = (answer: SentAnswer) => void;

/** Collects what is written to one answer, and hands it on before its end is sent. */
function record(request: FastifyRequest, reply: FastifyReply, longSeen: Set<string>, end: End): void {
  const { raw } = reply;
  const { method, url } = request;
  const { operationId } = (request.routeOptions.schema ?? {}) as { operationId?: string };
  const isHead = (raw as unknown as { _hasBody?: boolean })._hasBody === false;
  // A route of a test's own, or one that the document leaves out.
  if (operationId === undefined && !request.is404) return;
  const key = `${method} ${operationId}`;
  const most = longSeen.has(key) ? LONG_BYTES : MOST_BYTES;
  const head = new Map<string, string>();
  let chunks: Buffer[] | undefined = [];
  let bytes = 0;
  const take = (chunk: unknown, encoding: unknown): void => {
    if (chunk === undefined || chunk === null || typeof chunk === "function") return;
    const part = typeof chunk === "string" ? Buffer.from(chunk, encodingOf(encoding)) : (chunk as Buffer);
    bytes += part.length;
    if (bytes > LONG_BYTES) longSeen.add(key);
    if (bytes > most) chunks = undefined;
    chunks?.push(part);
  };
  const { writeHead, write, end: sendEnd } = raw;
  Object.assign(raw, {
    writeHead(...given: unknown[]) {
      noteHead(head, given.at(-1));
      return Reflect.apply(writeHead, raw, given) as ServerResponse;
    },
    write(...given: unknown[]) {
      take(given[0], given[1]);
      return Reflect.apply(write, raw, given) as boolean;
    },
    end(...given: unknown[]) {
      Object.assign(raw, { write });
      take(given[0], given[1]);
      const of = (name: string): string | undefined => head.get(name) ?? headerOf(raw, name);
      const body = chunks && !isHead ? unpacked(Buffer.concat(chunks), of("content-encoding")) : undefined;
      const isTrial = of("x-dry-run") === "true";
      end({ operationId, method, url, status: raw.statusCode, type: of("content-type"), body, isTrial });
      return Reflect.apply(sendEnd, raw, given) as OutgoingMessage;
    },
  });
}

function headerOf(raw: ServerResponse, name: string): string | undefined {
  const value = raw.getHeader(name);
  return value === undefined ? undefined : String(value);
}

/** Names and values in turn, or by name. */
function noteHead(head: Map<string, string>, given: unknown): void {
  if (typeof given !== "object" || given === null) return;
  const flat = Array.isArray(given) ? given.map(String) : Object.entries(given).flat().map(String);
  for (let at = 0; at < flat.length; at += 2) head.set((flat[at] ?? "").toLowerCase(), flat[at + 1] ?? "");
}

function encodingOf(encoding: unknown): BufferEncoding {
  return typeof encoding === "string" ? (encoding as BufferEncoding) : "utf8";
}

function unpacked(body: Buffer, encoding: string | undefined): Buffer | undefined {
  if (encoding === undefined) return body;
  return encoding === "gzip" ? gunzipSync(body) : undefined;
}
