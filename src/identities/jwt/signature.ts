import { compactVerify } from "jose";
import { IdentityError } from "../errors.ts";
import { canonicalAlgorithm } from "./algorithms.ts";
import type { VerificationKey } from "./public-keys.ts";
import type { Token } from "./token.ts";

/** Each key that is tried costs up to a millisecond, and a token need not name one. */
export const MAX_TRIED = 100;

/**
 * Proves that one of the keys has signed a token. A key is tried only when it fits the token's algorithm, so that no key
 * is ever used in another way than its owner does.
 *
 * @returns the payload that was signed; undefined when none of the keys has
 * @throws IdentityError when more keys fit than are tried
 */
export async function provenPayload(token: Token, keys: readonly VerificationKey[]): Promise<Uint8Array | undefined> {
  const fitting = keys.filter((key) => fits(key, token));
  if (fitting.length > MAX_TRIED) throw new IdentityError("the token names no key, and too many keys fit it");
  for (const candidate of fitting) {
    const key = candidate.load();
    if (key === undefined) continue;
    try {
      const { payload } = await compactVerify(token.text, key, { algorithms: [token.algorithm] });
      return payload;
    } catch {
      // Whatever the library finds wrong with signature or key, this key proves nothing.
    }
  }
  return undefined;
}

function fits({ kind, algorithm }: VerificationKey, token: Token): boolean {
  return kind === token.kind && (algorithm === undefined || algorithm === canonicalAlgorithm(token.algorithm));
}
