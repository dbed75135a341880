import { CompactSign, generateKeyPair } from "jose";
import { KeyObject } from "node:crypto";
import { expect, test } from "vitest";
import type { VerificationKey } from "./public-keys.ts";
import { kindOfKey } from "./public-keys.ts";
import { provenPayload, readToken } from "./token.ts";

const ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "Ed25519"];

async function make(algorithm: string): Promise<{ token: string; keys: VerificationKey[] }> {
  const pair = await generateKeyPair(algorithm);
  const payload = new TextEncoder().encode('{"sub":"me"}');
  const token = await new CompactSign(payload).setProtectedHeader({ alg: algorithm }).sign(pair.privateKey);
  const key = KeyObject.from(pair.publicKey);
  const kind = kindOfKey(key);
  if (kind === undefined) throw new Error(`no kind of key is used with ${algorithm}`);
  return { token, keys: [{ kind, algorithm: undefined, load: () => key }] };
}

async function prove(token: string, keys: readonly VerificationKey[]): Promise<string | undefined> {
  const payload = await provenPayload(readToken(token), keys);
  return payload && Buffer.from(payload).toString();
}

test.each(ALGORITHMS)("%s as others sign it is proven by its key alone", async (algorithm) => {
  const [{ token, keys }, other] = [await make(algorithm), await make(algorithm)];
  expect(await prove(token, keys)).toBe('{"sub":"me"}');
  expect(await prove(token, [...other.keys, ...keys])).toBe('{"sub":"me"}');
  expect(await prove(token, other.keys)).toBeUndefined();
});

test.each(ALGORITHMS)("a signature by %s with letters too many or too few is none", async (algorithm) => {
  const { token, keys } = await make(algorithm);
  for (const more of ["A", "AA", "AAA", "AAAA"]) expect(await prove(token + more, keys), more).toBeUndefined();
  for (const less of [1, 2, 3, 4]) expect(await prove(token.slice(0, -less), keys), `${less}`).toBeUndefined();
});

test.each(["RS256", "PS256"])("a signature by %s is none by another algorithm of the same key", async (algorithm) => {
  const { token, keys } = await make(algorithm);
  for (const alg of ["RS256", "RS384", "PS256", "PS384"]) {
    if (alg === algorithm) continue;
    const header = Buffer.from(JSON.stringify({ alg })).toString("base64url");
    expect(await prove(token.replace(/^[^.]+/, header), keys), alg).toBeUndefined();
  }
});
