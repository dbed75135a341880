import { CLAIM_MAPPING_KINDS, compileClaimMappings, type ClaimMapping } from "../claim-mapping.ts";
import { bool, decodeConfig, duration, section, text, texts } from "../config.ts";
import { MethodConfigError } from "../errors.ts";
import { supportedAlgorithms } from "../jwt/algorithms.ts";
import { checkAuthorities } from "../jwt/public-keys.ts";
import { LOGOUT_KINDS } from "../logout-kinds.ts";
import { checkProviderUrl, isZero, refuseKeys, shortText, shortTexts } from "../limits.ts";
import type { RawConfig, Reading } from "../validator.ts";
import { readClientAssertion, type ClientAssertion } from "./client-assertion.ts";

export interface OidcConfig {
  /** URL of the provider, as its documents and tokens name it. */
  issuer: string;
  /** PEM: the only authorities that may vouch for the provider; undefined for those of the system. */
  ca: string | undefined;
  clientId: string;
  clientSecret: string;
  /** Proves the client in place of its secret. */
  assertion: ClientAssertion | undefined;
  allowedRedirectUris: readonly string[];
  /** With `openid`, each once. */
  scopes: readonly string[];
  acrValues: readonly string[];
  /** Algorithms that may sign ID tokens, under all their names. */
  algorithms: readonly string[];
  /** Empty when any token for this client will do. */
  boundAudiences: ReadonlySet<string>;
  mapping: ClaimMapping;
}

const REQUIRED = {
  OIDCDiscoveryURL: shortText,
  OIDCClientID: shortText,
  AllowedRedirectURIs: shortTexts,
};

const OPTIONAL = {
  // Without an assertion it must be there.
  OIDCClientSecret: shortText,
  OIDCDiscoveryCACert: text,
  OIDCScopes: shortTexts,
  OIDCACRValues: shortTexts,
  // Accepted without effect: it would log the claims of users.
  VerboseOIDCLogging: bool,
  // Every login has it: there is nothing to turn on.
  OIDCClientUsePKCE: bool,
  OIDCClientAssertion: section,
  JWTSupportedAlgs: shortTexts,
  BoundAudiences: shortTexts,
  ...LOGOUT_KINDS,
  ...CLAIM_MAPPING_KINDS,
};

/** Keys of the type `jwt` alone. */
const FORBIDDEN = {
  JWTValidationPubKeys: texts,
  JWKSURL: shortText,
  JWKSCACert: text,
  BoundIssuer: shortText,
  ExpirationLeeway: duration,
  NotBeforeLeeway: duration,
  ClockSkewLeeway: duration,
  // A code counts once in any case.
  JWTReplay: shortText,
};

/** @throws ConfigError */
export function readOidcConfig(raw: RawConfig, reading: Reading = "present"): OidcConfig {
  const config = decodeConfig(raw, { ...REQUIRED, ...OPTIONAL, ...FORBIDDEN });
  const assertion = readClientAssertion(config.OIDCClientAssertion);
  const required = Object.keys(REQUIRED) as (keyof typeof REQUIRED | "OIDCClientSecret")[];
  if (assertion === undefined) required.splice(2, 0, "OIDCClientSecret");
  const missing = required.find((key) => isZero(config[key]));
  if (missing !== undefined) throw new MethodConfigError(`'${missing}' must be set for type "oidc"`);
  refuseKeys(config, FORBIDDEN, "oidc");
  if (assertion !== undefined && config.OIDCClientSecret !== "") {
    throw new MethodConfigError(
      "only one of 'OIDCClientSecret' and 'OIDCClientAssertion' can be set for type \"oidc\"",
    );
  }
  const { OIDCDiscoveryURL: issuer, OIDCDiscoveryCACert: ca } = config;
  checkProviderUrl("OIDCDiscoveryURL", issuer);
  if (ca !== "") checkAuthorities(ca, "OIDCDiscoveryCACert");
  return {
    issuer,
    ca: ca === "" ? undefined : ca,
    clientId: config.OIDCClientID,
    clientSecret: config.OIDCClientSecret,
    assertion,
    allowedRedirectUris: config.AllowedRedirectURIs,
    scopes: [...new Set(["openid", ...config.OIDCScopes])],
    acrValues: config.OIDCACRValues,
    algorithms: namesOf(supportedAlgorithms(config.JWTSupportedAlgs)),
    boundAudiences: new Set(config.BoundAudiences),
    mapping: compileClaimMappings(config, reading),
  };
}

/** RFC 9864 gives EdDSA another name, and tokens may use either. */
function namesOf(algorithms: ReadonlySet<string>): string[] {
  return [...algorithms].flatMap((name) => (name === "EdDSA" ? [name, "Ed25519"] : [name]));
}
