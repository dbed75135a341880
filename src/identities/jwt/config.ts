import { CLAIM_MAPPING_KINDS, compileClaimMappings, type ClaimMapping } from "../claim-mapping.ts";
import { bool, decodeConfig, duration, presence, text, texts } from "../config.ts";
import { MethodConfigError } from "../errors.ts";
import { checkProviderUrl, refuseKeys, shortText, shortTexts } from "../limits.ts";
import { LOGOUT_KINDS } from "../logout-kinds.ts";
import type { RawConfig, Reading } from "../validator.ts";
import { supportedAlgorithms } from "./algorithms.ts";
import type { ClaimRules } from "./check-claims.ts";
import { checkAuthorities, parsePublicKeys, type VerificationKey } from "./public-keys.ts";
import { MAX_TRIED } from "./token.ts";

/** Source of the keys that tokens are signed with. */
export type KeySource =
  | { kind: "static"; keys: readonly VerificationKey[] }
  | { kind: "JWKSURL" | "OIDCDiscoveryURL"; url: string; ca: string | undefined };

export interface JwtConfig {
  source: KeySource;
  rules: ClaimRules;
  /** Allowed algorithms of a token's signature. Undefined where the key decides. */
  algorithms: ReadonlySet<string> | undefined;
  mapping: ClaimMapping;
  /** Whether each token counts once. */
  isSingleUse: boolean;
}

/** Keys of the type `oidc` alone. */
const OPENID_KINDS = {
  OIDCClientID: shortText,
  OIDCClientSecret: shortText,
  OIDCClientAssertion: presence,
  OIDCClientUsePKCE: bool,
  OIDCScopes: shortTexts,
  OIDCACRValues: shortTexts,
  AllowedRedirectURIs: shortTexts,
  VerboseOIDCLogging: bool,
  ...LOGOUT_KINDS,
};

const KINDS = {
  JWTValidationPubKeys: texts,
  JWKSURL: shortText,
  JWKSCACert: text,
  OIDCDiscoveryURL: shortText,
  OIDCDiscoveryCACert: text,
  JWTSupportedAlgs: shortTexts,
  BoundAudiences: shortTexts,
  BoundIssuer: shortText,
  ExpirationLeeway: duration,
  NotBeforeLeeway: duration,
  ClockSkewLeeway: duration,
  JWTReplay: shortText,
  ...CLAIM_MAPPING_KINDS,
  ...OPENID_KINDS,
};

type Decoded = ReturnType<typeof decodeConfig<typeof KINDS>>;

const DEFAULT_LEEWAY = 150;
const DEFAULT_SKEW = 60;

/** @throws ConfigError */
export function readJwtConfig(raw: RawConfig, reading: Reading = "present"): JwtConfig {
  const config = decodeConfig(raw, KINDS);
  refuseKeys(config, OPENID_KINDS, "jwt");
  // A token of nobody would pass for one that is meant for us.
  if (config.BoundAudiences.includes(""))
    throw new MethodConfigError("'BoundAudiences' must not contain an empty audience");
  const source = sourceOf(config);
  // Such a provider makes tokens for others too: one that is meant for any of them would log in here.
  if (source.kind === "OIDCDiscoveryURL" && config.BoundAudiences.length === 0) {
    throw new MethodConfigError("'BoundAudiences' must be set with 'OIDCDiscoveryURL' for type \"jwt\"");
  }
  const algorithms = supportedAlgorithms(config.JWTSupportedAlgs);
  const isOfKeys = source.kind !== "OIDCDiscoveryURL";
  return {
    source,
    algorithms: isOfKeys && (config.JWTSupportedAlgs.length === 0 || reading === "earlier") ? undefined : algorithms,
    mapping: compileClaimMappings(config, reading),
    isSingleUse: readReplay(config.JWTReplay),
    rules: {
      boundIssuer: config.BoundIssuer,
      boundAudiences: new Set(config.BoundAudiences),
      leeways: {
        expiration: secondsOf(config.ExpirationLeeway, DEFAULT_LEEWAY),
        notBefore: secondsOf(config.NotBeforeLeeway, DEFAULT_LEEWAY),
        skew: secondsOf(config.ClockSkewLeeway, DEFAULT_SKEW),
      },
    },
  };
}

function readReplay(replay: string): boolean {
  if (replay !== "" && replay !== "once") throw new MethodConfigError("'JWTReplay' must be \"once\" or unset");
  return replay === "once";
}

function sourceOf(config: Decoded): KeySource {
  const { JWTValidationPubKeys: pems, JWKSURL, OIDCDiscoveryURL } = config;
  if ([pems.length > 0, JWKSURL !== "", OIDCDiscoveryURL !== ""].filter(Boolean).length !== 1) {
    throw new MethodConfigError(
      "exactly one of 'JWTValidationPubKeys', 'JWKSURL', or 'OIDCDiscoveryURL' must be set for type \"jwt\"",
    );
  }
  refuseStrayAuthority(config, "JWKSCACert", "JWKSURL");
  refuseStrayAuthority(config, "OIDCDiscoveryCACert", "OIDCDiscoveryURL");
  if (JWKSURL !== "") return remoteSource("JWKSURL", config);
  if (OIDCDiscoveryURL !== "") return remoteSource("OIDCDiscoveryURL", config);
  return { kind: "static", keys: staticKeys(pems) };
}

function staticKeys(pems: readonly string[]): VerificationKey[] {
  const keys: VerificationKey[] = [];
  for (const [index, pem] of pems.entries()) {
    keys.push(...parsePublicKeys(pem, `JWTValidationPubKeys[${index}]`));
    if (keys.length > MAX_TRIED) throw new MethodConfigError(`JWTValidationPubKeys has more than ${MAX_TRIED} keys`);
  }
  return keys;
}

function refuseStrayAuthority(
  config: Decoded,
  authority: "JWKSCACert" | "OIDCDiscoveryCACert",
  url: "JWKSURL" | "OIDCDiscoveryURL",
): void {
  if (config[authority] !== "" && config[url] === "") {
    throw new MethodConfigError(`'${authority}' should not be set unless '${url}' is set`);
  }
}

const AUTHORITIES = { JWKSURL: "JWKSCACert", OIDCDiscoveryURL: "OIDCDiscoveryCACert" } as const;

function remoteSource(kind: "JWKSURL" | "OIDCDiscoveryURL", config: Decoded): KeySource {
  checkProviderUrl(kind, config[kind]);
  const name = AUTHORITIES[kind];
  const ca = config[name];
  if (ca !== "") checkAuthorities(ca, name);
  return { kind, url: config[kind], ca: ca === "" ? undefined : ca };
}

/** Zero stands for the default, anything below for none. */
function secondsOf(nanoseconds: bigint, standard: number): number {
  if (nanoseconds === 0n) return standard;
  return nanoseconds < 0n ? 0 : Number(nanoseconds) / 1e9;
}
