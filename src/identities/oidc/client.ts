import {
  ClientSecretBasic,
  ClientSecretPost,
  clockSkew,
  clockTolerance,
  Configuration,
  customFetch,
  enableNonRepudiationChecks,
  modifyAssertion,
  PrivateKeyJwt,
  type ClientAuth,
} from "openid-client";
import type { OidcConfig } from "./config.ts";
import { type ProviderMetadata, transportRules } from "./discovery.ts";
import type { RecordedFetch } from "./fetch.ts";

/** How a client proves itself to a provider, by the names of the standard. */
export type Authentication = "client_secret_basic" | "client_secret_post" | "private_key_jwt";

const AUTHENTICATIONS: Readonly<Record<Authentication, (config: OidcConfig) => ClientAuth>> = {
  client_secret_basic: ({ clientSecret }) => ClientSecretBasic(clientSecret),
  client_secret_post: ({ clientSecret }) => ClientSecretPost(clientSecret),
  private_key_jwt: ({ assertion, issuer }) => {
    if (assertion === undefined) throw new TypeError("the client assertion has no signing key");
    const { key, keyId, audience } = assertion;
    return PrivateKeyJwt(keyId === "" ? key : { key, kid: keyId }, {
      [modifyAssertion](_header, payload) {
        payload["aud"] = audience.length > 1 ? [...audience] : (audience[0] ?? issuer);
      },
    });
  },
};

/** Seconds by which the clocks of the provider and of this host may differ. */
const CLOCK_TOLERANCE = 60;

export interface ClientOptions {
  config: OidcConfig;
  metadata: ProviderMetadata;
  fetch: RecordedFetch["fetch"];
  authentication: Authentication;
  /** Milliseconds since the epoch. */
  now: number;
}

/**
 * Makes what the library works with in one login. Each has its own, so that the keys of the provider are those of now: the
 * library would keep them for minutes, in which new ones would not count.
 */
export function createClient({ config, metadata, fetch, authentication, now }: ClientOptions): Configuration {
  const server = {
    ...metadata,
    id_token_signing_alg_values_supported: [...config.algorithms],
    userinfo_signing_alg_values_supported: [...config.algorithms],
  };
  const client = { [clockSkew]: Math.round((now - Date.now()) / 1000), [clockTolerance]: CLOCK_TOLERANCE };
  const prove = AUTHENTICATIONS[authentication](config);
  const configuration = new Configuration(server, config.clientId, client, prove);
  configuration[customFetch] = fetch;
  // Signatures, too: the standard would trust the connection alone.
  enableNonRepudiationChecks(configuration);
  for (const rule of transportRules(config)) rule(configuration);
  return configuration;
}

/**
 * The ways to prove the client, the likeliest first: an assertion where it has one, else its secret. What a provider takes of some clients it need not take of this one,
 * and one that does not say what it takes may take either.
 */
export function authenticationsOf(
  { assertion }: OidcConfig,
  { token_endpoint_auth_methods_supported: named }: ProviderMetadata,
): Authentication[] {
  if (assertion !== undefined) return ["private_key_jwt"];
  const all: Authentication[] = ["client_secret_basic", "client_secret_post"];
  const known = all.filter((name) => named?.includes(name));
  return known.length === 0 ? all : known;
}
