/** Requests by whoever has no token that counts. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError, isOfDisabledToken } from "../../errors.ts";
import { type UnknownToken, UNKNOWN_TOKEN } from "../../refused.ts";
import { sendError } from "../jsonapi/errors.ts";
import { noteRefused } from "./refused.ts";

/** Answers such a request of `/api/v2`: 401 always, unless there are too many. @param fail has it answered with an error */
export function refuseStranger(
  request: FastifyRequest,
  reply: FastifyReply,
  refused: UnknownToken,
  fail: (error: Error) => void,
): void {
  const tooMany = request.server.rates.countStranger(request);
  if (tooMany !== undefined) {
    fail(tooMany);
    return;
  }
  noteRefused(request, refused);
  sendError(reply, { status: 401 });
}

/**
 * Returns the error for a rejected request. Requests with an unknown or a disabled token are counted; after the limit, the
 * caller gets 429 and no other reason.
 */
export function orTooMany(request: FastifyRequest, error: Error | undefined): Error | undefined {
  const isNobodys = error instanceof AppError && (error.refused === UNKNOWN_TOKEN || isOfDisabledToken(error));
  return (isNobodys ? request.server.rates.countStranger(request) : undefined) ?? error;
}
