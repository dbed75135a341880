import { isLoopback } from "../config.ts";

/**
 * Makes the test of the `Host` header that keeps web pages from reaching a
 * server on loopback under a name of theirs (DNS rebinding).
 *
 * @param allowed host names accepted besides the loopback ones, lower case and without port
 */
export function hostCheck(allowed: readonly string[]): (host: string | undefined) => boolean {
  const names = new Set(allowed);
  let lastAccepted: string | undefined;
  return (host) => {
    if (host === undefined) return false;
    // Nearly all requests repeat the header of the one before.
    if (host === lastAccepted) return true;
    const name = hostName(host);
    if (name === undefined || !(isLoopback(name) || names.has(name) || names.has(`[${name}]`))) return false;
    lastAccepted = host;
    return true;
  };
}

/** The name of a `Host` header in lower case, without port and brackets; undefined when it is malformed. */
export function hostName(host: string): string | undefined {
  const match = /^(?:\[([\da-f:.]+)\]|([a-z0-9._-]+))(?::\d{1,5})?$/i.exec(host);
  return (match?.[1] ?? match?.[2])?.toLowerCase();
}
