/** A method of type `oidc` at a provider of the tests, and a login by it, step by step. */
import { expect } from "vitest";
import type { AuthorizationRequest, OidcValidator } from "../../src/identities/oidc/oidc-validator.ts";
import { createOidcValidator } from "../../src/identities/oidc/validator.ts";
import type { ValidatorEnvironment, RawConfig, VerifiedIdentity } from "../../src/identities/validator.ts";
import type { Ask, OutboundRequest, OutboundResponse } from "../../src/outbound/outbound.ts";
import { openAsk } from "./open-ask.ts";
import type { OpenIdProvider } from "./openid-provider.ts";
import { userAgent, type UserAgentOptions } from "./user-agent.ts";

export const REDIRECT_URI = "http://localhost:8550/oidc/callback";

/** The client of the tests. */
export const CLIENT = { clientId: "tessera", clientSecret: "a secret of the client", redirectUris: [REDIRECT_URI] };

/** A configuration for the client of the tests. */
export function oidcConfig(provider: Pick<OpenIdProvider, "issuer" | "ca">, more: RawConfig = {}): RawConfig {
  return {
    OIDCDiscoveryURL: provider.issuer,
    OIDCDiscoveryCACert: provider.ca,
    OIDCClientID: CLIENT.clientId,
    OIDCClientSecret: CLIENT.clientSecret,
    AllowedRedirectURIs: CLIENT.redirectUris,
    ...more,
  };
}

/** Makes a validator that may go everywhere. */
export function oidcValidator(config: RawConfig, environment: Partial<ValidatorEnvironment> = {}): OidcValidator {
  return createOidcValidator(config, { ask: openAsk, now: Date.now, onTrouble: () => undefined, ...environment });
}

/** Parameters of one login. */
export type Login = AuthorizationRequest & { codeVerifier: string };

/** Makes random parameters of one login. */
export function newLogin(more: Partial<Login> = {}): Login {
  const random = (): string => Buffer.from(crypto.getRandomValues(new Uint8Array(20))).toString("hex");
  const login = { redirectUri: REDIRECT_URI, state: random(), nonce: random(), codeVerifier: random() + random() };
  return { ...login, ...more };
}

/** Goes to the provider and back. */
export async function codeFor(
  validator: OidcValidator,
  provider: OpenIdProvider,
  login: AuthorizationRequest,
  agent?: UserAgentOptions,
): Promise<string> {
  const { code, error } = await userAgent(provider, agent)(await validator.authUrl(login));
  if (code === undefined) throw new Error(`no code: ${error}`);
  return code;
}

/** A whole login. */
export async function logIn(
  validator: OidcValidator,
  provider: OpenIdProvider,
  agent?: UserAgentOptions,
): Promise<VerifiedIdentity> {
  const login = newLogin();
  return validator.exchange({ ...login, code: await codeFor(validator, provider, login, agent) });
}

/** Checks that something fails in these words, and as this kind of failure. */
export async function expectFailure(work: Promise<unknown>, kind: new (message: string) => Error, message: string) {
  const failure = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(kind);
  expect(failure).toHaveProperty("message", message);
}

/** Asks, and changes what is answered by one path, or says no more than that nobody answers. */
export function bentAsk(path: string, bend: (answer: OutboundResponse, request: OutboundRequest) => unknown): Ask {
  return async (request) => {
    const answer = await openAsk(request);
    if (new URL(request.url).pathname !== path) return answer;
    return { ...answer, ...((await bend(answer, request)) as Partial<OutboundResponse>) };
  };
}
