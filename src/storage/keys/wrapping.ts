/** How keys lie in the database: each under another one, bound to its row. */
import { createCipheriv, createSecretKey, hkdfSync, randomBytes, type KeyObject } from "node:crypto";
import { decrypt, NONCE_BYTES } from "./open-sealed.ts";

export const KEY_BYTES = 32;

/** Encrypts by AES-256-GCM for one place. @returns base64url of nonce, ciphertext and tag */
export function encrypt(key: KeyObject, plain: Buffer, place: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(place));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, body, cipher.getAuthTag()]).toString("base64url");
}

/** A data key as its row holds it. */
export function wrapDataKey(key: KeyObject, bytes: Buffer, id: string): string {
  return encrypt(key, bytes, dataKeyPlace(id));
}

/**
 * The bytes of a data key, by the first of these keys that opens it.
 *
 * @throws Error when none does
 */
export function unwrapDataKey(keys: readonly KeyObject[], wrapped: string, id: string): Buffer {
  let problem: unknown = new Error("master key not found");
  for (const key of keys) {
    try {
      return decrypt(key, wrapped, dataKeyPlace(id));
    } catch (error) {
      problem = error;
    }
  }
  throw problem;
}

/** Returns the fingerprint of a master key. It distinguishes master keys, and does not reveal them. */
export function fingerprintOf(master: Buffer): string {
  return Buffer.from(hkdfSync("sha256", master, "", "tessera master key", 12)).toString("base64url");
}

/** @param id fingerprint of the master key */
export function wrapTransition(master: KeyObject, bytes: Buffer, id: string): string {
  return encrypt(master, bytes, transitionPlace(id));
}

/** @throws Error when it does not open */
export function unwrapTransition(master: KeyObject, wrapped: string, id: string): KeyObject {
  return createSecretKey(decrypt(master, wrapped, transitionPlace(id)));
}

function dataKeyPlace(id: string): string {
  return `data_keys/wrapped/${id}`;
}

function transitionPlace(id: string): string {
  return `master_keys/transition/${id}`;
}
