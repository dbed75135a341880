import {
  ClientError,
  customFetch,
  discovery,
  type ServerMetadata,
  allowInsecureRequests,
  type Configuration,
} from "openid-client";
import { answerProblem, ProviderError } from "../errors.ts";
import type { ValidatorEnvironment } from "../validator.ts";
import type { OidcConfig } from "./config.ts";
import { outageBehind } from "./failures.ts";
import { recordedFetch } from "./fetch.ts";

/** Metadata of a provider, as far as logins need it. */
export interface ProviderMetadata {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly jwks_uri: string;
  readonly userinfo_endpoint?: string;
  /** How clients may prove themselves. */
  readonly token_endpoint_auth_methods_supported?: string[];
}

export interface Discovery {
  /**
   * Returns the metadata that was read last. Reads them now when the last read is too old.
   *
   * @throws ProviderError
   */
  current(): Promise<ProviderMetadata>;
  /** Reads it now. @throws ProviderError */
  refresh(): Promise<ProviderMetadata>;
}

/** Endpoints hardly ever move; keys do, and are not part of this. */
const MAX_AGE_MS = 15 * 60_000;

/** A discovery document that nobody has asked for yet. All who need it at one time wait for one answer. */
export function createDiscovery(
  config: OidcConfig,
  { ask, now }: Pick<ValidatorEnvironment, "ask" | "now">,
): Discovery {
  let known: { metadata: ProviderMetadata; readAt: number } | undefined;
  let inFlight: Promise<ProviderMetadata> | undefined;

  async function read(): Promise<ProviderMetadata> {
    const metadata = await discover(config, ask);
    known = { metadata, readAt: now() };
    return metadata;
  }

  async function refresh(): Promise<ProviderMetadata> {
    inFlight ??= read().finally(() => (inFlight = undefined));
    return inFlight;
  }

  return {
    async current() {
      // Negative after the clock was set back.
      const age = known === undefined ? MAX_AGE_MS : now() - known.readAt;
      return known !== undefined && age >= 0 && age < MAX_AGE_MS ? known.metadata : refresh();
    },
    refresh,
  };
}

async function discover(config: OidcConfig, ask: ValidatorEnvironment["ask"]): Promise<ProviderMetadata> {
  const issuer = new URL(config.issuer);
  const options = { [customFetch]: recordedFetch(ask, config.ca).fetch, execute: transportRules(config) };
  const found = await discovery(issuer, config.clientId, undefined, undefined, options).catch((error: unknown) => {
    throw failureOf(error, config);
  });
  return metadataOf(found.serverMetadata(), config);
}

function failureOf(error: unknown, config: OidcConfig): ProviderError {
  const outage = outageBehind(error);
  if (outage !== undefined) return new ProviderError(outage.message, { cause: outage });
  const isOther = error instanceof ClientError && error.code === "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED";
  return isOther ? otherIssuer(config) : answerProblem(config.issuer, "the response is not a discovery document");
}

function metadataOf(found: ServerMetadata, config: OidcConfig): ProviderMetadata {
  // The library is lenient with hosts that it knows, where the answer for one tenant may be that of another.
  if (found.issuer !== config.issuer) throw otherIssuer(config);
  const methods: unknown = found.token_endpoint_auth_methods_supported;
  return {
    issuer: found.issuer,
    authorization_endpoint: endpoint(found, "authorization_endpoint", config),
    token_endpoint: endpoint(found, "token_endpoint", config),
    jwks_uri: endpoint(found, "jwks_uri", config),
    ...(found.userinfo_endpoint === undefined
      ? {}
      : { userinfo_endpoint: endpoint(found, "userinfo_endpoint", config) }),
    ...(Array.isArray(methods) ? { token_endpoint_auth_methods_supported: methods.filter(isText) } : {}),
  };
}

type Endpoint = "authorization_endpoint" | "token_endpoint" | "jwks_uri" | "userinfo_endpoint";

function endpoint(found: ServerMetadata, name: Endpoint, config: OidcConfig): string {
  // It comes from outside, so its type says nothing.
  const value: unknown = found[name];
  const url = isText(value) ? URL.parse(value) : null;
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isPlain(config));
  if (url === null || !isSafe) throw answerProblem(config.issuer, `the discovery document has no usable ${name}`);
  return url.href;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function otherIssuer(config: OidcConfig): ProviderError {
  return answerProblem(
    config.issuer,
    "issuer mismatch: the issuer must equal the discovery URL, including the trailing slash",
  );
}

interface Named {
  issuer: string;
}

/** Whether the configuration trusts the network: everything else is asked for over HTTPS alone. */
function isPlain({ issuer }: Named): boolean {
  return new URL(issuer).protocol === "http:";
}

/** Returns the settings that let the library use HTTP where the configuration allows it, and only there. */
export function transportRules(config: Named): ((configuration: Configuration) => void)[] {
  // oxlint-disable-next-line typescript/no-deprecated -- marked so that it stands out, which it does here
  return isPlain(config) ? [allowInsecureRequests] : [];
}
