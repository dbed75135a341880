import { asSeenByClient, logCause } from "../sending/commits.ts";
import { rateHeaders } from "../receiving/rate-limits.ts";
import { isNobodys } from "../receiving/request-callers.ts";
import { answerTrial } from "./trials.ts";
import { noteRefused } from "../receiving/refused.ts";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Type, type TSchema } from "typebox";
import { AppError, type ErrorCode } from "../../errors.ts";

export const MEDIA_TYPE = "application/vnd.api+json";

/** On every answer of the family, refusals included: clients probe features by them. */
export const FAMILY_HEADERS = {
  "tfp-api-version": "2.6",
  "tfp-appname": "Terraform Enterprise",
  // The first version of which the provider believes that it has keys and values.
  "x-tfe-version": "v202504-1",
} as const;

/** Titles of statuses. Clients match some of them. */
export const TITLES = {
  400: "bad request",
  401: "unauthorized",
  403: "forbidden",
  404: "not found",
  405: "method not allowed",
  408: "request timeout",
  409: "conflict",
  410: "gone",
  412: "precondition failed",
  413: "payload too large",
  414: "URI too long",
  415: "invalid content type",
  417: "expectation failed",
  421: "misdirected request",
  422: "unprocessable entity",
  429: "Too many requests",
  431: "request header fields too large",
  500: "internal server error",
  503: "service unavailable",
} as const;

type Status = keyof typeof TITLES;

const STATUSES: Readonly<Record<ErrorCode, Status>> = {
  invalid: 422,
  bad_parameter: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  already_exists: 422,
  conflict: 409,
  precondition_failed: 412,
  gone: 410,
  not_recorded: 422,
  limit_reached: 422,
  too_large: 413,
  rate_limited: 429,
  unavailable: 503,
  outcome_unknown: 503,
};

/** A malformed attribute has a title of its own: clients match it. */
const ATTRIBUTE = "invalid attribute";

/** One entry of an error document. `status` is a number here and a string on the wire. */
interface WireError {
  status: Status;
  /** Title, where it differs from the title of the status. */
  title?: string;
  detail?: string | undefined;
  pointer?: string | undefined;
  /** Details of further entries, which are the same otherwise. */
  others?: readonly string[];
}

/** The error document, as text. Clients cannot read a `status` that is a number. */
export function errorBody({ status, title = TITLES[status], detail, pointer, others = [] }: WireError): string {
  const error = { status: String(status), title, detail, source: pointer === undefined ? undefined : { pointer } };
  return JSON.stringify({ errors: [error, ...others.map((other) => ({ ...error, detail: other }))] });
}

/** How this family words an AppError. */
export function wireError({ code, message, pointer, others, refused }: AppError): WireError {
  if (refused?.kind === "disabled-token") return { status: 401, detail: message };
  const status = STATUSES[code];
  // Why a token was refused is nobody's business.
  if (code === "unauthenticated") return { status, title: TITLES[status] };
  const isAttribute = code === "already_exists" || (code === "invalid" && pointer?.includes("/attributes/") === true);
  return { status, title: isAttribute ? ATTRIBUTE : TITLES[status], detail: message, pointer, others };
}

export const WRONG_MEDIA_TYPE: WireError = { status: 415, detail: `content-type must be ${MEDIA_TYPE}` };
/** Fastify's own refusals of a request; anything else is a fault of ours. */
const FRAMEWORK: readonly WireError[] = [
  { status: 400, detail: "The request is malformed" },
  { status: 413, detail: "The request body is larger than 1 MiB" },
  WRONG_MEDIA_TYPE,
];

/** Below this size the rest of a refused body is read and dropped, so that the client gets to see the answer. */
const DRAINED_BODY_BYTES = 8 * 1024 * 1024;

/** The error handler of the family: answers every failure as an error document, and logs those that are ours. */
export function handleError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (isNobodys(thrown, request, reply) || answerTrial(thrown, reply)) return;
  const error = asSeenByClient(thrown, request);
  const isDrained = Number(request.headers["content-length"] ?? 0) <= DRAINED_BODY_BYTES;
  if (isDrained) reply.removeHeader("connection");
  if (error instanceof AppError) {
    if (error.refused !== undefined) noteRefused(request, error.refused);
    if (error.code === "too_large" && !isDrained) reply.header("connection", "close");
    const isForNow = error.code === "unavailable" || error.code === "rate_limited";
    if (isForNow) reply.header("retry-after", String(error.retryAfterSeconds ?? 1));
    if (error.code === "rate_limited") reply.headers(rateHeaders(error));
    logCause(error, request);
    sendError(reply, wireError(error));
    return;
  }
  const status = error instanceof Error && "statusCode" in error ? Number(error.statusCode) : 500;
  const known = FRAMEWORK.find((each) => each.status === status);
  if (known !== undefined) {
    sendError(reply, known);
    return;
  }
  request.log.error({ err: error, requestId: request.id }, "unexpected error");
  sendError(reply, { status: 500 });
}

/** Sends one error document; the family's hooks add its headers. */
export function sendError(reply: FastifyReply, error: WireError): void {
  // The ETag belongs to the answer that failed.
  reply.removeHeader("etag");
  void reply.code(error.status).send(errorBody(error));
}

/** Schema of one entry of an error document. */
const entrySchema = Type.Object(
  {
    status: Type.String(),
    title: Type.String(),
    detail: Type.Optional(Type.String()),
    source: Type.Optional(Type.Object({ pointer: Type.String() })),
  },
  { title: "ErrorEntry" },
);
export const errorSchema = Type.Object({ errors: Type.Array(entrySchema) }, { title: "ErrorDocument" });

/** Meaning of each status in this family, with the text of an example. */
const DOCUMENTED = {
  400: ["Invalid query parameter.", "The query string is malformed"],
  401: ["Token missing, unknown, expired or revoked."],
  403: ["Permission denied: the token may read the object, but not do this.", "Not allowed"],
  404: ["Object not found, or the token may not read or change it."],
  409: ["Conflict with the state of the object.", "Already locked"],
  410: ["Events after the requested ID have expired.", "These events have expired"],
  412: ["The object has changed since it was read (If-Match), or already exists (If-None-Match: *)."],
  413: ["The request body is larger than 1 MiB.", "The request body is larger than 1 MiB"],
  415: ["Content-Type is not the JSON:API media type.", WRONG_MEDIA_TYPE.detail],
  421: ["Unknown host in the Host header."],
  422: ["Invalid request body.", "Name has already been taken"],
  429: ["Too many requests.", "You have exceeded the API's rate limit."],
  500: ["Internal error. The server log has details under the request ID."],
  503: ["Storage is unavailable or overloaded; retry."],
} as const satisfies Partial<Record<Status, readonly [description: string, detail?: string | undefined]>>;

export type ErrorStatus = keyof typeof DOCUMENTED;

/**
 * Response schemas of error statuses, to be spread into a route's `response`. What the family answers by itself (400,
 * 401, 404, 415, 422, 429, 500, 503) is added to every operation and need not be named.
 */
export function errorResponses<S extends ErrorStatus>(...statuses: S[]): Record<S, TSchema> {
  const schemas = statuses.map((status) => {
    const [description, detail] = DOCUMENTED[status];
    const title = status === 422 ? ATTRIBUTE : TITLES[status];
    const example: unknown = JSON.parse(errorBody({ status, title, detail }));
    return [status, Type.Object(errorSchema.properties, { title: "ErrorDocument", description, examples: [example] })];
  });
  return Object.fromEntries(schemas) as Record<S, TSchema>;
}
