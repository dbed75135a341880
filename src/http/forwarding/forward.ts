/** Hands requests that this thread does not answer to the one that makes all writes. */
import type { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { sentMethod } from "../head.ts";
import { BODY_LIMIT_BYTES } from "../limits.ts";
import type { RouteRecord } from "../route-table.ts";
import type { ForwardedAnswer, ForwardedRequest } from "./messages.ts";

/** Reads, questions and streams of changes are answered by whoever is asked; all else where the writes are made. */
function isAnsweredHere({ method, config }: RouteRecord): boolean {
  return config.question === true || (method === "GET" && config.public !== true);
}

/**
 * From now on forwards what is not answered here, as soon as it is known who asks and that there is room for its body.
 *
 * @param ask gives the answer of the other thread, with whose end all others end
 */
export function forwardWrites(
  app: FastifyInstance,
  ask: (request: ForwardedRequest) => Promise<ForwardedAnswer>,
): void {
  async function forward(request: FastifyRequest, reply: FastifyReply, payload: Readable): Promise<void> {
    const answer = await ask(forwarded(request, await readBody(request, payload)));
    // Counted and logged by who has answered.
    request.isForwarded = true;
    const { raw } = reply;
    reply.hijack();
    raw.writeHead(answer.status, answer.head);
    raw.end(answer.body);
  }

  app.decorateRequest("isForwarded", false);
  app.addHook("preParsing", (request, reply, payload, done) => {
    if (isAnsweredHere(request.route)) done(null, payload);
    else forward(request, reply, payload as Readable).catch((error: unknown) => void reply.send(error));
  });
}

function forwarded({ raw, ip }: FastifyRequest, body: Buffer | undefined): ForwardedRequest {
  return {
    method: sentMethod(raw),
    url: raw.url ?? "/",
    headers: raw.headers as Record<string, string>,
    body,
    remoteAddress: raw.socket.remoteAddress ?? ip,
    isEncrypted: "encrypted" in raw.socket,
  };
}

/** What is longer than may be is forwarded as far as that can be seen, to be refused. */
async function readBody({ raw }: FastifyRequest, payload: Readable): Promise<Buffer | undefined> {
  if (raw.method === "GET" || Number(raw.headers["content-length"] ?? 0) > BODY_LIMIT_BYTES) return undefined;
  const parts: Buffer[] = [];
  let bytes = 0;
  // The connection stays, to be answered.
  for await (const part of payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    parts.push(part);
    bytes += part.length;
    if (bytes > BODY_LIMIT_BYTES) break;
  }
  return parts.length === 0 ? undefined : Buffer.concat(parts);
}
