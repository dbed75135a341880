/**
 * Rewords errors of the OpenID library. Its errors contain tokens, claims and responses, so none of them may become the
 * cause of another.
 */
import { decodeProtectedHeader } from "jose";
import { ClientError, ResponseBodyError } from "openid-client";
import { OutboundError } from "../../outbound/outbound.ts";
import { ProviderError } from "../errors.ts";

/** Codes of RFC 6749. Another is a text of the provider's own, which is not repeated. */
const OAUTH_CODES = new Set([
  "invalid_request",
  "invalid_client",
  "invalid_grant",
  "unauthorized_client",
  "unsupported_grant_type",
  "invalid_scope",
  "access_denied",
]);

/** How far causes are followed. */
const MAX_CAUSES = 5;

/** The failure to get an answer that lies behind an error of the library; undefined when there was an answer. */
export function outageBehind(error: unknown): OutboundError | ProviderError | undefined {
  let cause = error;
  for (let depth = 0; depth < MAX_CAUSES && cause instanceof Error; depth++) {
    if (cause instanceof OutboundError || cause instanceof ProviderError) return cause;
    cause = cause.cause;
  }
  return undefined;
}

/** Returns the provider's reason to refuse the code or the client. Undefined when its response has none. */
export function refusalBehind(error: unknown): string | undefined {
  if (!(error instanceof ResponseBodyError)) return undefined;
  return OAUTH_CODES.has(error.error) ? error.error : `an error, with the status ${error.status}`;
}

/** Why an ID token proves nothing. */
export function tokenWords(error: unknown, idToken: string, algorithms: readonly string[]): string {
  const algorithm = algorithmOf(idToken);
  if (algorithm !== undefined && !algorithms.includes(algorithm)) {
    return "the algorithm of the signature is not one of JWTSupportedAlgs";
  }
  switch (error instanceof ClientError ? error.code : undefined) {
    case "OAUTH_JWT_TIMESTAMP_CHECK_FAILED":
      return claimBehind(error) === "nbf" ? "token not valid yet (nbf)" : "token is expired (exp)";
    case "OAUTH_JWT_CLAIM_COMPARISON_FAILED":
      return CLAIM_WORDS.get(claimBehind(error)) ?? "a claim does not have the expected value";
    case "OAUTH_KEY_SELECTION_FAILED":
      return "no key of the provider matches the token";
    case "OAUTH_UNSUPPORTED_OPERATION":
      return "the token is encrypted, or requires unsupported extensions";
    default:
      return "its signature, or its form, is not valid";
  }
}

const CLAIM_WORDS: ReadonlyMap<unknown, string> = new Map([
  ["iss", "invalid issuer claim (iss)"],
  ["aud", "invalid audience claim (aud)"],
  ["azp", "invalid authorized party claim (azp)"],
]);

/** The claim that a check of the library failed on. */
function claimBehind(error: unknown): unknown {
  const check = error instanceof Error ? error.cause : undefined;
  const details = check instanceof Error ? check.cause : undefined;
  return typeof details === "object" && details !== null && "claim" in details ? details.claim : undefined;
}

function algorithmOf(idToken: string): string | undefined {
  try {
    return decodeProtectedHeader(idToken).alg;
  } catch {
    // The library reports faults in the rest of the header.
    return undefined;
  }
}
