/** JSON as Go writes it, and plain text: everything that `/v1` answers goes through here. */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { QueryParameters } from "../query.ts";

export const JSON_TYPE = "application/json";
export const TEXT_TYPE = "text/plain; charset=utf-8";

const UNSAFE = /[<>&\u2028\u2029]/;
const ALL_UNSAFE = /[<>&\u2028\u2029]/g;

/** Compact JSON; what could mean something in HTML or JavaScript is escaped, as Go does it. */
export function renderJson(value: unknown): string {
  return escapeJson(JSON.stringify(value));
}

/** JSON indented by four spaces, and a line break at its end. */
export function renderPretty(value: unknown): string {
  return `${escapeJson(JSON.stringify(value, null, 4))}\n`;
}

/** JSON with what could mean something in HTML or JavaScript escaped. */
export function escapeJson(json: string): string {
  if (!UNSAFE.test(json)) return json;
  return json.replaceAll(ALL_UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Whether the request wants to be answered indented. */
export function isPretty(request: FastifyRequest): boolean {
  return "pretty" in (request.query as QueryParameters);
}

/** Sends a value that the framework would take for a finished text: a JSON string. Others are just returned by the route. */
export function sendJsonText(reply: FastifyReply, value: string): FastifyReply {
  const text = isPretty(reply.request) ? renderPretty(value) : renderJson(value);
  return reply.type(JSON_TYPE).serializer(asIs).send(text);
}

/** Sends plain text: the bare message of a refusal. */
export function sendText(reply: FastifyReply, status: number, text: string): void {
  void reply.code(status).type(TEXT_TYPE).serializer(asIs).send(text);
}

function asIs(payload: unknown): string {
  return String(payload);
}
