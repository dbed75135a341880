/** Origin of a change, as audit records show it for a request. */
import type { FastifyRequest } from "fastify";
import type { Actor } from "../../rights/actor.ts";
import { withoutUuids } from "../../rights/uuid.ts";
import type { WriteOrigin } from "../../storage/database.ts";
import { sentMethod } from "../sending/head.ts";
import { isTrial } from "../jsonapi/trials.ts";
import { AppError } from "../../errors.ts";

/** A client may call itself what it likes, but not at any length. */
const LONGEST_AGENT = 256;

/** A trace that the request is part of, in the format of the W3C: no version ff, and no ID of zeros. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/**
 * The trace that a request says it is part of, as its audit records and its line in the log have it; else the one that begins
 * with it, where requests are traced.
 */
export function traceparentOf({ raw, span }: Pick<FastifyRequest, "raw" | "span">): string | undefined {
  const { traceparent } = raw.headers;
  return typeof traceparent === "string" && TRACEPARENT.test(traceparent) ? traceparent : span?.traceparent;
}

/** User agent of a client, as records and sessions store it. Undefined when the client sends none. */
export function userAgentOf({ raw }: Pick<FastifyRequest, "raw">): string | undefined {
  const agent = raw.headers["user-agent"];
  return agent && withoutUuids(agent).slice(0, LONGEST_AGENT).toWellFormed();
}

/** Header in which a client passes the reason for its write, percent-encoded. */
const REASON_HEADER = "x-tessera-change-reason";
/** Maximum length of a reason: each record of the write contains it. */
const LONGEST_REASON = 500;

/**
 * Returns the reason that a client gives for its write; undefined when it gives none.
 *
 * @throws AppError `bad_parameter`
 */
export function changeReasonOf({ raw }: Pick<FastifyRequest, "raw">): string | undefined {
  const sent = raw.headers[REASON_HEADER];
  if (typeof sent !== "string") return undefined;
  const reason = decoded(sent).trim();
  if (reason.length > LONGEST_REASON) throw badReason(`at most ${LONGEST_REASON} characters`);
  if (/\p{Cc}/u.test(reason)) throw badReason("no control characters");
  return reason === "" ? undefined : reason;
}

function decoded(text: string): string {
  try {
    if (/^[\x20-\x7e]*$/.test(text)) return decodeURIComponent(text);
  } catch {
    // As below.
  }
  throw badReason("percent-encoded UTF-8");
}

function badReason(expected: string): AppError {
  return new AppError("bad_parameter", `Invalid X-Tessera-Change-Reason: expected ${expected}`);
}

export function originOf(request: FastifyRequest): WriteOrigin {
  // On public routes nobody is known yet.
  const actor = (request.ctx as FastifyRequest["ctx"] | undefined)?.actor;
  const traceparent = traceparentOf(request);
  const userAgent = userAgentOf(request);
  const changeReason = changeReasonOf(request);
  return {
    accessorId: actor?.accessorId ?? "",
    requestId: request.id,
    ...(isTrial(request) ? { isTrial: true } : {}),
    detail: {
      ...(actor !== undefined && loginOf(actor)),
      address: request.ip,
      ...(userAgent !== undefined && { userAgent }),
      route: `${sentMethod(request.raw)} ${request.route.pattern}`,
      ...(traceparent !== undefined && { traceparent }),
      ...(changeReason !== undefined && { changeReason }),
    },
  };
}

/** Auth method and identity of a token that a login created. */
export function loginOf({ login }: Pick<Actor, "login">): Readonly<Record<string, unknown>> {
  return login === undefined ? {} : { authMethod: login.authMethod, identity: login.identity };
}
