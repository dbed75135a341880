/** Hands requests that this thread does not answer to the one that makes all writes. */
import { sentUrl } from "../jsonapi/trials.ts";
import type { Readable } from "node:stream";
import type { MessagePort } from "node:worker_threads";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { sentMethod } from "../sending/head.ts";
import { BODY_LIMIT_BYTES } from "../receiving/limits.ts";
import type { RouteRecord } from "../route-table.ts";
import { ownBytes, type Forward, type ForwardedRequest } from "./messages.ts";
import { sendParts } from "./parts.ts";

/**
 * Reads, questions and streams of changes are answered by whoever is asked; all else where the writes are made. What is
 * public tells of the server as a whole, and a few reads of what is only known there; that there is no such route, anybody knows.
 */
function isAnsweredHere({ method, config }: RouteRecord): boolean {
  return (
    config.question === true ||
    (method === "GET" && config.public !== true && config.ofWriter !== true) ||
    method === UNKNOWN
  );
}

/** Method of the record that stands for every request without a route. */
const UNKNOWN = "*";

/**
 * From now on forwards what is not answered here, as soon as it is known who asks and that there is room for its body.
 *
 * @param ask has the other thread answer, with whose end all others end
 */
export function forwardWrites(app: FastifyInstance, ask: Forward): void {
  async function forward(request: FastifyRequest, reply: FastifyReply, payload: Readable): Promise<void> {
    const { raw } = reply;
    const isStream = request.route.config.takes !== undefined;
    const body = isStream ? undefined : await readBody(request, payload);
    // The client has disconnected and needs no answer.
    if (raw.destroyed) return;
    // From now on counted and logged by who answers.
    request.isForwarded = true;
    reply.hijack();
    const parts = isStream ? sendParts(payload) : undefined;
    const leave = ask(forwarded(request, body, parts), ({ status, head, hidesConnection, body: answered }) => {
      if (hidesConnection) raw.removeHeader("connection");
      raw.writeHead(status, head);
      raw.end(answered);
    });
    raw.once("close", leave);
  }

  app.decorateRequest("isForwarded", false);
  app.addHook("preParsing", (request, reply, payload, done) => {
    if (isAnsweredHere(request.route)) done(null, payload);
    else forward(request, reply, payload as Readable).catch((error: unknown) => void reply.send(error));
  });
}

function forwarded(
  { raw }: FastifyRequest,
  body: Uint8Array | undefined,
  parts: MessagePort | undefined,
): ForwardedRequest {
  return {
    method: sentMethod(raw),
    url: sentUrl(raw),
    headers: raw.headers as Record<string, string>,
    httpVersionMinor: raw.httpVersionMinor,
    body,
    parts,
    remoteAddress: raw.socket.remoteAddress,
    isEncrypted: "encrypted" in raw.socket,
  };
}

/** Reads the body. A body over the limit is read only until that is visible, and the other thread then rejects it. */
async function readBody({ raw }: FastifyRequest, payload: Readable): Promise<Uint8Array | undefined> {
  if (raw.method === "GET" || Number(raw.headers["content-length"] ?? 0) > BODY_LIMIT_BYTES) return undefined;
  const parts: Buffer[] = [];
  let bytes = 0;
  // The connection stays, to be answered.
  for await (const part of payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    parts.push(part);
    bytes += part.length;
    if (bytes > BODY_LIMIT_BYTES) break;
  }
  return ownBytes(parts);
}
