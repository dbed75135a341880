import { createHash, generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { shown } from "../../../test/support/shown.ts";
import { createSigningKey, encode, signToken } from "../../../test/support/key-server.ts";
import { ProviderError } from "../errors.ts";
import { parseKeySet } from "./key-set.ts";
import { provenPayload, readToken } from "./token.ts";

const key = createSigningKey("k1");
const rsa = createSigningKey("r1", "RS256");

describe("a key set", () => {
  test.each([null, 1, "keys", [], {}, { keys: {} }, { keys: "x" }, { keys: null }])("is not %j", (document) => {
    expect(() => parseKeySet(document)).toThrow(new ProviderError("the response is not a JSON Web Key Set"));
  });

  test("of 1,000 keys is taken, a larger one is refused", async () => {
    const named = (length: number) => Array.from({ length }, (_, index) => ({ ...key.jwk, kid: `k${index}` }));
    const { jwk } = key;
    expect(await isProven([...named(999), { ...jwk, kid: "mine" }], { kid: "mine" })).toBe(true);
    expect(() => parseKeySet({ keys: named(10_000) })).toThrow(
      new ProviderError("the key set has more than 1000 keys"),
    );
  });

  test("with garbage between its keys has the keys all the same", async () => {
    const garbage = [
      null,
      1,
      "key",
      [],
      {},
      { kty: 1 },
      { kty: "EC" },
      { kty: "EC", crv: "P-256", x: "AAAA", y: "AAAA", kid: "k1" },
      { kty: "EC", crv: "P-256", x: 1, y: {}, kid: "k1" },
      { kty: "EC", crv: "__proto__", kid: "k1" },
      { kty: "RSA", n: "", e: "", kid: "k1" },
      { kty: "OKP", crv: "Ed25519", x: "!", kid: "k1" },
      { kty: "oct", k: "c2VjcmV0", alg: "HS256", kid: "k1" },
      JSON.parse('{"__proto__":{"kty":"EC"}}') as object,
    ];
    expect(await isProven([...garbage, key.jwk, ...garbage])).toBe(true);
    expect(await isProven(garbage)).toBe(false);
  });

  test.each(
    (
      [
        [{}, true],
        [{ use: undefined, alg: undefined }, true],
        [{ use: "enc" }, false],
        [{ use: "jwt-svid" }, true],
        [{ use: "x509-svid" }, false],
        [{ use: null }, false],
        [{ alg: "ES384" }, false],
        [{ alg: "ECDH-ES" }, false],
        [{ key_ops: ["verify"] }, true],
        [{ key_ops: ["deriveKey"] }, false],
        [{ crv: "P-384" }, false],
        [{ kty: "RSA" }, false],
        [{ kid: "k2" }, false],
        [{ kid: 7 }, false],
        [{ x5c: ["garbage"], x5t: 1, d: "AAAA" }, true],
      ] as [object, boolean][]
    ).map(([change, expected]) => [shown(change), change, expected] as const),
  )("uses a key as it says: %s", async (_shown, change, expected) => {
    expect(await isProven([{ ...key.jwk, ...change }])).toBe(expected);
  });

  test("uses a key that names its algorithm with no other, though its owner has signed by it", async () => {
    for (const algorithm of ["RS256", "RS512", "PS256"] as const) {
      const token = signToken({ ...rsa, algorithm }, { sub: "x" });
      expect([algorithm, await isTokenProven([rsa.jwk], token)]).toEqual([algorithm, algorithm === "RS256"]);
      expect([algorithm, await isTokenProven([{ ...rsa.jwk, alg: undefined }], token)]).toEqual([algorithm, true]);
    }
  });

  test("is searched whole by a token that names no key", async () => {
    const others = ["a", "b", "c"].map((kid) => createSigningKey(kid).jwk);
    expect(await isProven([rsa.jwk, ...others, { ...key.jwk, kid: undefined }], { kid: undefined })).toBe(true);
    expect(await isProven([rsa.jwk, ...others], { kid: undefined })).toBe(false);
  });

  test("is not searched by a token that names no key when too many fit", async () => {
    const many = Array.from({ length: 101 }, () => createSigningKey("x").jwk);
    await expect(isProven(many, { kid: undefined })).rejects.toThrow(/too many keys match$/);
    expect(await isProven([...many, key.jwk], { kid: "k1" })).toBe(true);
    const unfit = Array.from({ length: 101 }, () => ({ ...rsa.jwk, alg: undefined }));
    expect(await isProven([...unfit, key.jwk], { kid: undefined })).toBe(true);
  });

  test.each(["__proto__", "constructor", "toString"])("may have a key named %s", async (kid) => {
    expect(await isProven([key.jwk], { kid })).toBe(false);
    expect(await isProven([{ ...key.jwk, kid }], { kid })).toBe(true);
  });

  test("with RSA keys that are too weak does not use them", async () => {
    const weak = { ...rsa.jwk, e: "AQ" };
    expect(await isTokenProven([rsa.jwk], signToken(rsa, {}))).toBe(true);
    expect(await isTokenProven([weak], forgedForExponentOne())).toBe(false);
    expect(importOf(weak)).toBeUndefined();
    const short = generateKeyPairSync("rsa", { modulusLength: 1024 }).publicKey.export({ format: "jwk" });
    expect(importOf(short)).toBeUndefined();
    expect(importOf(rsa.jwk)).toBeDefined();
  });
});

function isProven(keys: readonly unknown[], header = {}): Promise<boolean> {
  return isTokenProven(keys, signToken(key, { sub: "x" }, header));
}

async function isTokenProven(keys: readonly unknown[], text: string): Promise<boolean> {
  const token = readToken(text);
  return (await provenPayload(token, parseKeySet({ keys }).named(token.kid))) !== undefined;
}

function importOf(jwk: object): unknown {
  return parseKeySet({ keys: [jwk] })
    .named(undefined)[0]
    ?.load();
}

/** Returns a forged token: with the exponent 1, the padded digest is its own signature. */
function forgedForExponentOne(): string {
  const text = `${encode('{"alg":"RS256","kid":"r1"}')}.${encode("{}")}`;
  const prefix = Buffer.from("3031300d060960864801650304020105000420", "hex");
  const digest = Buffer.concat([Buffer.from([0]), prefix, createHash("sha256").update(text).digest()]);
  const padding = Buffer.alloc(256 - 2 - digest.length, 0xff);
  return `${text}.${encode(Buffer.concat([Buffer.from([0, 1]), padding, digest]))}`;
}
