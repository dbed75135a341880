import { CLAIM_MAPPING_KINDS, compileClaimMappings, type ClaimMapping } from "../claim-mapping.ts";
import { bool, decodeConfig, duration, presence, text, texts } from "../config.ts";
import { ConfigError } from "../errors.ts";
import { supportedAlgorithms } from "../jwt/algorithms.ts";
import { checkAuthorities } from "../jwt/public-keys.ts";
import { shortText, shortTexts } from "../limits.ts";
import type { RawConfig } from "../validator.ts";

export interface OidcConfig {
  /** URL of the provider, as its documents and tokens name it. */
  issuer: string;
  /** PEM: the only authorities that may vouch for the provider; undefined for those of the system. */
  ca: string | undefined;
  clientId: string;
  clientSecret: string;
  allowedRedirectUris: readonly string[];
  /** With `openid`, each once. */
  scopes: readonly string[];
  acrValues: readonly string[];
  /** What ID tokens may be signed with, under all names of it. */
  algorithms: readonly string[];
  /** Empty when any token for this client will do. */
  boundAudiences: ReadonlySet<string>;
  mapping: ClaimMapping;
}

const REQUIRED = {
  OIDCDiscoveryURL: shortText,
  OIDCClientID: shortText,
  OIDCClientSecret: shortText,
  AllowedRedirectURIs: shortTexts,
};

const OPTIONAL = {
  OIDCDiscoveryCACert: text,
  OIDCScopes: shortTexts,
  OIDCACRValues: shortTexts,
  // It is taken and does nothing: what it would log is what somebody's claims are.
  VerboseOIDCLogging: bool,
  // Every login has it: there is nothing to turn on.
  OIDCClientUsePKCE: bool,
  OIDCClientAssertion: presence,
  JWTSupportedAlgs: shortTexts,
  BoundAudiences: shortTexts,
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
export function readOidcConfig(raw: RawConfig): OidcConfig {
  const config = decodeConfig(raw, { ...REQUIRED, ...OPTIONAL, ...FORBIDDEN });
  for (const key of keysOf(REQUIRED)) {
    if (isZero(config[key])) throw new ConfigError(`'${key}' must be set for type "oidc"`);
  }
  for (const key of keysOf(FORBIDDEN)) {
    if (!isZero(config[key])) throw new ConfigError(`'${key}' must not be set for type "oidc"`);
  }
  if (config.OIDCClientAssertion) throw new ConfigError("'OIDCClientAssertion' is not supported");
  const { OIDCDiscoveryURL: issuer, OIDCDiscoveryCACert: ca } = config;
  checkIssuer(issuer);
  if (ca !== "") checkAuthorities(ca, "OIDCDiscoveryCACert");
  return {
    issuer,
    ca: ca === "" ? undefined : ca,
    clientId: config.OIDCClientID,
    clientSecret: config.OIDCClientSecret,
    allowedRedirectUris: config.AllowedRedirectURIs,
    scopes: [...new Set(["openid", ...config.OIDCScopes])],
    acrValues: config.OIDCACRValues,
    algorithms: namesOf(supportedAlgorithms(config.JWTSupportedAlgs)),
    boundAudiences: new Set(config.BoundAudiences),
    mapping: compileClaimMappings(config),
  };
}

function keysOf<T extends object>(kinds: T): (keyof T)[] {
  return Object.keys(kinds) as (keyof T)[];
}

/** Whether a value says as much as if its key were not there. */
function isZero(value: string | bigint | readonly string[]): boolean {
  return typeof value === "bigint" ? value === 0n : value.length === 0;
}

function checkIssuer(issuer: string): void {
  const url = URL.parse(issuer);
  if (url === null || !["https:", "http:"].includes(url.protocol)) {
    throw new ConfigError("error checking OIDCDiscoveryURL: it is not a URL of https or http");
  }
  if (url.username !== "" || url.password !== "") {
    throw new ConfigError("error checking OIDCDiscoveryURL: a URL with credentials is not supported");
  }
}

/** RFC 9864 gives EdDSA another name, and tokens may use either. */
function namesOf(algorithms: ReadonlySet<string>): string[] {
  return [...algorithms].flatMap((name) => (name === "EdDSA" ? [name, "Ed25519"] : [name]));
}
