import type { IncomingHttpHeaders } from "node:http";
import { ANONYMOUS } from "../../acl/tokens/secrets.ts";
import { fromUtf8 } from "../jsonapi-auth.ts";
import type { Query } from "../query.ts";

/** The SecretID that a request presents; the anonymous token's where it presents none. */
export function tokenOf(query: Query, headers: IncomingHttpHeaders): string {
  return givenToken(query, headers) ?? ANONYMOUS.secretId;
}

/**
 * The SecretID that a request presents: the parameter `token`, else
 * `X-Service-Token`, else `X-Consul-Token`, else the word behind
 * `Authorization: Bearer`. An empty one counts as absent.
 */
export function givenToken(query: Query, headers: IncomingHttpHeaders): string | undefined {
  const parameter = query["token"];
  if (parameter !== undefined && parameter !== "") return parameter;
  const header = headers["x-service-token"] || headers["x-consul-token"];
  if (typeof header === "string" && header !== "") return fromUtf8(header);
  const { authorization } = headers;
  if (authorization === undefined) return undefined;
  const [scheme = "", secret = ""] = authorization.trim().split(/[ \t]+/, 2);
  return secret === "" || scheme.toLowerCase() !== "bearer" ? undefined : fromUtf8(secret);
}
