import { MethodConfigError } from "../errors.ts";

/** Kind of a key, as far as an algorithm requires it. */
export type KeyKind = "RSA" | "P-256" | "P-384" | "P-521" | "Ed25519";

/** Signatures only: a secret that both sides know proves nothing about who signed, and `none` proves nothing at all. */
const KINDS: ReadonlyMap<string, KeyKind> = new Map([
  ["RS256", "RSA"],
  ["RS384", "RSA"],
  ["RS512", "RSA"],
  ["PS256", "RSA"],
  ["PS384", "RSA"],
  ["PS512", "RSA"],
  ["ES256", "P-256"],
  ["ES384", "P-384"],
  ["ES512", "P-521"],
  ["EdDSA", "Ed25519"],
]);

/** The name that RFC 9864 gives to EdDSA with this curve, the only one that is supported. */
const ED25519 = "Ed25519";

const DEFAULT = "RS256";

/** More of a client's text than this is not repeated to it. */
const MAX_QUOTED = 100;

/** One name for each algorithm. */
export function canonicalAlgorithm(name: string): string {
  return name === ED25519 ? "EdDSA" : name;
}

/** The keys that an algorithm is used with; undefined when it is not supported. */
export function keyKindOf(algorithm: string): KeyKind | undefined {
  return KINDS.get(canonicalAlgorithm(algorithm));
}

/**
 * The algorithms that `JWTSupportedAlgs` allows, under their canonical names.
 *
 * @throws ConfigError when one is none of ours
 */
export function supportedAlgorithms(names: readonly string[]): ReadonlySet<string> {
  const unknown = names.find((name) => !KINDS.has(name));
  if (unknown !== undefined) {
    throw new MethodConfigError(`Invalid supported algorithm: ${unknown.slice(0, MAX_QUOTED).toWellFormed()}`);
  }
  return new Set(names.length === 0 ? [DEFAULT] : names);
}
