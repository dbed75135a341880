/** Which media types bodies of `/api/v2` may have, and how they are read. */
import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { FILE_TYPES } from "../file-types.ts";
import { mediaTypeOf, parseBody } from "./body.ts";
import { MEDIA_TYPE, sendError, WRONG_MEDIA_TYPE } from "./errors.ts";
import { BODY_LIMIT_BYTES } from "../receiving/limits.ts";

/** Error that the error handler treats as a rejection by the framework. */
class WrongMediaType extends Error {
  readonly statusCode = 415;
}

/** Requests in chunks of a wrong type: whether one has a body, which is what matters, is known when it has come. */
const ofWrongType = new WeakSet<FastifyRequest>();

/** One parser for whatever arrives: the media type has been checked, and nothing can get past this one. */
export function parseBodies(family: FastifyInstance): void {
  family.removeAllContentTypeParsers();
  family.addContentTypeParser<Buffer>(
    "*",
    { parseAs: "buffer", bodyLimit: BODY_LIMIT_BYTES },
    (request, bytes, done) => {
      try {
        if (bytes.length > 0 && ofWrongType.has(request)) throw new WrongMediaType("a body of a wrong media type");
        done(null, parseBody(bytes));
      } catch (error) {
        done(error instanceof Error ? error : new Error("parsing failed", { cause: error }));
      }
    },
  );
  // Only routes that say so get this far with them.
  family.addContentTypeParser(Object.values(FILE_TYPES), (_request, payload, done) => done(null, payload));
}

/** A request without a body needs none: released clients delete without one, and there is nothing to misunderstand. */
export function checkMediaType(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const type = request.raw.headers["content-type"];
  if (hasNoBody(request.raw)) {
    // The framework refuses one that is malformed before it looks for a body.
    if (type !== undefined) request.raw.headers["content-type"] = undefined;
    done();
    return;
  }
  const { takes } = request.route.config;
  if (takes !== undefined) {
    if (takes.types.includes(mediaTypeOf(type) ?? "")) done();
    else sendError(reply, { status: 415, detail: `content-type must be ${takes.types.join(" or ")}` });
    return;
  }
  if (type === MEDIA_TYPE || mediaTypeOf(type) === MEDIA_TYPE) {
    done();
    return;
  }
  if (request.raw.headers["transfer-encoding"] !== undefined) {
    request.raw.headers["content-type"] = undefined;
    ofWrongType.add(request);
    done();
    return;
  }
  sendError(reply, WRONG_MEDIA_TYPE);
}

/** GET has none that anybody reads. */
function hasNoBody({ method, headers }: Pick<IncomingMessage, "method" | "headers">): boolean {
  if (method === "GET") return true;
  return headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) === 0;
}
