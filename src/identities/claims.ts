/**
 * Claims of a token, read strictly: two readers that choose different ones of two equal names would not see the same
 * identity, and a rounded number is another number.
 */
import { DecodeError, JsonNumber, JsonObject, type JsonNode } from "../go/json-reader.ts";
import { scanJson } from "../go/json-scan.ts";
import { IdentityError } from "./errors.ts";

/** Names come from outside: `__proto__` and `constructor` are names like others. Numbers are as they were written. */
export type Claims = ReadonlyMap<string, Claim>;
export type Claim = string | boolean | null | JsonNumber | readonly Claim[] | Claims;

// A mark at the beginning is kept, so that it is refused like any other character that is not JSON.
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Reads a JSON object, such as the payload of a token or the answer of a userinfo endpoint.
 *
 * @param bytes UTF-8
 * @throws IdentityError that says what is wrong with it, as in `it is not JSON`, and quotes nothing of it
 */
export function parseClaims(bytes: Uint8Array): Claims {
  const node = nodeOf(bytes);
  if (!(node instanceof JsonObject)) throw new IdentityError("it is not a JSON object");
  return claimsOf(node);
}

export function isList(claim: Claim): claim is readonly Claim[] {
  return Array.isArray(claim);
}

function nodeOf(bytes: Uint8Array): JsonNode {
  try {
    const text = utf8.decode(bytes);
    const node = scanJson(text);
    // The scanner does not look behind the first value.
    JSON.parse(text);
    return node;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) throw new IdentityError("it is not JSON");
    if (error instanceof DecodeError) throw new IdentityError("it is not JSON, is nested too deeply, or is too large");
    throw error;
  }
}

function claimsOf({ members }: JsonObject): Claims {
  const claims = new Map<string, Claim>();
  for (const [name, node] of members) claims.set(name, claimOf(node));
  if (claims.size < members.length) throw new IdentityError("an object contains a member name twice");
  return claims;
}

function claimOf(node: JsonNode): Claim {
  if (node instanceof JsonObject) return claimsOf(node);
  return Array.isArray(node) ? node.map(claimOf) : node;
}
