import { constants, verify, type KeyObject, type VerifyKeyObjectInput } from "node:crypto";
import { parseClaims } from "../claims.ts";
import { IdentityError, prefixed } from "../errors.ts";
import { keyKindOf, type KeyKind, canonicalAlgorithm } from "./algorithms.ts";
import type { VerificationKey } from "./public-keys.ts";

/** A token whose header has been read; nothing of it has been proven. */
export interface UnprovenToken {
  /** As it was sent. */
  text: string;
  algorithm: string;
  kind: KeyKind;
  /** The name of the key, where the token has one. */
  kid: string | undefined;
}

/** Longest token, in characters. */
const MAX_LENGTH = 32 * 1024;

const SIGNED = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const ENCRYPTED = /^[\w-]*(?:\.[\w-]*){4}$/;

/**
 * Reads the header of a signed JSON Web Token. Keys and URLs of keys in it are not looked at: a token does not say whom
 * to trust.
 *
 * @throws IdentityError that says what is wrong, as in `the token is encrypted`, and quotes nothing of the token
 */
export function readToken(text: string): UnprovenToken {
  if (text.length > MAX_LENGTH) throw new IdentityError(`the token is longer than ${MAX_LENGTH} characters`);
  // Decrypting comes before proving, and costs what the sender wants it to.
  if (ENCRYPTED.test(text)) throw new IdentityError("the token is encrypted, which is not supported");
  if (!SIGNED.test(text)) throw new IdentityError("it is not a signed JSON Web Token in compact form");
  const encoded = text.slice(0, text.indexOf("."));
  const header = prefixed("the header cannot be read: ", () => parseClaims(Buffer.from(encoded, "base64url")));
  const algorithm = header.get("alg");
  const kind = typeof algorithm === "string" ? keyKindOf(algorithm) : undefined;
  if (typeof algorithm !== "string" || kind === undefined) {
    throw new IdentityError("the algorithm of the signature is not supported");
  }
  if (header.has("crit")) throw new IdentityError("the header requires unsupported extensions");
  const kid = header.get("kid") ?? undefined;
  if (kid !== undefined && typeof kid !== "string") throw new IdentityError("the kid header is not a string");
  return { text, algorithm, kind, kid };
}

/** Each key that is tried costs up to a millisecond, and a token need not name one. */
export const MAX_TRIED = 100;

/**
 * Proves that one of the keys has signed a token. A key is tried only when it fits the token's algorithm, so that no key
 * is ever used in another way than its owner does.
 *
 * @returns the payload that was signed; undefined when none of the keys has
 * @throws IdentityError when more keys fit than are tried
 */
export async function provenPayload(
  token: UnprovenToken,
  keys: readonly VerificationKey[],
): Promise<Uint8Array | undefined> {
  const fitting = keys.filter((key) => fits(key, token));
  if (fitting.length > MAX_TRIED) throw new IdentityError("the token has no kid header, and too many keys match");
  for (const candidate of fitting) {
    const key = candidate.load();
    if (key === undefined) continue;
    if (await isSignedBy(token, key)) return payloadOf(token);
  }
  return undefined;
}

function fits({ kind, algorithm }: VerificationKey, token: UnprovenToken): boolean {
  return kind === token.kind && (algorithm === undefined || algorithm === canonicalAlgorithm(token.algorithm));
}

/** SHA-2 as each algorithm has it; EdDSA has its own inside. */
function digestOf(algorithm: string): string | undefined {
  return canonicalAlgorithm(algorithm) === "EdDSA" ? undefined : `sha${algorithm.slice(2)}`;
}

/** How RFC 7518 has signatures: those of elliptic curves as two numbers of fixed length, salts as long as digests. */
function paramsOf({ algorithm }: UnprovenToken, key: KeyObject): VerifyKeyObjectInput {
  if (algorithm.startsWith("ES")) return { key, dsaEncoding: "ieee-p1363" };
  if (!algorithm.startsWith("PS")) return { key };
  return { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
}

/** In a thread of the pool: the event loop goes on with others meanwhile. */
function isSignedBy(token: UnprovenToken, key: KeyObject): Promise<boolean> {
  const dot = token.text.lastIndexOf(".");
  const signed = Buffer.from(token.text.slice(0, dot));
  const encoded = token.text.slice(dot + 1);
  // One letter that stands for no byte would be passed over.
  if (encoded.length % 4 === 1) return Promise.resolve(false);
  const signature = Buffer.from(encoded, "base64url");
  return new Promise((resolve) => {
    try {
      // A faulty signature or key is no error here: this key proves nothing.
      verify(digestOf(token.algorithm), signed, paramsOf(token, key), signature, (error, isSigned) =>
        resolve(error === null && isSigned),
      );
    } catch {
      resolve(false);
    }
  });
}

function payloadOf({ text }: UnprovenToken): Uint8Array {
  return Buffer.from(text.slice(text.indexOf(".") + 1, text.lastIndexOf(".")), "base64url");
}
