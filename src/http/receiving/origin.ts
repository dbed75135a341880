/** Origin of a change, as audit records show it for a request. */
import type { FastifyRequest } from "fastify";
import type { Actor } from "../../rights/actor.ts";
import { withoutUuids } from "../../rights/uuid.ts";
import type { WriteOrigin } from "../../storage/database.ts";
import { sentMethod } from "../sending/head.ts";
import { isTrial } from "../jsonapi/trials.ts";

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

export function originOf(request: FastifyRequest): WriteOrigin {
  // On public routes nobody is known yet.
  const actor = (request.ctx as FastifyRequest["ctx"] | undefined)?.actor;
  const traceparent = traceparentOf(request);
  const userAgent = userAgentOf(request);
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
    },
  };
}

/** Auth method and identity of a token that a login created. */
export function loginOf({ login }: Pick<Actor, "login">): Readonly<Record<string, unknown>> {
  return login === undefined ? {} : { authMethod: login.authMethod, identity: login.identity };
}
