import type { IncomingHttpHeaders } from "node:http";

/**
 * The SecretID that a request presents: `X-Service-Token`, else
 * `X-Consul-Token`, else `Authorization: Bearer`. Undefined when there is none.
 */
export function secretOf(headers: IncomingHttpHeaders): string | undefined {
  const secret = headers["x-service-token"] ?? headers["x-consul-token"];
  if (typeof secret === "string" && secret !== "") return fromUtf8(secret);
  const { authorization } = headers;
  if (authorization === undefined || authorization.slice(0, 7).toLowerCase() !== "bearer ") return undefined;
  const bearer = authorization.slice(7).trim();
  return bearer === "" ? undefined : fromUtf8(bearer);
}

/** Node reads header bytes as Latin-1; a SecretID that an operator chose may hold any text, sent as UTF-8. */
export function fromUtf8(text: string): string {
  return /[\u0080-\u00ff]/.test(text) ? Buffer.from(text, "latin1").toString("utf8") : text;
}
