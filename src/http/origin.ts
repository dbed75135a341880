/** Who has something done, as audit records say it of a request. */
import type { FastifyRequest } from "fastify";
import type { Actor } from "../acl/actor.ts";
import type { Origin } from "../storage/database.ts";
import { sentMethod } from "./head.ts";

/** A client may call itself what it likes, but not at any length. */
const LONGEST_AGENT = 256;

/** A trace that the request is part of, in the format of the W3C. */
const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The trace that a request says it is part of, as its audit records and its line in the log have it. */
export function traceparentOf({ raw }: Pick<FastifyRequest, "raw">): string | undefined {
  const { traceparent } = raw.headers;
  return typeof traceparent === "string" && TRACEPARENT.test(traceparent) ? traceparent : undefined;
}

export function originOf(request: FastifyRequest): Origin {
  // On public routes nobody is known yet.
  const actor = (request.ctx as FastifyRequest["ctx"] | undefined)?.actor;
  const { headers } = request.raw;
  const traceparent = traceparentOf(request);
  const agent = headers["user-agent"];
  return {
    accessorId: actor?.accessorId ?? "",
    requestId: request.id,
    detail: {
      ...(actor !== undefined && loginOf(actor)),
      address: request.ip,
      ...(agent !== undefined && { userAgent: agent.slice(0, LONGEST_AGENT).toWellFormed() }),
      route: `${sentMethod(request.raw)} ${request.route.pattern}`,
      ...(traceparent !== undefined && { traceparent }),
    },
  };
}

/** Of a token that a login made: by which method, and whose. */
export function loginOf({ login }: Pick<Actor, "login">): Readonly<Record<string, unknown>> {
  return login === undefined ? {} : { authMethod: login.authMethod, identity: login.identity };
}
