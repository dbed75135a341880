/** Requests whose media type is not one that their family takes: that matters where a body comes, which is known when it has come. */
import type { FastifyRequest } from "fastify";

/** What the error handlers of both families know as a refusal of the framework. */
class WrongMediaType extends Error {
  readonly statusCode = 415;
}

/**
 * Of a request whose body would be of a wrong type. One that is sent in chunks may turn out to have no bytes, and is none then.
 *
 * @throws WrongMediaType where bytes have come after all
 */
export function refuseWrongType({ isOfWrongType }: FastifyRequest, bytes: Buffer): void {
  if (isOfWrongType === true && bytes.length > 0) throw new WrongMediaType("a body of a wrong media type");
}
