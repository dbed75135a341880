import type { IncomingMessage } from "node:http";
import { isLoopback } from "../config.ts";

/** What is wrong with where a request was sent: 400 when it names no one host, 421 when it names another. */
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
    // Of an absolute target its own host counts: it has to be the one that was checked.
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
