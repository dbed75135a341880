/** Auth methods of the type `jwt`: a token that somebody else has signed proves who its bearer is. */
import { parseClaims, type Claims } from "../claims.ts";
import { MethodConfigError, IdentityError, prefixed, ProviderError } from "../errors.ts";
import type { CreateValidator, ValidatorEnvironment, ProvenIdentity } from "../validator.ts";
import { canonicalAlgorithm } from "./algorithms.ts";
import { checkClaims, checkOpenIdClaims, singleUse } from "./check-claims.ts";
import { readJwtConfig, type JwtConfig } from "./config.ts";
import { fetchDiscoveredKeySet, fetchKeySet } from "./discovery.ts";
import type { KeySet } from "./key-set.ts";
import type { VerificationKey } from "./public-keys.ts";
import { createRemoteKeys, type RemoteKeys } from "./remote-keys.ts";
import { provenPayload, readToken, type UnprovenToken } from "./token.ts";
import { claimedSubject, subjectOf } from "./subject.ts";

/** The steps in which the sources of keys differ. */
interface Steps {
  /** Begins what is said of a token that cannot be read. */
  parsing: string;
  /** Begins what is said of a token that no key proves. */
  proving: string;
  probe(): Promise<void>;
  prove(token: UnprovenToken): Promise<Uint8Array>;
  /** Sees to it that the keys are not very old. Never fails. */
  refresh(): Promise<unknown> | undefined;
  /** Tells the keys of now from those before: what was proven by others is to be proven again. */
  version(): number;
  /**
   * @param now seconds since the epoch
   * @returns until when it accepts them
   */
  check(claims: Claims, now: number): number;
  bytes(): number;
  close(): void;
}

/**
 * Makes the validator of a method of this type.
 *
 * @throws ConfigError
 */
export const createJwtValidator: CreateValidator = (raw, environment) => {
  const config = readJwtConfig(raw, environment.reading);
  const steps = stepsOf(config, environment);
  // A token that counts once is never taken for proven because it was before.
  const proven = config.isSingleUse ? undefined : environment.provenTokens?.open();

  async function verifyAnew(bearerToken: string): Promise<{ identity: ProvenIdentity; end: number; now: number }> {
    const token = prefixed(steps.parsing, () => readToken(bearerToken));
    if (config.algorithms?.has(canonicalAlgorithm(token.algorithm)) === false) {
      throw new IdentityError(`${steps.proving}the algorithm of the signature is not one of JWTSupportedAlgs`);
    }
    const payload = await steps.prove(token).catch((error: unknown) => {
      throw error instanceof IdentityError ? new IdentityError(steps.proving + error.message) : error;
    });
    const claims = prefixed(steps.parsing, () => parseClaims(payload));
    const now = environment.now();
    const end = steps.check(claims, now / 1000);
    const seen = config.mapping.project(claims);
    const identity = {
      ...seen,
      subject: subjectOf(claims, seen.fields),
      singleUse: config.isSingleUse ? singleUse(claims, end, now / 1000) : undefined,
    };
    return { identity, end, now };
  }

  return {
    form: config.mapping.form,
    probe: () => steps.probe(),
    async verify(bearerToken) {
      if (bearerToken === "") throw new IdentityError("missing jwt");
      if (proven?.find(bearerToken, environment.now()) !== undefined) await steps.refresh();
      // Looked for after the keys, which may have been waited for: it may have ended meanwhile.
      const known = proven?.find(bearerToken, environment.now());
      if (known?.keys === steps.version()) return known.identity;
      const keys = steps.version();
      const { identity, end, now } = await verifyAnew(bearerToken);
      // By the keys that are known now and were before: else nobody knows which of them proved it.
      if (steps.version() === keys) proven?.keep(bearerToken, { keys, identity, end, since: now });
      return identity;
    },
    claimedSubject,
    bytes: () => steps.bytes(),
    close: () => steps.close(),
  };
};

function stepsOf(config: JwtConfig, environment: ValidatorEnvironment): Steps {
  const { source, rules } = config;
  if (source.kind === "static") return staticSteps(source.keys, config);
  const isDiscovered = source.kind === "OIDCDiscoveryURL";
  const { now, onTrouble, ask } = environment;
  const provider = { ask, url: source.url, ca: source.ca };
  const load = () => (isDiscovered ? fetchDiscoveredKeySet(provider) : fetchKeySet(provider));
  const keys = createRemoteKeys({ load, now, onTrouble });
  const common = {
    refresh: () => keys.current().catch(() => undefined),
    version: () => keys.version(),
    probe: () => probe(keys, source.kind),
    bytes: () => keys.bytes(),
    close: () => keys.close(),
  };
  if (!isDiscovered) {
    return {
      ...common,
      parsing: "error parsing token: ",
      proving: "error verifying token: ",
      prove: (token) => proveRemotely(token, keys),
      check: (claims, seconds) => checkClaims(claims, rules, seconds),
    };
  }
  return {
    ...common,
    parsing: "error validating signature: ",
    proving: "error validating signature: ",
    prove: (token) => proveRemotely(token, keys),
    check: (claims, seconds) => checkOpenIdClaims(claims, source.url, rules.boundAudiences, seconds),
  };
}

function staticSteps(keys: readonly VerificationKey[], { rules }: JwtConfig): Steps {
  return {
    parsing: "error parsing token: ",
    proving: "",
    // With other keys it is another configuration, and so another validator.
    refresh: () => undefined,
    version: () => 0,
    probe: () => Promise.resolve(),
    async prove(token) {
      const payload = await provenPayload(token, keys);
      if (payload === undefined) throw new IdentityError("no known key successfully validated the token signature");
      return payload;
    },
    check: (claims, seconds) => checkClaims(claims, rules, seconds),
    bytes: () => 0,
    close: () => undefined,
  };
}

async function probe(keys: RemoteKeys, key: string): Promise<void> {
  try {
    await keys.current();
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    throw new MethodConfigError(`error checking ${key}: ${error.message}`, { cause: error });
  }
}

async function proveRemotely(token: UnprovenToken, remote: RemoteKeys): Promise<Uint8Array> {
  const keys = await remote.current().catch((error: unknown) => {
    throw error instanceof ProviderError ? unknowable(error) : error;
  });
  const payload = await provenPayload(token, keys.named(token.kid));
  if (payload !== undefined) return payload;
  const newer = await remote.newerThan(keys);
  const proven = newer && (await provenPayload(token, newer.named(token.kid)));
  if (proven !== undefined) return proven;
  const isKnown = isNamed(token, newer ?? keys);
  if (!isKnown && remote.isInDoubt()) throw unknowable();
  throw new IdentityError(isKnown ? "the signature is not valid" : "no key of the provider matches the token");
}

/** Whether the provider has a key of the name that the token gives. */
function isNamed({ kid }: UnprovenToken, keys: KeySet): boolean {
  return kid !== undefined && keys.named(kid).length > 0;
}

/** Hides the names of servers from the client that logs in. The log contains them. */
function unknowable(cause?: ProviderError): ProviderError {
  return new ProviderError("the keys of the identity provider could not be fetched", { cause });
}
