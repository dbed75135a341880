/** Which media types bodies of `/api/v2` may have, and how they are read. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { FILE_TYPES } from "./file-types.ts";
import { mediaTypeOf, parseBody } from "./jsonapi-body.ts";
import { MEDIA_TYPE, sendError, WRONG_MEDIA_TYPE } from "./jsonapi-errors.ts";
import { BODY_LIMIT_BYTES } from "./limits.ts";

/** One parser for whatever arrives: the media type has been checked, and nothing can get past this one. */
export function parseBodies(family: FastifyInstance): void {
  family.removeAllContentTypeParsers();
  family.addContentTypeParser<Buffer>(
    "*",
    { parseAs: "buffer", bodyLimit: BODY_LIMIT_BYTES },
    (_request, bytes, done) => {
      try {
        done(null, parseBody(bytes));
      } catch (error) {
        done(error instanceof Error ? error : new Error("parsing failed", { cause: error }));
      }
    },
  );
  // Only routes that say so get this far with them.
  family.addContentTypeParser(Object.values(FILE_TYPES), (_request, payload, done) => done(null, payload));
}

/** Also required of a request without a body, as the hosted service does. */
export function checkMediaType(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const { method } = request.raw;
  const type = request.raw.headers["content-type"];
  const { takes } = request.route.config;
  if (takes !== undefined) {
    if (takes.types.includes(mediaTypeOf(type) ?? "")) done();
    else sendError(reply, { status: 415, detail: `content-type must be ${takes.types.join(" or ")}` });
    return;
  }
  if (method === "GET" || type === MEDIA_TYPE || mediaTypeOf(type) === MEDIA_TYPE) {
    done();
    return;
  }
  sendError(reply, WRONG_MEDIA_TYPE);
}
