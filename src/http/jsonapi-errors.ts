import { asSeenByClient } from "./commits.ts";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Type, type TSchema } from "typebox";
import { AppError, type ErrorCode } from "../errors.ts";

export const MEDIA_TYPE = "application/vnd.api+json";

/** On every answer of the family, refusals included: clients probe features by them. */
export const FAMILY_HEADERS = { "tfp-api-version": "2.6", "tfp-appname": "Terraform Enterprise" } as const;

/** Code to status and title. A malformed attribute has a title of its own: clients match it. */
const TABLE = {
  invalid: { status: 422, title: "unprocessable entity" },
  bad_parameter: { status: 400, title: "bad request" },
  unauthenticated: { status: 401, title: "unauthorized" },
  forbidden: { status: 403, title: "forbidden" },
  not_found: { status: 404, title: "not found" },
  already_exists: { status: 422, title: "invalid attribute" },
  conflict: { status: 409, title: "conflict" },
  gone: { status: 410, title: "gone" },
  too_large: { status: 413, title: "payload too large" },
  rate_limited: { status: 429, title: "Too many requests" },
  unavailable: { status: 503, title: "service unavailable" },
  outcome_unknown: { status: 503, title: "service unavailable" },
} as const satisfies Record<ErrorCode, { status: number; title: string }>;

/** One entry of an error document. `status` is a number here and a string on the wire. */
interface WireError {
  status: number;
  title: string;
  detail?: string | undefined;
  pointer?: string | undefined;
}

/** The error document, as text. Clients cannot read a `status` that is a number. */
export function errorBody({ status, title, detail, pointer }: WireError): string {
  const error = { status: String(status), title, detail, source: pointer === undefined ? undefined : { pointer } };
  return JSON.stringify({ errors: [error] });
}

/** How this family words an AppError. */
export function wireError(error: AppError): WireError {
  const { status, title } = TABLE[error.code];
  // Why a token was refused is nobody's business.
  if (error.code === "unauthenticated") return { status, title };
  const isAttribute = error.code === "invalid" && error.pointer?.includes("/attributes/") === true;
  return { status, title: isAttribute ? "invalid attribute" : title, detail: error.message, pointer: error.pointer };
}

/** Fastify's own refusals of a request, by their status; anything else is a fault of ours. */
const FRAMEWORK: Record<number, Omit<WireError, "status">> = {
  400: { title: "bad request", detail: "The request is malformed" },
  413: { title: "payload too large", detail: "The request body is larger than 1 MiB" },
  415: { title: "invalid content type", detail: `content-type must be ${MEDIA_TYPE}` },
};

/** Below this size the rest of a refused body is read and dropped, so that the client gets to see the answer. */
const DRAINED_BODY_BYTES = 8 * 1024 * 1024;

/** The error handler of the family: answers every failure as an error document, and logs those that are ours. */
export function handleError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const error = asSeenByClient(thrown, request);
  if (Number(request.headers["content-length"] ?? 0) <= DRAINED_BODY_BYTES) reply.removeHeader("connection");
  if (error instanceof AppError) {
    const isForNow = error.code === "unavailable" || error.code === "rate_limited";
    if (isForNow) reply.header("retry-after", String(error.retryAfterSeconds ?? 1));
    if (error.cause !== undefined) request.log.warn({ err: error, requestId: request.id }, "request failed");
    sendError(reply, wireError(error));
    return;
  }
  const status = error instanceof Error && "statusCode" in error ? Number(error.statusCode) : 500;
  const known = FRAMEWORK[status];
  if (known !== undefined) {
    sendError(reply, { status, ...known });
    return;
  }
  request.log.error({ err: error, requestId: request.id }, "unexpected error");
  sendError(reply, { status: 500, title: "internal server error" });
}

/** Sends one error document; the family's hooks add its headers. */
export function sendError(reply: FastifyReply, error: WireError): void {
  // Of the answer that failed.
  reply.removeHeader("etag");
  void reply.code(error.status).send(errorBody(error));
}

const ERROR_DOCUMENT = {
  errors: Type.Array(
    Type.Object({
      status: Type.String(),
      title: Type.String(),
      detail: Type.Optional(Type.String()),
      source: Type.Optional(Type.Object({ pointer: Type.String() })),
    }),
  ),
};

/** What each status means in this family, and an example of it. */
const DOCUMENTED = {
  400: {
    description: "A query parameter is malformed.",
    title: "bad request",
    detail: "The query string is malformed",
  },
  401: { description: "The token is missing, unknown, expired or revoked.", title: "unauthorized" },
  403: {
    description: "The object may be seen, but not acted on in this way.",
    title: "forbidden",
    detail: "Not allowed",
  },
  404: { description: "There is no such object, or the token may not see or change it.", title: "not found" },
  409: {
    description: "The object is in a state that does not allow this.",
    title: "conflict",
    detail: "Already locked",
  },
  413: { description: "The request body is over 1 MiB.", ...FRAMEWORK[413], title: "payload too large" },
  415: { description: "The media type is not the JSON:API one.", ...FRAMEWORK[415], title: "invalid content type" },
  421: {
    description: "The Host header names a host that this server does not answer for.",
    title: "misdirected request",
  },
  422: {
    description: "The request body breaks a rule.",
    title: "invalid attribute",
    detail: "Name has already been taken",
  },
  429: {
    description: "Too many requests.",
    title: "Too many requests",
    detail: "You have exceeded the API's rate limit.",
  },
  500: { description: "A fault of the server; the log has more under the request id.", title: "internal server error" },
  503: { description: "Storage is away or overloaded; try again.", title: "service unavailable" },
} as const satisfies Record<number, { description: string; title: string; detail?: string | undefined }>;

export type ErrorStatus = keyof typeof DOCUMENTED;

/**
 * Response schemas of error statuses, to be spread into a route's `response`.
 * What the family answers by itself (400, 401, 404, 415, 422, 500, 503)
 * is added to every operation and need not be named.
 */
export function errorResponses<Status extends ErrorStatus>(...statuses: Status[]): Record<Status, TSchema> {
  const schemas = statuses.map((status) => {
    const { description, ...error } = DOCUMENTED[status];
    const example: unknown = JSON.parse(errorBody({ status, ...error }));
    return [status, Type.Object(ERROR_DOCUMENT, { description, examples: [example] })];
  });
  return Object.fromEntries(schemas) as Record<Status, TSchema>;
}
