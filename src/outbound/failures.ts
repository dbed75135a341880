/** Messages about failed requests. They never contain text of a server, a resolver or a parser. */
import { OutboundError } from "./outbound.ts";

/** Codes by which OpenSSL refuses a certificate. */
const CERTIFICATE_CODES: ReadonlySet<string> = new Set([
  "CA_KEY_TOO_SMALL",
  "CA_MD_TOO_WEAK",
  "CERT_CHAIN_TOO_LONG",
  "CERT_HAS_EXPIRED",
  "CERT_NOT_YET_VALID",
  "CERT_REJECTED",
  "CERT_REVOKED",
  "CERT_SIGNATURE_FAILURE",
  "CERT_UNTRUSTED",
  "CRL_HAS_EXPIRED",
  "CRL_NOT_YET_VALID",
  "CRL_SIGNATURE_FAILURE",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "EE_KEY_TOO_SMALL",
  "ERROR_IN_CERT_NOT_AFTER_FIELD",
  "ERROR_IN_CERT_NOT_BEFORE_FIELD",
  "HOSTNAME_MISMATCH",
  "INVALID_CA",
  "INVALID_PURPOSE",
  "PATH_LENGTH_EXCEEDED",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY",
  "UNABLE_TO_DECRYPT_CERT_SIGNATURE",
  "UNABLE_TO_GET_CRL",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNSPECIFIED",
]);

const TEXTS: ReadonlyMap<string, string> = new Map([
  ["ECONNREFUSED", "connection refused"],
  ["EHOSTUNREACH", "host unreachable"],
  ["ENETUNREACH", "host unreachable"],
  ["EADDRNOTAVAIL", "host unreachable"],
  ["ETIMEDOUT", "host unreachable"],
  ["ECONNRESET", "connection closed before the response was complete"],
  ["EPIPE", "connection closed before the response was complete"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "certificate has another name"],
  ["ERR_INVALID_CHAR", "invalid request header"],
  ["ERR_INVALID_HTTP_TOKEN", "invalid request header"],
  ["HPE_HEADER_OVERFLOW", "response headers are too large"],
]);

/**
 * The error that a request ends in.
 *
 * @param host whom the request was for
 * @param error what happened; its message is not repeated, and it is not kept, since it may hold what was read
 */
export function outboundError(host: string, error: unknown): OutboundError {
  if (error instanceof OutboundError) return error;
  return new OutboundError(`${host}: ${describe(codeOf(error))}`);
}

function describe(code: string): string {
  const text = TEXTS.get(code);
  if (text !== undefined) return text;
  if (CERTIFICATE_CODES.has(code)) return `certificate verification failed: ${wordsOf(code)}`;
  // The names that a resolver's errors have; all else is one of the connection, or of a bug.
  if (code === "ENOTFOUND" || code === "ENODATA" || code.startsWith("EAI_")) return "the name could not be resolved";
  if (code.startsWith("ERR_SSL_")) return `TLS handshake failed: ${wordsOf(code.slice(8))}`;
  if (code === "EPROTO") return "TLS handshake failed";
  if (code.startsWith("HPE_")) return "the response is not valid HTTP";
  return "the request failed";
}

function codeOf(error: unknown): string {
  const code: unknown = typeof error === "object" && error !== null && "code" in error ? error.code : "";
  return typeof code === "string" ? code : "";
}

/** Codes are constants of OpenSSL and of Node, not of the other side. */
function wordsOf(code: string): string {
  return code.toLowerCase().replaceAll("_", " ");
}
