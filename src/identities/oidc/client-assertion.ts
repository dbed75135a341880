/** `OIDCClientAssertion`: the client proves itself to its provider by a signed text (`private_key_jwt`, RFC 7523) and not by a secret. */
import { createPrivateKey, type KeyObject, type webcrypto } from "node:crypto";
import { decodeConfig, section, text } from "../config.ts";
import { MethodConfigError } from "../errors.ts";
import { MAX_AUTHORITIES_LENGTH, limitedText, shortText, shortTexts } from "../limits.ts";
import type { RawConfig } from "../validator.ts";

/** How a client signs what it says of itself. */
export interface ClientAssertion {
  /** Audiences of the assertion. The issuer where none is configured. */
  readonly audience: readonly string[];
  readonly key: webcrypto.CryptoKey;
  /** The name by which the provider knows the key; empty for none. */
  readonly keyId: string;
}

const KINDS = { Audience: shortTexts, KeyAlgorithm: shortText, PrivateKey: section };
const KEY_KINDS = { PemKey: limitedText(MAX_AUTHORITIES_LENGTH), PemKeyFile: text, KeyID: shortText };

/** The digest of each algorithm. */
const ALGORITHMS: ReadonlyMap<string, string> = new Map([
  ["RS256", "SHA-256"],
  ["RS384", "SHA-384"],
  ["RS512", "SHA-512"],
]);

const MIN_BITS = 2048;
const MAX_BITS = 8192;

/**
 * Reads the member of a configuration.
 *
 * @returns undefined where it says nothing, as the Go client writes what it is not told
 * @throws ConfigError that names the member
 */
export function readClientAssertion(raw: RawConfig): ClientAssertion | undefined {
  const { Audience: audience, KeyAlgorithm: algorithm, PrivateKey } = within("", () => decodeConfig(raw, KINDS));
  const {
    PemKey: pem,
    PemKeyFile: file,
    KeyID: keyId,
  } = within(".PrivateKey", () => decodeConfig(PrivateKey, KEY_KINDS));
  if (file !== "") throw refused("PrivateKey.PemKeyFile", "is not supported: the key must be in PemKey");
  if (pem === "" && audience.length === 0 && algorithm === "" && keyId === "") return undefined;
  if (audience.includes("")) throw refused("Audience", "must not contain an empty audience");
  const name = algorithm === "" ? "RS256" : algorithm;
  const hash = ALGORITHMS.get(name);
  if (hash === undefined) throw refused("KeyAlgorithm", `must be one of ${[...ALGORITHMS.keys()].join(", ")}`);
  return { audience, keyId, key: readKey(pem).toCryptoKey({ name: "RSASSA-PKCS1-v1_5", hash }, false, ["sign"]) };
}

function readKey(pem: string): KeyObject {
  if (pem === "") throw refused("PrivateKey.PemKey", "must be set");
  let key: KeyObject | undefined;
  try {
    key = createPrivateKey(pem);
  } catch {
    // The words of OpenSSL may quote it.
  }
  const bits = key?.asymmetricKeyDetails?.modulusLength ?? 0;
  if (key?.asymmetricKeyType === "rsa" && bits >= MIN_BITS && bits <= MAX_BITS) return key;
  throw refused("PrivateKey.PemKey", `must be an RSA private key of ${MIN_BITS} to ${MAX_BITS} bits in PEM form`);
}

function refused(member: string, problem: string): MethodConfigError {
  return new MethodConfigError(`'OIDCClientAssertion.${member}' ${problem}`);
}

function within<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof MethodConfigError)
      throw new MethodConfigError(`'OIDCClientAssertion${path}': ${error.message}`);
    throw error;
  }
}
