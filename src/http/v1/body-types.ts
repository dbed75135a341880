/** Which media types bodies of `/v1` may have, and how their bytes are taken. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { mediaTypeOf } from "../jsonapi-body.ts";
import { BODY_LIMIT_BYTES } from "../limits.ts";
import { refuseWrongType } from "../wrong-type.ts";

/** One parser for whatever arrives. It only collects the bytes: `readBody` decodes, also when there are none. */
export function takeBodies(family: FastifyInstance): void {
  family.removeAllContentTypeParsers();
  family.addContentTypeParser<Buffer>(
    "*",
    { parseAs: "buffer", bodyLimit: BODY_LIMIT_BYTES },
    (request, bytes, done) => {
      try {
        refuseWrongType(request, bytes);
        done(null, bytes);
      } catch (error) {
        done(error instanceof Error ? error : new Error("a body cannot be taken", { cause: error }));
      }
    },
  );
}

/**
 * What clients say of their JSON: Consul's own, `curl -d`, and libraries that are handed a text. All else that is a media type
 * at all says that the body is something else, of which nothing could be read.
 */
const TAKEN_TYPES =
  /^(?:application\/(?:[\w.-]+\+)?json|application\/x-www-form-urlencoded|application\/octet-stream|text\/plain)$/;

/** Takes a request's media type away: no spelling of one may keep its body from being decoded. */
export function noteMediaType(request: FastifyRequest): void {
  const { headers } = request.raw;
  if (headers["content-type"] === undefined) return;
  const type = mediaTypeOf(headers["content-type"]);
  if (type !== undefined && !TAKEN_TYPES.test(type)) request.isOfWrongType = true;
  headers["content-type"] = undefined;
}
