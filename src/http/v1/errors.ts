/** How `/v1` words failures: a status and the bare message as plain text. */
import { asSeenByClient, logCause } from "../sending/commits.ts";
import { isNobodys } from "../receiving/request-callers.ts";
import { answerTrial } from "../jsonapi/trials.ts";
import { noteRefused } from "../receiving/refused.ts";
import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError, TakenName, type ErrorCode } from "../../errors.ts";
import type { QueryParameters } from "../query.ts";
import { NO_INDEX } from "../../rights/sight.ts";
import { showIndex } from "./reads/read-options.ts";
import { sendText } from "./render.ts";
import { isInConsulsSpelling } from "./scope.ts";

const STATUS = {
  invalid: 400,
  bad_parameter: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  already_exists: 400,
  conflict: 409,
  precondition_failed: 412,
  gone: 410,
  not_recorded: 422,
  limit_reached: 403,
  too_large: 413,
  rate_limited: 429,
  unavailable: 503,
  outcome_unknown: 503,
} as const satisfies Record<ErrorCode, number>;

/** The status by which `/v1` answers an error. */
export function statusOf(code: ErrorCode): number {
  return STATUS[code];
}

/** Errors with `Retry-After`. After an unknown outcome, a client must first check what happened to its request. */
const RETRIABLE: ReadonlySet<ErrorCode> = new Set(["rate_limited", "unavailable"]);

/** Fastify's own refusals of a request, by their status; anything else is a fault of ours. */
const FRAMEWORK: ReadonlyMap<number, string> = new Map([
  [400, "The request is malformed"],
  [413, "The request body is larger than 1 MiB"],
]);

/** Below this size the rest of a refused body is read and dropped, so that the client gets to see the answer. */
const DRAINED_BODY_BYTES = 8 * 1024 * 1024;

/** The error handler of the family: the only place that knows statuses, and the log of what is our fault. */
export function handleError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (isNobodys(thrown, request, reply) || answerTrial(thrown, reply)) return;
  const error = asSeenByClient(thrown, request);
  if (Number(request.headers["content-length"] ?? 0) <= DRAINED_BODY_BYTES) reply.removeHeader("connection");
  if (error instanceof AppError) {
    if (error.refused !== undefined) noteRefused(request, error.refused);
    if (RETRIABLE.has(error.code)) reply.header("retry-after", String(error.retryAfterSeconds ?? 1));
    logCause(error, request);
    request.isExpected = isKnownAsFailure(error, request);
    answer(request, reply, request.isExpected ? 500 : STATUS[error.code], error.message);
    return;
  }
  const status = error instanceof Error && "statusCode" in error ? Number(error.statusCode) : 500;
  const known = FRAMEWORK.get(status);
  if (known !== undefined) {
    answer(request, reply, status, known);
    return;
  }
  request.log.error({ err: error, requestId: request.id }, "unexpected error");
  answer(request, reply, 500, "internal server error");
}

/** Whether clients know this refusal as a failure of the server, and as nothing else: so it is told, and counts as none. */
function isKnownAsFailure(error: AppError, { query, headers }: FastifyRequest): boolean {
  return error instanceof TakenName && isInConsulsSpelling(query as QueryParameters, headers);
}

/** Clients read the index of an answer that says "missing" or "forbidden" too; a refusal tells none. */
function answer(request: FastifyRequest, reply: FastifyReply, status: number, text: string): void {
  const isMissing = status === 404 && request.shown === undefined;
  if ((isMissing || status === 403) && request.route.config.read === true) showIndex(request, NO_INDEX);
  // The encoding belongs to the answer that failed.
  reply.removeHeader("content-encoding");
  sendText(reply, status, text);
}
