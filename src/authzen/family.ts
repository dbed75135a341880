/** Conventions of `/access/v1` (Authorization API 1.0, section 10): statuses, bodies of errors, and the request ID of the client. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError, isOfDisabledToken } from "../errors.ts";
import { isNobodys } from "../http/receiving/request-callers.ts";
import { noteRefused } from "../http/receiving/refused.ts";
import type { Manner } from "../http/sending/answers.ts";
import { asSeenByClient } from "../http/sending/commits.ts";
import type { SiblingFamily } from "../http/v1/consul-api.ts";
import { statusOf } from "../http/v1/errors.ts";
import { JSON_TYPE } from "../http/v1/render.ts";

/** A request ID that comes back as it was sent: printable ASCII. */
const REQUEST_ID = /^[\x21-\x7e]{1,256}$/;

const MALFORMED = "The request is malformed";
const CHALLENGE = 'Bearer realm="tessera"';

export const DECISION_POINT: SiblingFamily = {
  prefix: "/access/v1",
  manner,
  handleError,
  sendError: (reply, status, text) => send(reply, status, text.trimEnd() || MALFORMED),
  checkHead({ headers }) {
    const [type = ""] = (headers["content-type"] ?? "").split(";");
    if (type.trim().toLowerCase() === JSON_TYPE) return;
    throw new AppError("bad_parameter", `Invalid Content-Type: expected ${JSON_TYPE}`);
  },
};

/** The server's own ID of a request is in a header of its own: its log and records have that. */
function manner(shell: Manner): Manner {
  return {
    fixed: shell.fixed,
    headOf({ id, headers }) {
      const asked = headers["x-request-id"];
      const head = shell.fixed.slice();
      const echoed = typeof asked === "string" && REQUEST_ID.test(asked) ? asked : id;
      head.push("x-request-id", echoed, "x-tessera-request-id", id);
      return head;
    },
    packs: () => false,
  };
}

/** Answers an error: `{"error": "…"}`, never with a `decision`, which some gateways read whatever the status. */
function handleError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (isNobodys(thrown, request, reply)) return;
  const error = asSeenByClient(thrown, request);
  if (error instanceof AppError) {
    if (error.refused !== undefined) noteRefused(request, error.refused);
    const isUnknown = error.refused?.kind === "unknown-token" || error.code === "unauthenticated";
    const status = isUnknown || isOfDisabledToken(error) ? 401 : statusOf(error.code);
    if (status === 401) reply.header("www-authenticate", CHALLENGE);
    if (status === 429 || status === 503) reply.header("retry-after", String(error.retryAfterSeconds ?? 1));
    send(reply, status, isUnknown ? "The token is missing, unknown or expired" : error.message);
    return;
  }
  const status = error instanceof Error && "statusCode" in error ? Number(error.statusCode) : 500;
  if (status === 413) {
    send(reply, 413, "The request body is larger than 1 MiB");
    return;
  }
  if (status >= 400 && status < 500) {
    send(reply, 400, MALFORMED);
    return;
  }
  request.log.error({ err: error, requestId: request.id }, "unexpected error");
  send(reply, 500, "internal server error");
}

function send(reply: FastifyReply, status: number, text: string): void {
  reply.removeHeader("content-encoding");
  void reply
    .code(status)
    .type(JSON_TYPE)
    .serializer(String)
    .send(JSON.stringify({ error: text }));
}
