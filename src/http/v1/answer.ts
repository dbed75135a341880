import type { FastifyReply, FastifyRequest } from "fastify";
import { acceptsGzip, compress, compressStream, MIN_GZIP_BYTES } from "./compress.ts";
import { EVENT_STREAM, JSON_TYPE } from "./render.ts";

type Done = (error: Error | null, payload?: unknown) => void;

/**
 * The last hook of an answer: the headers that every one has, the media type
 * without the charset that the framework adds, and packing where the client
 * takes it. What comes in has passed the gate of durability.
 */
export function finishAnswers(defaultPolicy: "allow" | "deny") {
  return (request: FastifyRequest, reply: FastifyReply, payload: unknown, done: Done): void => {
    reply.header("x-service-default-acl-policy", defaultPolicy).header("x-consul-default-acl-policy", defaultPolicy);
    const type = reply.getHeader("content-type");
    if (typeof type === "string" && type.startsWith(JSON_TYPE)) reply.header("content-type", JSON_TYPE);
    // What is packed is held back until there is enough of it; events are to arrive one by one.
    if (type === EVENT_STREAM || !acceptsGzip(request.raw.headers["accept-encoding"])) {
      done(null, payload);
      return;
    }
    pack(reply, payload, done);
  };
}

function pack(reply: FastifyReply, payload: unknown, done: Done): void {
  if (isStream(payload)) {
    // The length is known of what is whole and sent in pieces, but not how long it is when it is packed.
    reply.removeHeader("content-length").header("content-encoding", "gzip");
    done(null, compressStream(payload));
    return;
  }
  const isWhole = typeof payload === "string" || Buffer.isBuffer(payload);
  if (!isWhole || Buffer.byteLength(payload) < MIN_GZIP_BYTES) {
    done(null, payload);
    return;
  }
  reply.header("content-encoding", "gzip");
  compress(payload, done);
}

function isStream(payload: unknown): payload is NodeJS.ReadableStream {
  return typeof payload === "object" && payload !== null && "pipe" in payload;
}
