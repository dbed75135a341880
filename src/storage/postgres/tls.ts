/** What `sslmode` means, and what a failed connect means for whoever reads it. See docs/operations/postgresql.md. */

/**
 * The URL with every `sslmode` that asks for TLS as `verify-full`. libpq means less by the weaker ones, `prefer` even a
 * connection in the clear; the driver has them all as `verify-full`, warns of each on standard error, and says that its
 * next version will not. `disable`, `no-verify` and, with `uselibpqcompat=true`, all others stay what the driver says.
 *
 * @param url of a single server
 */
export function strictTls(url: string): string {
  if (/[?&]uselibpqcompat=true(?:&|$)/.test(url)) return url;
  return url.replaceAll(/([?&]sslmode=)(?:allow|prefer|require|verify-ca)(?=&|$)/g, "$1verify-full");
}

/** Codes of a certificate that no known authority vouches for. */
const UNKNOWN_ISSUER = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

/** Why a connection could not be made, as one line, with what to do about it where that is known. */
export function reasonOf(error: unknown): string {
  const message = (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, " ").trim();
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (UNKNOWN_ISSUER.has(code)) {
    return `the server's certificate is by an authority that is not known here (${message}); name its file in the URL, as sslrootcert`;
  }
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") {
    return `the server's certificate is for other names (${message.replace(/\W+$/, "")}); connect by one of them`;
  }
  if (message === "The server does not support SSL connections") {
    return "the server does not speak TLS, which sslmode or a certificate in the URL asks for";
  }
  // What the other side says in the handshake comes with the places in OpenSSL where it was read.
  const alert = /\balert ([a-z ]+[a-z])/.exec(message)?.[1];
  if (code.startsWith("ERR_SSL_") && alert !== undefined) {
    return `the server refused the TLS connection (${alert}); check the sslcert and sslkey in the URL`;
  }
  return message;
}
