import type { FastifyReply, FastifyRequest } from "fastify";
import { errorBody, FAMILY_HEADERS, MEDIA_TYPE, TITLES } from "../jsonapi/errors.ts";
import { decodedPath, pathOf } from "../route-table.ts";

export const PLAIN_TEXT = "text/plain; charset=utf-8";

/** Statuses that the shell answers by itself, before any family's code runs. */
export type RefusalStatus = 400 | 403 | 404 | 405 | 408 | 413 | 414 | 417 | 421 | 431 | 503;

/**
 * Answers in the manner of the family that the URL belongs to, without its
 * hooks: for what is refused before a route is chosen.
 *
 * @param detail one sentence for the caller
 */
export function refuse(request: FastifyRequest, reply: FastifyReply, status: RefusalStatus, detail?: string): void {
  const { type, body, headers } = refusal(request.raw.url ?? "/", status, detail);
  void reply.code(status).header("x-request-id", request.id).headers(headers).type(type).serializer(asIs).send(body);
}

/** Returns the answer of `refuse`, for places without a request of the framework. */
export function refusal(
  url: string,
  status: RefusalStatus,
  detail?: string,
): { type: string; body: string; headers: Readonly<Record<string, string>> } {
  if (isJsonApi(url)) {
    const body = errorBody({ status, detail });
    return { type: MEDIA_TYPE, body, headers: FAMILY_HEADERS };
  }
  const body = status === 404 ? unknownPath(pathOf(url)) : `${detail ?? TITLES[status]}\n`;
  return { type: PLAIN_TEXT, body, headers: {} };
}

/** Returns the text that clients of `/v1` expect for a path without a route. */
export function unknownPath(path: string): string {
  return path.includes("/v1/")
    ? "Invalid URL path: not a recognized HTTP API endpoint\n"
    : "Invalid URL path: if attempting to use the HTTP API, ensure the path starts with '/v1/'\n";
}

/** A path without a route is 404; one that has routes for other methods is 405 and names them in `Allow`. */
export function refuseUnknown(request: FastifyRequest, reply: FastifyReply, allowed: readonly string[]): void {
  if (allowed.length === 0) {
    refuse(request, reply, 404);
    return;
  }
  reply.header("allow", allowed.join(", "));
  refuse(request, reply, 405, `Method not allowed: this path supports ${allowed.join(", ")}`);
}

function isJsonApi(url: string): boolean {
  const path = decodedPath(url);
  return path === "/api/v2" || path.startsWith("/api/v2/");
}

function asIs(payload: unknown): string {
  return String(payload);
}
