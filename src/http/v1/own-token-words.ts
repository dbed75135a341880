/**
 * Words for a request whose own token nobody has. Consul's are the ones that clients take for an object that is gone:
 * with a mistyped token Terraform's provider empties its state, so who does not need those words may have others.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../errors.ts";
import { UNKNOWN_TOKEN } from "../../refused.ts";
import { handleError } from "./errors.ts";

/** No client takes it for anything. */
const WORDS = "the token of this request is unknown or has expired";

/** The error handler of the family for `--own-token-words`; all else is answered as without. */
export function handleInOwnWords(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  handleError(inOwnWords(thrown), request, reply);
}

function inOwnWords(thrown: unknown): unknown {
  if (!(thrown instanceof AppError) || thrown.refused !== UNKNOWN_TOKEN) return thrown;
  const message = thrown.message.replace(/ACL not found$/, WORDS);
  return message === thrown.message ? thrown : new AppError(thrown.code, message, { refused: thrown.refused });
}
