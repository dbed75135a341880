/** Auth methods of the type `oidc`: a provider to which a browser is sent says who sits there. */
import { buildAuthorizationUrl, calculatePKCECodeChallenge } from "openid-client";
import { MethodConfigError, IdentityError, ProviderError } from "../errors.ts";
import { subjectOf } from "../jwt/subject.ts";
import type { ValidatorEnvironment, RawConfig } from "../validator.ts";
import { authenticationsOf, createClient } from "./client.ts";
import { readOidcConfig, type OidcConfig } from "./config.ts";
import { createDiscovery, type Discovery, type ProviderMetadata } from "./discovery.ts";
import { exchangeCode } from "./exchange.ts";
import { recordedFetch } from "./fetch.ts";
import { type AuthorizationRequest, type OidcValidator, checkRedirectUri } from "./oidc-validator.ts";

/**
 * Makes the validator of a method of this type.
 *
 * @throws ConfigError
 */
export function createOidcValidator(raw: RawConfig, environment: ValidatorEnvironment): OidcValidator {
  const config = readOidcConfig(raw, environment.reading);
  const { mapping, allowedRedirectUris } = config;
  const discovery = createDiscovery(config, environment);
  return {
    form: mapping.form,
    probe: () => probe(discovery),
    async verify() {
      throw new IdentityError('auth method of type "oidc" logs in through the OIDC endpoints, not with a bearer token');
    },
    checkRedirectUri: (uri) => checkRedirectUri(uri, allowedRedirectUris),
    async authUrl(request) {
      checkRedirectUri(request.redirectUri, allowedRedirectUris);
      return buildUrl(config, environment, await metadataFor(discovery), request);
    },
    async exchange(exchange) {
      checkRedirectUri(exchange.redirectUri, allowedRedirectUris);
      const metadata = await metadataFor(discovery);
      const claims = await exchangeCode({ ...environment, config, metadata }, exchange);
      const identity = mapping.project(claims);
      return { ...identity, subject: subjectOf(claims, identity.fields) };
    },
    // A code says nothing.
    claimedSubject: () => "",
    close: () => undefined,
  };
}

async function probe(discovery: Discovery): Promise<void> {
  try {
    await discovery.refresh();
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    throw new MethodConfigError(`error checking OIDCDiscoveryURL: ${error.message}`, { cause: error });
  }
}

/** Reads the metadata. Hides the names of servers from the client that logs in. The log contains them. */
async function metadataFor(discovery: Discovery): Promise<ProviderMetadata> {
  return discovery.current().catch((error: unknown) => {
    if (!(error instanceof ProviderError)) throw error;
    throw new ProviderError("Provider login failed: the response of the identity provider is unusable", {
      cause: error,
    });
  });
}

async function buildUrl(
  config: OidcConfig,
  { ask, now }: ValidatorEnvironment,
  metadata: ProviderMetadata,
  { redirectUri, state, nonce, codeVerifier }: AuthorizationRequest,
): Promise<string> {
  const parameters = new URLSearchParams({ redirect_uri: redirectUri, scope: config.scopes.join(" "), state, nonce });
  if (config.acrValues.length > 0) parameters.set("acr_values", config.acrValues.join(" "));
  if (codeVerifier !== undefined) {
    parameters.set("code_challenge", await calculatePKCECodeChallenge(codeVerifier));
    parameters.set("code_challenge_method", "S256");
  }
  // Nothing is asked here, so how does not matter.
  const { fetch } = recordedFetch(ask, config.ca);
  const [authentication = "client_secret_basic"] = authenticationsOf(config, metadata);
  const client = createClient({ config, metadata, fetch, authentication, now: now() });
  return buildAuthorizationUrl(client, parameters).href;
}
