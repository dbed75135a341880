import { createHmac, createPublicKey } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createSigningKey,
  encode,
  signText,
  signToken,
  startKeyServer,
  type KeyServer,
  type SigningKey,
} from "../../../test/support/key-server.ts";
import { openAsk } from "../../../test/support/open-ask.ts";
import { IdentityError } from "../errors.ts";
import type { RawConfig, Validator } from "../validator.ts";
import { createJwtValidator } from "./validator.ts";

const NOW = 1_800_000_000;
/** Nothing of a token comes back in a message. */
const CANARY = "canary-4711";
const CLAIMS = { iat: NOW, iss: CANARY, sub: CANARY, aud: "us" };

const elliptic = createSigningKey("k1");
const rsa = createSigningKey("k2", "RS256");
const attacker = createSigningKey("k1");

let server: KeyServer;
let validators: Map<string, Validator>;

beforeAll(async () => {
  server = await startKeyServer([elliptic, rsa]);
  const source = { JWTSupportedAlgs: ["ES256", "RS256"], BoundAudiences: ["us"] };
  validators = new Map([
    ["static keys", methodOf({ ...source, JWTValidationPubKeys: [elliptic.publicKey, rsa.publicKey] })],
    ["a key set", methodOf({ ...source, JWKSURL: `${server.url}/keys`, JWKSCACert: server.ca })],
    ["a provider", methodOf({ ...source, OIDCDiscoveryURL: server.url, OIDCDiscoveryCACert: server.ca })],
  ]);
});

afterAll(async () => {
  await server.close();
});

describe.each(["static keys", "a key set", "a provider"])("with %s", (source) => {
  const claims = () => ({ ...CLAIMS, iss: server.url, exp: NOW + 60 });
  const verify = (token: string) => refusalOf(validators.get(source), token);

  test("an honest token is accepted", async () => {
    expect(await verify(signToken(elliptic, claims()))).toBeUndefined();
    expect(await verify(signToken(rsa, claims()))).toBeUndefined();
  });

  test.each(["none", "None", "NONE", "nOnE", "", "HS256", "HS384", "HS512", "A256KW", "dir", "__proto__", "toString"])(
    "incident 5: the algorithm %j proves nothing",
    async (alg) => {
      const signed = signToken(elliptic, claims(), { alg });
      const message = await verify(signed);
      expect(message).toMatch(/: the algorithm of the signature is not supported$/);
      expect(await verify(signed.slice(0, signed.lastIndexOf(".") + 1))).toMatch(/not a signed JSON Web Token/);
    },
  );

  test("incident 5: a public key is no secret, in whatever form it is written", async () => {
    for (const key of [elliptic, rsa]) {
      for (const secret of secretsOf(key)) {
        for (const [alg, hash] of Object.entries({
          HS256: "sha256",
          HS384: "sha384",
          HS512: "sha512",
          ES256: "sha256",
        })) {
          const text = `${encode(JSON.stringify({ alg, kid: key.kid }))}.${encode(JSON.stringify(claims()))}`;
          const token = `${text}.${createHmac(hash, secret).update(text).digest("base64url")}`;
          expect(await verify(token), alg).toBeDefined();
        }
      }
    }
  });

  test("incident 5: a key is used with its own algorithms only", async () => {
    for (const alg of ["ES256", "ES384", "ES512", "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "EdDSA"]) {
      for (const key of [elliptic, rsa]) {
        const message = await verify(signToken(key, claims(), { alg }));
        expect(message === undefined, alg).toBe(alg === key.algorithm);
      }
    }
  });

  test.each([
    ["zip", { zip: "DEF" }],
    ["no zip", {}],
    ["deeply nested", { cty: "JWT" }],
  ])("incident 6: an encrypted token is refused before anything is decrypted: %s", async (_what, more) => {
    const header = encode(
      JSON.stringify({ alg: "PBES2-HS512+A256KW", enc: "A256GCM", p2c: 2 ** 31, p2s: "AA", ...more }),
    );
    const bomb = encode(deflateRawSync(Buffer.alloc(10_000_000)));
    for (const token of [`${header}.AAAA.AAAA.${bomb}.AAAA`, "....", `${header}....`]) {
      expect(await verify(token)).toMatch(/: the token is encrypted, which is not supported$/);
    }
  });

  test("keys and URLs of keys in the header are not looked at", async () => {
    const url = `${server.url}/attacker`;
    const { jwk } = attacker;
    for (const header of [{ jwk }, { jku: url }, { x5u: url }, { x5c: ["AAAA"] }, { jwk, jku: url, x5u: url }]) {
      expect(await verify(signToken(attacker, claims(), header))).toBeDefined();
      expect(await verify(signToken(elliptic, claims(), header))).toBeUndefined();
    }
    expect(server.requests.filter((path) => path.includes("attacker"))).toEqual([]);
  });

  test("extensions that must be understood are refused", async () => {
    for (const header of [{ crit: ["exp"], exp: 1 }, { crit: ["b64"], b64: false }, { crit: [] }, { crit: null }]) {
      expect(await verify(signToken(elliptic, claims(), header))).toMatch(/unsupported extensions$/);
    }
  });

  test("cut off at every seventh character a token is refused", async () => {
    const token = signToken(elliptic, claims());
    for (let length = 0; length < token.length; length += 7) {
      expect(await verify(token.slice(0, length)), String(length)).toBeDefined();
    }
  });

  test("changed anywhere a token is refused", async () => {
    const token = signToken(elliptic, claims());
    for (let position = 0; position < token.length - 1; position += 5) {
      const other = token[position] === "A" ? "B" : "A";
      expect(
        await verify(token.slice(0, position) + other + token.slice(position + 1)),
        String(position),
      ).toBeDefined();
    }
  });

  test("a token of 100 KiB is refused", async () => {
    expect(await verify(signToken(elliptic, { ...claims(), more: "x".repeat(100 * 1024) }))).toMatch(
      /: the token is longer than 32768 characters$/,
    );
  });

  test("what is no token in compact form is refused", async () => {
    const token = signToken(elliptic, claims());
    const [header = "", payload = "", signature = ""] = token.split(".");
    const forms = [
      ` ${token}`,
      `${token}\n`,
      `${token}=`,
      token.replaceAll(".", ".."),
      `${token}.`,
      `${header}.${payload}`,
      `${header}..${signature}`,
      JSON.stringify({ protected: header, payload, signature }),
      `${encode("[]")}.${payload}.${signature}`,
      `${encode("null")}.${payload}.${signature}`,
      `${encode('{"alg":"ES256"')}.${payload}.${signature}`,
      `${encode('{"alg":"none","alg":"ES256"}')}.${payload}.${signature}`,
      `${encode(Buffer.from([0x7b, 0xff, 0x7d]))}.${payload}.${signature}`,
      "\u{1f600}.\u{1f600}.\u{1f600}",
      "a.b.c",
      "\0",
    ];
    for (const form of forms) expect(await verify(form), form).toBeDefined();
  });

  test("a signature of zeros, or in another form, is refused", async () => {
    const token = signToken(elliptic, claims());
    const text = token.slice(0, token.lastIndexOf("."));
    const ours = Buffer.from(token.slice(text.length + 1), "base64url");
    const der = Buffer.concat([
      Buffer.from([0x30, 68, 2, 32]),
      ours.subarray(0, 32),
      Buffer.from([2, 32]),
      ours.subarray(32),
    ]);
    for (const signature of [Buffer.alloc(64), Buffer.alloc(1), der, Buffer.concat([ours, ours])]) {
      expect(await verify(`${text}.${encode(signature)}`)).toBeDefined();
    }
  });

  test("the name of a key must be a text, and the payload strict JSON", async () => {
    for (const kid of [7, {}, [], true]) expect(await verify(signToken(elliptic, claims(), { kid }))).toBeDefined();
    const times = `"iss":"${server.url}","aud":"us","iat":${NOW},"exp":${NOW + 60}`;
    const payloads = [
      `{${times},"sub":"a","sub":"${CANARY}"}`,
      `{${times},"x":{"a":1,"a":2}}`,
      `{${times},"x":${'{"a":'.repeat(1000)}1${"}".repeat(1000)}}`,
      `{${times},"x":${"[".repeat(1000)}${"]".repeat(1000)}}`,
      `{${times}}{}`,
      `[{${times}}]`,
      `"${CANARY}"`,
      "",
      " ",
      CANARY,
      `{"exp":9223372036854775808,"iss":"${server.url}","aud":"us","iat":${NOW}}`,
      `{"exp":"${NOW + 60}","iss":"${server.url}","aud":"us","iat":${NOW}}`,
    ];
    for (const payload of payloads) {
      const token = signText(elliptic, payload, { alg: "ES256", kid: "k1" });
      expect(await verify(token), payload.slice(0, 80)).toBeDefined();
    }
    expect(await verify(signText(elliptic, `{${times}} `, { alg: "ES256", kid: "k1" }))).toBeUndefined();
  });

  test("an integer that a double does not hold fails the login only where it is mapped", async () => {
    const payload = `{"iss":"${server.url}","aud":"us","iat":${NOW},"exp":${NOW + 60},"number":9007199254740993}`;
    const token = signText(elliptic, payload, { alg: "ES256", kid: "k1" });
    expect(await verify(token)).toBeUndefined();
    const mapped = methodOf({
      BoundAudiences: "us",
      JWTValidationPubKeys: [elliptic.publicKey],
      ClaimMappings: { number: "number" },
    });
    expect(await refusalOf(mapped, token)).toMatch(/^error converting claim 'number' to string/);
  });

  test("claims named __proto__ and constructor are claims like others", async () => {
    const payload = `{"iss":"${server.url}","aud":"us","iat":${NOW},"exp":${NOW + 60},"__proto__":{"sub":"root"},"constructor":"c"}`;
    const token = signText(elliptic, payload, { alg: "ES256", kid: "k1" });
    const mappings = JSON.parse('{"constructor":"__proto__","/__proto__/sub":"constructor","sub":"sub"}') as object;
    const mapped = methodOf({
      BoundAudiences: "us",
      JWTValidationPubKeys: [elliptic.publicKey],
      ClaimMappings: mappings,
    });
    expect((await mapped.verify(token)).variables).toEqual(
      new Map([
        ["value.__proto__", "c"],
        ["value.constructor", "root"],
        ["value.sub", ""],
      ]),
    );
  });
});

test("the name of a key counts where keys have names, and nowhere else", async () => {
  const claims = { ...CLAIMS, iss: server.url, exp: NOW + 60 };
  const verify = (source: string, kid: unknown) =>
    refusalOf(validators.get(source), signToken(elliptic, claims, { kid }));
  for (const kid of ["k1", null, undefined]) {
    for (const source of validators.keys()) expect(await verify(source, kid), source).toBeUndefined();
  }
  for (const kid of ["k2", "k3", "", "__proto__", "x".repeat(10_000)]) {
    expect(await verify("static keys", kid)).toBeUndefined();
    expect(await verify("a key set", kid)).toMatch(/^error verifying token: /);
    expect(await verify("a provider", kid)).toMatch(/^error validating signature: /);
  }
});

function secretsOf({ publicKey, jwk }: SigningKey): (string | Buffer)[] {
  const key = createPublicKey(publicKey);
  const pem = publicKey.trimEnd();
  const forms = [
    pem,
    `${pem}\n`,
    `${pem} `,
    `${pem}\n\n`,
    ` ${pem}`,
    pem.replaceAll("\n", "\r\n"),
    pem.replaceAll("\n", ""),
  ];
  return [...forms, key.export({ format: "der", type: "spki" }), JSON.stringify(jwk), ""];
}

function methodOf(raw: RawConfig): Validator {
  return createJwtValidator(raw, { ask: openAsk, now: () => NOW * 1000, onTrouble: () => undefined });
}

async function refusalOf(validator: Validator | undefined, token: string): Promise<string | undefined> {
  try {
    await validator?.verify(token);
    return undefined;
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error;
    expect(error.message).not.toContain(CANARY);
    expect(error.message.length).toBeLessThan(200);
    return error.message;
  }
}
