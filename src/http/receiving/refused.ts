/** Notes denied requests, for the audit records and for the log. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { withoutUuids } from "../../rights/uuid.ts";
import { cutSegment } from "../../records/refusals/refusal.ts";
import type { Refusals } from "../../records/refusals/refusals.ts";
import type { Refused } from "../../refused.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { originOf } from "./origin.ts";

/** Has what the routes of an application refuse gathered here. What is left is written when it closes. */
export function addRefusals(app: FastifyInstance, refusals: Refusals, { gauge }: Pick<Metrics, "gauge">): void {
  app.decorate("refusals", refusals);
  app.decorateRequest("refused");
  app.addHook("onClose", () => refusals.stop());
  gauge(
    "tessera_refusals_gathered",
    "Number of denied requests collected for audit records",
    () => refusals.stats().noted,
  );
  gauge(
    "tessera_refusals_counted",
    "Number of denied requests over the limit, which are only counted",
    () => refusals.stats().counted,
  );
  gauge(
    "tessera_refusals_lost",
    "Number of denied requests recorded only as a number, because too many records waited",
    () => refusals.stats().lost,
  );
  gauge(
    "tessera_refusals_waiting",
    "Number of denied-request records that are not yet written",
    () => refusals.stats().waiting,
  );
}

/**
 * Notes what a request was refused: for its line in the log, and for the records.
 *
 * @param actor undefined while nobody is known, as on public routes
 */
export function noteRefused(
  request: FastifyRequest,
  refused: Refused,
  actor = (request.ctx as FastifyRequest["ctx"] | undefined)?.actor,
): void {
  request.refused = refused;
  request.server.refusals.note({
    refused,
    actor,
    address: request.ip,
    requestId: request.id,
    isRead: request.raw.method === "GET" || request.route.config.question === true,
    origin: () => originOfRefusal(request, refused),
  });
}

/** A request does not act by a disabled token, but its record is about that token. */
function originOfRefusal(request: FastifyRequest, refused: Refused): ReturnType<typeof originOf> {
  const origin = originOf(request);
  return refused.kind === "disabled-token" ? { ...origin, accessorId: refused.accessorId } : origin;
}

/**
 * A refusal as the line of its request shows it; the records have the rest, under the request's ID. Logins over the limit of
 * the records are only counted there: this line alone tells whom they claimed to be.
 */
export function shownRefusal(refused: Refused | undefined): object | undefined {
  if (refused === undefined) return undefined;
  const { kind } = refused;
  if (refused.kind === "login") return { kind, authMethod: refused.authMethod, subject: refused.subject };
  if (refused.kind !== "rights") return { kind };
  const { resource, segment, access } = refused;
  return { resource, segment: withoutUuids(cutSegment(segment)), access };
}
