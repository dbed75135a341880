/**
 * A bearer token is a signed request, taken apart and written as JSON. The header values of that request may hold a
 * second one. Everything is read strictly: what two readers could read differently is refused.
 */
import { isList, parseClaims, type Claim, type Claims } from "../claims.ts";
import { IdentityError, prefixed, unproven } from "../errors.ts";

/** A request as somebody signed it. */
export interface SignedParts {
  readonly method: string;
  readonly url: string;
  /** Values by the names in lower case. Both are printable ASCII. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** How messages name the parts. */
export type PartNames = Readonly<Record<keyof SignedParts, string>>;

export const BEARER_PARTS: PartNames = {
  method: "iam_http_request_method",
  url: "iam_request_url",
  headers: "iam_request_headers",
  body: "iam_request_body",
};

/**
 * Reads the request that a bearer token is.
 *
 * @throws IdentityError
 */
export function readBearerToken(bearerToken: string): SignedParts {
  const fields = parseObject(bearerToken, "the bearer token");
  const names = new Set<string>(Object.values(BEARER_PARTS));
  for (const name of fields.keys()) if (!names.has(name)) throw wrong("the bearer token has an unknown field");
  return {
    method: textOf(fields, BEARER_PARTS.method),
    url: decode(fields, BEARER_PARTS.url),
    headers: readHeaders(decode(fields, BEARER_PARTS.headers), BEARER_PARTS.headers),
    body: decode(fields, BEARER_PARTS.body),
  };
}

/** The key that a bearer token says it was signed by; empty when it says none that can be read. */
export function claimedKey(bearerToken: string): string {
  return unproven(() => {
    const signature = readBearerToken(bearerToken).headers.get("authorization") ?? "";
    return /\bCredential=([A-Za-z0-9]{1,128})\//.exec(signature)?.[1] ?? "";
  });
}

/**
 * Reads the second request, the one for the caller's own role or user.
 *
 * @param headers those of the first
 * @throws IdentityError when a header is missing or malformed
 */
export function readEntityRequest(headers: SignedParts["headers"]): SignedParts {
  return {
    method: headerOf(headers, ENTITY.method),
    url: headerOf(headers, ENTITY.url),
    headers: readHeaders(headerOf(headers, ENTITY.headers), ENTITY.headers),
    body: headerOf(headers, ENTITY.body),
  };
}

/**
 * The value of a header.
 *
 * @param name in the spelling in which it is missed
 * @throws IdentityError when it is absent
 */
export function headerOf(headers: SignedParts["headers"], name: string): string {
  const value = headers.get(name.toLowerCase());
  if (value === undefined) throw wrong(`missing header "${name}"`);
  return value;
}

function parseObject(json: string, what: string): Claims {
  return prefixed(`${what} cannot be read: `, () => parseClaims(Buffer.from(json)));
}

function textOf(fields: Claims, name: string): string {
  const value = fields.get(name);
  if (value === undefined) throw wrong(`the bearer token has no ${name}`);
  if (typeof value !== "string") throw wrong(`${name} is not a string`);
  return value;
}

/** Text in base64, in the one spelling that encoders give. */
function decode(fields: Claims, name: string): string {
  const value = textOf(fields, name);
  const bytes = Buffer.from(value, "base64");
  const text = bytes.toString();
  if (bytes.toString("base64") !== value || !Buffer.from(text).equals(bytes)) throw wrong(`${name} is not base64`);
  return text;
}

const NAME = /^[A-Za-z0-9_-]+$/;
const VALUE = /^[\x20-\x7e]*$/;

/** A map of names to texts, or to lists of one. */
function readHeaders(json: string, part: string): SignedParts["headers"] {
  const headers = new Map<string, string>();
  for (const [name, claim] of parseObject(json, part)) {
    const value = onlyText(claim);
    if (!NAME.test(name) || value === undefined || !VALUE.test(value)) throw wrong(`${part} has a malformed header`);
    if (headers.has(name.toLowerCase())) throw wrong(`${part} contains a header twice`);
    headers.set(name.toLowerCase(), value);
  }
  return headers;
}

function onlyText(claim: Claim): string | undefined {
  const value = isList(claim) && claim.length === 1 ? claim[0] : claim;
  return typeof value === "string" ? value : undefined;
}

function wrong(message: string): IdentityError {
  return new IdentityError(message);
}

/** Headers that say whom a signed request is meant for, and that carry a second signed request. */

export const SERVER_ID = "X-Consul-IAM-ServerID";

/** The parts of the request that reads the caller's own role or user. */
export const ENTITY = {
  method: "X-Consul-IAM-GetEntity-Method",
  url: "X-Consul-IAM-GetEntity-URL",
  headers: "X-Consul-IAM-GetEntity-Headers",
  body: "X-Consul-IAM-GetEntity-Body",
} as const;
