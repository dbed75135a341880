/** Where a provider may send somebody back to, with a code that logs them in. */

/** The redirect URI that a client names is missing, or none that the configuration allows. */
export class RedirectUriError extends Error {}

/** More of a client's text than this is not repeated to it. */
const MAX_QUOTED = 500;

/**
 * Matched as text: a parser that reads a URI in another way than the browser would open what it should close. So the
 * host must be followed by what ends it in each reading.
 */
const LOOPBACK = /^(?<origin>https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d{1,5})?(?<rest>(?:[/?][^]*)?)$/;

/**
 * Checks that a redirect URI is an allowed one, character by character. On a loopback host each port will do: a program
 * that waits there takes one that is free.
 *
 * @throws RedirectUriError
 */
export function checkRedirectUri(uri: string, allowed: readonly string[]): void {
  if (uri === "") throw new RedirectUriError("missing redirect_uri");
  if (allowed.includes(uri)) return;
  const portless = withoutPort(uri);
  if (portless !== undefined && allowed.some((entry) => withoutPort(entry) === portless)) return;
  const shown = uri.length > MAX_QUOTED ? `${uri.slice(0, MAX_QUOTED).toWellFormed()}…` : uri;
  throw new RedirectUriError(`unauthorized redirect_uri: ${shown}`);
}

/** Undefined when the host is not a loopback one. */
function withoutPort(uri: string): string | undefined {
  const groups = LOOPBACK.exec(uri)?.groups;
  return groups && `${groups["origin"]}${groups["rest"]}`;
}
