/** Interface of the type `oidc` beyond that of all types, without the libraries that implement it. */
import type { ProvenIdentity, Validator } from "../validator.ts";

export interface AuthorizationRequest {
  redirectUri: string;
  /** Comes back with the code. */
  state: string;
  /** Comes back in the ID token. */
  nonce: string;
  /** Proves to the provider that who has the code also made the request; its challenge goes into the URL. */
  codeVerifier?: string | undefined;
}

/** Logs in with the help of a browser. The caller keeps the state of each login. */
export interface OidcValidator extends Validator {
  /** @throws RedirectUriError when the configuration does not allow it */
  checkRedirectUri(uri: string): void;
  /**
   * The URL of the provider to which the browser goes.
   *
   * @throws RedirectUriError, ProviderError
   */
  authUrl(request: AuthorizationRequest): Promise<string>;
  /**
   * Proves who comes back with a code. It can be done once with each.
   *
   * @throws IdentityError when it proves nothing, ProviderError when that cannot be known now, RedirectUriError when the
   *   URI is not allowed any more
   */
  exchange(exchange: CodeExchange): Promise<ProvenIdentity>;
}

/** A code, and what the request for it was made with. */
export interface CodeExchange {
  /** From outside. */
  code: string;
  /** As it was in the request, to the character. */
  redirectUri: string;
  nonce: string;
  /** Verifier, where the request had the challenge of one. */
  codeVerifier?: string | undefined;
}

/** Whether a method's logins go by way of a browser. */
export function isOidcValidator(validator: Validator): validator is OidcValidator {
  return "authUrl" in validator && "exchange" in validator;
}

/** Redirect URIs: addresses to which a provider may send a user back, with a code that logs the user in. */

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
