import { describe, expect, test } from "vitest";
import { createSigningKey, signText, signToken, type Algorithm } from "../../../test/support/key-server.ts";
import { openAsk } from "../../../test/support/open-ask.ts";
import { IdentityError } from "../errors.ts";
import type { RawConfig, Validator, VerifiedIdentity } from "../validator.ts";
import { createJwtValidator } from "./validator.ts";

const NOW = 1_800_000_000;
const LATER = NOW + 3600;
const key = createSigningKey("k1");

describe("a token", () => {
  const algorithms: Algorithm[] = [
    ...(["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"] as const),
    ...(["ES256", "ES384", "ES512", "EdDSA", "Ed25519"] as const),
  ];
  test.each(algorithms)(
    "signed with %s proves who its bearer is, unless JWTSupportedAlgs names others",
    async (algorithm) => {
      const signer = createSigningKey("k", algorithm);
      const keys = { JWTValidationPubKeys: [key.publicKey, signer.publicKey] };
      const named = methodOf({ ...keys, JWTSupportedAlgs: algorithm === "Ed25519" ? "EdDSA" : algorithm });
      expect(await named.verify(signToken(signer, { iat: NOW }))).toBeDefined();
      const others = methodOf({ ...keys, JWTSupportedAlgs: algorithm === "RS384" ? "RS256" : "RS384" });
      expect(await refusalOf(others, signToken(signer, { iat: NOW }))).toBe(
        "the algorithm of the signature is not one of JWTSupportedAlgs",
      );
      const validator = methodOf(keys);
      expect(await validator.verify(signToken(signer, { iat: NOW }))).toBeDefined();
      expect(await refusalOf(validator, signToken(createSigningKey("k", algorithm), { iat: NOW }))).toBe(
        "no known key successfully validated the token signature",
      );
    },
  );

  test("becomes an identity by the mappings", async () => {
    const identity = await login(
      { ClaimMappings: { sub: "sub", "/org/team": "team" }, ListClaimMappings: { groups: "groups" } },
      { iat: NOW, sub: "ada", org: { team: 7 }, groups: ["a", "b"] },
    );
    expect(identity.fields).toEqual(
      new Map<string, unknown>([
        [
          "value",
          new Map([
            ["sub", "ada"],
            ["team", "7"],
          ]),
        ],
        ["list", new Map([["groups", ["a", "b"]]])],
      ]),
    );
    expect(identity.variables).toEqual(
      new Map([
        ["value.sub", "ada"],
        ["value.team", "7"],
      ]),
    );
  });

  test("whose mapped claim cannot be mapped is refused", async () => {
    expect(await refusal({ ClaimMappings: { sub: "sub" } }, { iat: NOW, sub: [] })).toBe(
      "error converting claim 'sub' to string from unknown type []interface {}",
    );
  });

  test("that is missing is refused", async () => {
    expect(await refusalOf(methodOf({}), "")).toBe("missing jwt");
  });
});

const failed = (what: string) => `error validating claims: go-jose/go-jose/jwt: validation failed, ${what}`;
const EXPIRED = failed("token is expired (exp)");
const NOT_YET = failed("token not valid yet (nbf)");
const FUTURE = failed("token issued in the future (iat)");
const NO_TIME = "no issue time, notbefore, or expiration time encoded in token";
const notATime = (name: string) => `error validating claims: the ${name} claim is not a time in seconds`;

describe("the lifetime of a token", () => {
  test.each([
    [{}, NO_TIME],
    [{ exp: null, nbf: null, iat: null }, NO_TIME],
    [{ exp: NOW - 60 }, undefined],
    [{ exp: NOW - 61 }, EXPIRED],
    [{ exp: NOW - 60.5 }, EXPIRED],
    [{ exp: 0 }, EXPIRED],
    [{ exp: -1 }, EXPIRED],
    // Without a beginning it began 150 seconds before it ends.
    [{ exp: NOW + 210 }, undefined],
    [{ exp: NOW + 211 }, NOT_YET],
    [{ exp: LATER, nbf: NOW + 60 }, undefined],
    [{ exp: LATER, nbf: NOW + 61 }, NOT_YET],
    [{ exp: LATER, iat: NOW + 60 }, undefined],
    [{ exp: LATER, iat: NOW + 61 }, NOT_YET],
    [{ exp: LATER, nbf: NOW, iat: NOW + 61 }, FUTURE],
    // Without an end it ends 150 seconds after it began.
    [{ iat: NOW - 210 }, undefined],
    [{ iat: NOW - 211 }, EXPIRED],
    [{ nbf: NOW - 211 }, EXPIRED],
    [{ iat: NOW - 1000, nbf: NOW - 210 }, undefined],
    [{ iat: 0 }, EXPIRED],
    [{ exp: "never" }, notATime("exp")],
    [{ exp: String(LATER) }, notATime("exp")],
    [{ exp: [LATER] }, notATime("exp")],
    [{ exp: true }, notATime("exp")],
    [{ exp: LATER, nbf: "x" }, notATime("nbf")],
    [{ exp: LATER, iat: {} }, notATime("iat")],
  ])("%j", async (claims, expected) => {
    expect(await refusal({}, claims)).toBe(expected);
  });

  test.each(["9223372036854775808", "9007199254740993", "1e400", "9223372036854775807"])(
    "does not end at %s",
    async (exp) => {
      const token = signText(key, `{"iat":${NOW},"exp":${exp}}`, { alg: "ES256" });
      expect(await refusalOf(methodOf({}), token)).toBe(notATime("exp"));
    },
  );

  test("is measured without leeways where they are negative", async () => {
    const none = { ExpirationLeeway: -1, NotBeforeLeeway: -1, ClockSkewLeeway: -1 };
    expect(await refusal(none, { exp: NOW })).toBeUndefined();
    expect(await refusal(none, { exp: NOW - 1 })).toBe(EXPIRED);
    expect(await refusal(none, { exp: NOW + 1 })).toBe(NOT_YET);
    expect(await refusal(none, { iat: NOW })).toBeUndefined();
    expect(await refusal(none, { iat: NOW - 1 })).toBe(EXPIRED);
  });

  test("ends for a server whose clock is one hour off", async () => {
    const claims = { iat: NOW, exp: NOW + 600 };
    const at = (seconds: number) => refusalOf(methodOf({}, seconds), signToken(key, claims));
    expect(await at(NOW)).toBeUndefined();
    expect(await at(NOW + 3600)).toBe(EXPIRED);
    expect(await at(NOW - 3600)).toBe(NOT_YET);
  });
});

describe("the issuer of a token", () => {
  const ISSUER = failed("invalid issuer claim (iss)");
  test.each([
    ["https://a", "https://a", undefined],
    ["https://a", "https://a/", ISSUER],
    ["https://a", undefined, ISSUER],
    ["https://a", ["https://a"], ISSUER],
    ["https://a", null, ISSUER],
    ["", "https://a", undefined],
    ["", undefined, undefined],
  ])("bound to %j, is %j", async (BoundIssuer, iss, expected) => {
    expect(await refusal({ BoundIssuer }, { exp: LATER, nbf: NOW, iss })).toBe(expected);
  });

  test("is looked at before its lifetime, and that before its audience", async () => {
    const bound = { BoundIssuer: "a", BoundAudiences: "b" };
    expect(await refusal(bound, { exp: 1, iss: "x", aud: "x" })).toBe(ISSUER);
    expect(await refusal(bound, { exp: 1, iss: "a", aud: "x" })).toBe(EXPIRED);
  });
});

describe("incident 3: the audience of a token", () => {
  const UNBOUND = "error validating claims: audience claim found in JWT but no audiences are bound";
  const OTHER = "error validating claims: aud claim does not match any bound audience";
  const MALFORMED = "error validating claims: the aud claim is neither a string nor a list of strings";
  test.each([
    [undefined, undefined, OTHER, OTHER],
    [null, undefined, OTHER, OTHER],
    ["mine", UNBOUND, undefined, OTHER],
    [["mine"], UNBOUND, undefined, OTHER],
    [["x", "mine"], UNBOUND, undefined, OTHER],
    [[], UNBOUND, OTHER, OTHER],
    ["", UNBOUND, OTHER, OTHER],
    ["mine ", UNBOUND, OTHER, OTHER],
    ["min", UNBOUND, OTHER, OTHER],
    [7, MALFORMED, MALFORMED, MALFORMED],
    [true, MALFORMED, MALFORMED, MALFORMED],
    [{ mine: "mine" }, MALFORMED, MALFORMED, MALFORMED],
    [["mine", 7], MALFORMED, MALFORMED, MALFORMED],
    [["mine", ["mine"]], MALFORMED, MALFORMED, MALFORMED],
  ])("%j: against none, the same, another", async (aud, unbound, bound, other) => {
    const claims = { exp: LATER, nbf: NOW, aud };
    expect(await refusal({}, claims)).toBe(unbound);
    expect(await refusal({ BoundAudiences: ["else", "mine"] }, claims)).toBe(bound);
    expect(await refusal({ BoundAudiences: ["other"] }, claims)).toBe(other);
  });

  test("incident 4: is not left unchecked by a configuration without audiences", async () => {
    for (const BoundAudiences of [undefined, null, []]) {
      expect(await refusal({ BoundAudiences }, { exp: LATER, nbf: NOW, aud: "any" })).toBe(UNBOUND);
    }
    expect(() => methodOf({ BoundAudiences: [""] })).toThrow("'BoundAudiences' must not contain an empty audience");
  });
});

function methodOf(raw: RawConfig, seconds = NOW): Validator {
  const config = { JWTValidationPubKeys: [key.publicKey], ...raw };
  return createJwtValidator(config, { ask: openAsk, now: () => seconds * 1000, onTrouble: () => undefined });
}

async function login(raw: RawConfig, claims: object): Promise<VerifiedIdentity> {
  return methodOf(raw).verify(signToken(key, claims));
}

async function refusal(raw: RawConfig, claims: object): Promise<string | undefined> {
  return refusalOf(methodOf(raw), signToken(key, claims));
}

async function refusalOf(validator: Validator, token: string): Promise<string | undefined> {
  try {
    await validator.verify(token);
    return undefined;
  } catch (error) {
    if (error instanceof IdentityError) return error.message;
    throw error;
  }
}
