/**
 * Checks that come before all others: the host to which a request was sent, and the origin of the page that sent it.
 */
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { isLoopback } from "../../config.ts";

/** Status for a wrong host: 400 when the request does not name exactly one host, 421 when it names another one. */
export type HostFault = 400 | 421;

/**
 * Makes the test of where a request was sent: one `Host`, the same in an absolute target, and a name that this server
 * answers for.
 *
 * @param accepts whether it answers for the host of a `Host` header; see `hostCheck`
 */
export function targetCheck(
  accepts: (host: string | undefined) => boolean,
): (r: IncomingMessage) => HostFault | undefined {
  let lastAccepted: string | undefined;
  return ({ url = "/", headers: { host }, httpVersionMinor }) => {
    // The host in an absolute target takes precedence: it must be the host that is checked.
    if (url.charCodeAt(0) !== SLASH && !isOwnTarget(url, host)) return 400;
    // Nearly all requests repeat the header of the one before.
    if (host !== undefined && host === lastAccepted) return undefined;
    // Several headers arrive as one, with commas between them.
    if (host === undefined ? httpVersionMinor > 0 : host.includes(",")) return 400;
    if (!accepts(host)) return 421;
    lastAccepted = host;
    return undefined;
  };
}

const SLASH = 47;

function isOwnTarget(url: string, host = ""): boolean {
  if (url === "*") return true;
  const authority = /^https?:\/\/([^/?#]*)/i.exec(url)?.[1];
  return authority !== undefined && authority !== "" && authority.toLowerCase() === host.toLowerCase();
}

/**
 * Makes the test of the `Host` header that keeps web pages from reaching a
 * server on loopback under a name of theirs (DNS rebinding).
 *
 * @param allowed host names accepted besides the loopback ones, lower case and without port
 */
export function hostCheck(allowed: readonly string[]): (host: string | undefined) => boolean {
  const names = new Set(allowed);
  return (host) => {
    if (host === undefined) return false;
    const name = hostName(host);
    return name !== undefined && (isLoopback(name) || names.has(name) || names.has(`[${name}]`));
  };
}

/** The name of a `Host` header in lower case, without port and brackets; undefined when it is malformed. */
export function hostName(host: string): string | undefined {
  const match = /^(?:\[([\da-f:.]+)\]|([a-z0-9._-]+))(?::\d{1,5})?$/i.exec(host);
  return (match?.[1] ?? match?.[2])?.toLowerCase();
}

export interface OwnOrigins {
  /** Under which clients reach the server. */
  publicUrl: string | undefined;
  /** Host names, in lower case and without port. */
  allowedHosts: readonly string[];
  /** Whether the server itself speaks TLS: a page that came without it may be anybody's. */
  isSecure: boolean;
}

/** Values of `Sec-Fetch-Site` for a page of the same origin, and for an address that a user types. */
const OWN_SITES: ReadonlySet<string> = new Set(["same-origin", "none"]);

/** Methods that change nothing; all that log in have another. */
const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** Makes the test of whether an origin is one under which browsers reach this server by a `Host` header. */
export function ownOriginTest({
  publicUrl,
  allowedHosts,
  isSecure,
}: OwnOrigins): (origin: string, host: string | undefined) => boolean {
  const own = publicUrl === undefined ? undefined : new URL(publicUrl);
  const names = new Set(allowedHosts);

  return (origin, host) => {
    const url = URL.parse(origin);
    // `null` is the origin of what has none, such as a page in a sandbox; two headers are none at all.
    if (url === null || url.origin !== origin.toLowerCase()) return false;
    if (url.origin === own?.origin) return true;
    const needsTls = isSecure || (own?.protocol === "https:" && own.hostname === url.hostname);
    if (needsTls && url.protocol !== "https:") return false;
    const port = portOf(url);
    const [hostPart = "", hostPort = DEFAULT_PORTS.get(url.protocol)] = splitHost(host ?? "");
    if (url.hostname === hostPart) return port === hostPort;
    return names.has(url.hostname) && (url.port === "" || port === hostPort);
  };
}

/**
 * Makes the test of requests that pages of other sites send (CSRF): a browser says where they come from, and everybody
 * else says nothing. Costs two look-ups where nothing is said.
 *
 * @returns whether a request is one that changes something and comes from a page of another origin
 */
export function originCheck(
  origins: OwnOrigins,
): (method: string | undefined, headers: IncomingHttpHeaders) => boolean {
  const isOwn = ownOriginTest(origins);
  return (method, headers) => {
    const { origin } = headers;
    const site = headers["sec-fetch-site"];
    if (origin === undefined && site === undefined) return false;
    if (SAFE_METHODS.has(method ?? "")) return false;
    if (site !== undefined && (typeof site !== "string" || !OWN_SITES.has(site))) return true;
    return origin !== undefined && !isOwn(origin, headers.host);
  };
}

const DEFAULT_PORTS: ReadonlyMap<string, string> = new Map([
  ["http:", "80"],
  ["https:", "443"],
]);

function portOf({ port, protocol }: URL): string | undefined {
  return port === "" ? DEFAULT_PORTS.get(protocol) : port;
}

/** Name, as URLs spell it, and port of a `Host` header. */
function splitHost(host: string): [name: string | undefined, port: string | undefined] {
  const match = /^(\[[\da-f:.]+\]|[^:]+)(?::(\d{1,5}))?$/i.exec(host);
  return [match?.[1]?.toLowerCase(), match?.[2]];
}
