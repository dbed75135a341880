/** What the type `oidc` can do beside what all types can: here without the libraries that do it. */
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

/** Logs in with the help of a browser. What belongs to one login is kept by the caller. */
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
  /** Where the request had the challenge of one. */
  codeVerifier?: string | undefined;
}

/** Whether a method's logins go by way of a browser. */
export function isOidcValidator(validator: Validator): validator is OidcValidator {
  return "authUrl" in validator && "exchange" in validator;
}
