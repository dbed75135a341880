/**
 * URLs of PostgreSQL that name several servers, as libpq has them:
 * `postgres://user@a:5432,b:5432/name?target_session_attrs=read-write`, or with
 * the hosts and ports in the parameters `host` and `port`. The driver knows one.
 */

const ATTRIBUTES = "target_session_attrs";

/**
 * The URLs of the single servers, in their order. `target_session_attrs` is left
 * out: what a connection is for says which server will do.
 */
export function splitHosts(url: string): string[] {
  const { scheme, credentials, hosts, path, parameters } = takeApart(url);
  // A parameter that is given twice has no certain value.
  const countOf = (name: string) => parameters.filter((text) => text.startsWith(`${name}=`)).length;
  if (countOf("host") > 1 || countOf("port") > 1) return [url];
  const named = valuesOf(parameters, "host");
  const ports = valuesOf(parameters, "port");
  const others = parameters.filter((text) => !/^(?:host|port|target_session_attrs)=/.test(text));
  return Array.from({ length: Math.max(named.length, hosts.length) }, (_, number) => {
    const own = [...others];
    if (named.length > 0) own.push(`host=${encodeURIComponent(named[number] ?? "")}`);
    if (ports.length > 0) own.push(`port=${ports[number] ?? ports[0] ?? ""}`);
    const host = (named.length > 0 ? hosts[0] : hosts[number]) ?? "";
    return `${scheme}${credentials}${host}${path}${own.length > 0 ? `?${own.join("&")}` : ""}`;
  });
}

/** Returns the value of `target_session_attrs` in the URL; undefined without. */
export function targetSession(url: string): string | undefined {
  return valuesOf(takeApart(url).parameters, ATTRIBUTES)[0];
}

/** Which servers and which database it names, and nothing of how one gets in. */
export function withoutCredentials(url: string): string {
  const { scheme, hosts, path, parameters } = takeApart(url);
  const shown = parameters.filter((text) => /^(?:host|port)=/.test(text));
  return `${scheme}${hosts.join(",")}${path}${shown.length > 0 ? `?${shown.join("&")}` : ""}`;
}

function takeApart(url: string) {
  const [, scheme = "", credentials = "", hosts = "", rest = ""] =
    /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^/?#@]*)(.*)$/.exec(url) ?? [];
  const at = rest.indexOf("?");
  const path = at === -1 ? rest : rest.slice(0, at);
  // Not through URLSearchParams: it writes a blank as "+", which the driver takes literally.
  const parameters = at === -1 ? [] : rest.slice(at + 1).split("&");
  return { scheme, credentials, hosts: hosts.split(","), path, parameters: parameters.filter((text) => text !== "") };
}

/** The entries of a parameter's list; none without the parameter. */
function valuesOf(parameters: readonly string[], name: string): string[] {
  const found = parameters.find((text) => text.startsWith(`${name}=`));
  if (found === undefined) return [];
  const text = found.slice(name.length + 1);
  try {
    return decodeURIComponent(text).split(",");
  } catch {
    return [text];
  }
}

/** Meaning of `sslmode`, and texts for operators about failed connects. See docs/operations/postgresql.md. */

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
    return `unknown CA of the server certificate (${message}). Set sslrootcert in the URL to its file`;
  }
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") {
    return `the server certificate has other names (${message.replace(/\W+$/, "")}). Connect with one of them`;
  }
  if (message === "The server does not support SSL connections") {
    return "the server does not support TLS, which sslmode or a certificate in the URL requires";
  }
  // A TLS alert of the other side contains source positions of OpenSSL.
  const alert = /\balert ([a-z ]+[a-z])/.exec(message)?.[1];
  if (code.startsWith("ERR_SSL_") && alert !== undefined) {
    return `the server rejected the TLS connection (${alert}). Check sslcert and sslkey in the URL`;
  }
  return message;
}
