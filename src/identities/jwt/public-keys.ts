import { createPublicKey, X509Certificate, type KeyObject } from "node:crypto";
import { MethodConfigError } from "../errors.ts";
import { MAX_AUTHORITIES, MAX_AUTHORITIES_LENGTH } from "../limits.ts";
import type { KeyKind } from "./algorithms.ts";

/** A key that a signature may be checked with. */
export interface VerificationKey {
  readonly kind: KeyKind;
  /** The only algorithm that it may be used with, where it says so. */
  readonly algorithm: string | undefined;
  /** The key itself; undefined when it turns out to be no key. */
  load(): KeyObject | undefined;
}

const MIN_RSA_BITS = 2048;
/** Larger ones are used nowhere, and each check would take milliseconds. */
const MAX_RSA_BITS = 8192;

/** Anybody can sign for the exponent 1. */
const MIN_EXPONENT = 3n;
/** A huge one would make each check as slow as signing. */
const MAX_EXPONENT = 2n ** 32n;

/** Longest text of keys, in characters: more than as many as may be configured. */
const MAX_LENGTH = 64 * 1024;

const CURVES: ReadonlyMap<string | undefined, KeyKind> = new Map([
  ["prime256v1", "P-256"],
  ["secp384r1", "P-384"],
  ["secp521r1", "P-521"],
]);

/** Returns the kind of a key. Undefined when nothing here can use the key. */
export function kindOfKey(key: KeyObject): KeyKind | undefined {
  switch (key.asymmetricKeyType) {
    case "rsa":
      return isUsableRsa(key) ? "RSA" : undefined;
    case "ec":
      return CURVES.get(key.asymmetricKeyDetails?.namedCurve);
    case "ed25519":
      return "Ed25519";
    default:
      return undefined;
  }
}

function isUsableRsa({ asymmetricKeyDetails: { modulusLength = 0, publicExponent = 0n } = {} }: KeyObject): boolean {
  const isSize = modulusLength >= MIN_RSA_BITS && modulusLength <= MAX_RSA_BITS;
  return isSize && publicExponent >= MIN_EXPONENT && publicExponent <= MAX_EXPONENT;
}

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[A-Za-z0-9+/=\s]+-----END \1-----/g;
const KEY_LABELS = new Set(["PUBLIC KEY", "RSA PUBLIC KEY"]);

/**
 * Reads the public keys of a PEM text: keys, or certificates that hold one. Other blocks are not looked at; a private key
 * is not taken for its public half, since it has no place in a configuration.
 *
 * @param name the place of the text, as messages name it
 * @throws ConfigError when there is no key that can be used
 */
export function parsePublicKeys(pem: string, name: string): VerificationKey[] {
  const refuse = (problem: string): never => {
    throw new MethodConfigError(`error parsing public key ${name}: ${problem}`);
  };
  if (pem.length > MAX_LENGTH) refuse(`data is longer than ${MAX_LENGTH} characters`);
  const found = Array.from(pem.matchAll(BLOCK), ([block, label = ""]) => readBlock(block, label));
  const keys = found.filter((key) => key !== undefined);
  if (keys.some((key) => key.asymmetricKeyType === "rsa" && !isUsableRsa(key))) {
    refuse(
      `RSA keys must have ${MIN_RSA_BITS} to ${MAX_RSA_BITS} bits and an exponent from ${MIN_EXPONENT} to ${MAX_EXPONENT}`,
    );
  }
  const usable = keys.flatMap((key) => {
    const kind = kindOfKey(key);
    return kind === undefined ? [] : [{ kind, algorithm: undefined, load: () => key }];
  });
  return usable.length > 0 ? usable : refuse("data does not contain any valid RSA, ECDSA, or ED25519 public keys");
}

function readBlock(block: string, label: string): KeyObject | undefined {
  try {
    if (label === "CERTIFICATE") return new X509Certificate(block).publicKey;
    return KEY_LABELS.has(label) ? createPublicKey(block) : undefined;
  } catch {
    // A text that OpenSSL cannot read is not a key.
    return undefined;
  }
}

/**
 * Checks a PEM text of certificates that shall vouch for a server.
 *
 * @param name the key of the configuration
 * @throws ConfigError when it holds none, one that cannot be read, or more than are taken
 */
export function checkAuthorities(pem: string, name: string): void {
  const refuse = (problem: string): never => {
    throw new MethodConfigError(`error checking ${name}: ${problem}`);
  };
  if (pem.length > MAX_AUTHORITIES_LENGTH) refuse(`it is longer than ${MAX_AUTHORITIES_LENGTH} characters`);
  const blocks = [...pem.matchAll(BLOCK)];
  if (blocks.length === 0) refuse("it does not contain a PEM certificate");
  if (blocks.length > MAX_AUTHORITIES) refuse(`it contains more than ${MAX_AUTHORITIES} certificates`);
  for (const [block, label = ""] of blocks) {
    if (label !== "CERTIFICATE" || readBlock(block, label) === undefined) {
      refuse("it contains data that is not a certificate");
    }
  }
}
