import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { shown } from "../../../test/support/shown.ts";
import {
  createSigningKey,
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
const first = createSigningKey("k1");

let server: KeyServer;

beforeEach(async () => {
  server = await startKeyServer([first]);
});

afterEach(async () => {
  await server.close();
});

describe("a discovered provider", () => {
  const base = () => ({
    OIDCDiscoveryURL: server.url,
    OIDCDiscoveryCACert: server.ca,
    JWTSupportedAlgs: ["ES256"],
    BoundAudiences: ["mine"],
  });

  function methodOf(raw: RawConfig = {}): Validator {
    return createJwtValidator(
      { ...base(), ...raw },
      { ask: openAsk, now: () => NOW * 1000, onTrouble: () => undefined },
    );
  }

  function answerDiscovery(document: object): void {
    server.answer = (path, response) => {
      if (!path.startsWith("/.well-known")) return false;
      response.writeHead(200).end(JSON.stringify(document));
      return true;
    };
  }

  test.each(["https://other.example", "", undefined, "/"])("must be the issuer of its URL, not %j", async (issuer) => {
    answerDiscovery({ issuer: issuer === "/" ? `${server.url}/` : issuer, jwks_uri: `${server.url}/keys` });
    await expect(methodOf().probe()).rejects.toThrow(/issuer mismatch/);
  });

  test("may have a slash at the end of its name, when the configuration has it", async () => {
    answerDiscovery({ issuer: `${server.url}/`, jwks_uri: `${server.url}/keys` });
    const validator = methodOf({ OIDCDiscoveryURL: `${server.url}/` });
    await validator.verify(signToken(first, { iat: NOW, exp: NOW + 60, iss: `${server.url}/`, aud: "mine" }));
    expect(server.requests[0]).toBe("/.well-known/openid-configuration");
  });

  test.each([undefined, 7, "", "keys", "file:///etc/passwd", "http://127.0.0.1/keys"])(
    "must name its keys by a URL that is as safe as its own, not %j",
    async (jwks_uri) => {
      answerDiscovery({ issuer: server.url, jwks_uri });
      await expect(methodOf().probe()).rejects.toThrow(/the discovery document has no usable jwks_uri$/);
    },
  );

  test.each(
    (
      [
        [{ iss: "https://other.example" }, "error validating signature: the token was issued by a different issuer"],
        [{ iss: undefined }, "error validating signature: the token was issued by a different issuer"],
        [{ exp: undefined }, "error validating signature: the token has no expiration time"],
        [{ exp: NOW }, undefined],
        [{ exp: NOW - 1 }, "error validating signature: the token is expired"],
        [{ nbf: NOW + 300 }, undefined],
        [{ nbf: NOW + 301 }, "error validating signature: the token is not valid yet"],
        [{ aud: 7 }, "error validating claims: the aud claim is neither a string nor a list of strings"],
      ] as [object, string | undefined][]
    ).map(([claims, expected]) => [shown(claims), claims, expected] as const),
  )("has tokens with %s", async (_shown, claims, expected) => {
    expect(await messageOf(methodOf({ ClockSkewLeeway: "1h", ExpirationLeeway: "1h" }), claims)).toBe(expected);
  });

  test("incident 3: has tokens whose audience is checked when audiences are bound", async () => {
    const other = "error validating claims: aud claim does not match any bound audience";
    const validator = methodOf();
    for (const aud of ["mine", ["x", "mine"]]) expect(await messageOf(validator, { aud })).toBeUndefined();
    for (const aud of [undefined, "x", [], ["x"], ""]) expect(await messageOf(validator, { aud })).toBe(other);
    expect(await messageOf(validator, { aud: 7 })).toBeDefined();
  });

  test("has tokens that are signed as JWTSupportedAlgs says, with RS256 unless it says anything", async () => {
    const [rsa, pss, ed] = (["RS256", "PS256", "EdDSA"] as const).map((name) => createSigningKey(name, name)) as [
      SigningKey,
      SigningKey,
      SigningKey,
    ];
    server.keys = [first, rsa, pss, ed];
    const unsupported = "error validating signature: the algorithm of the signature is not one of JWTSupportedAlgs";
    const standard = methodOf({ JWTSupportedAlgs: [] });
    expect(await messageOf(standard, {}, rsa)).toBeUndefined();
    for (const key of [first, pss, ed]) expect(await messageOf(standard, {}, key)).toBe(unsupported);
    const own = methodOf({ JWTSupportedAlgs: ["EdDSA", "PS256"] });
    for (const key of [ed, pss]) expect(await messageOf(own, {}, key)).toBeUndefined();
    expect(await messageOf(own, {}, rsa)).toBe(unsupported);
  });

  async function messageOf(validator: Validator, claims: object, key = first): Promise<string | undefined> {
    const failure = await validator
      .verify(signToken(key, { iat: NOW, exp: NOW + 60, iss: server.url, aud: "mine", ...claims }))
      .then(() => undefined)
      .catch((error: unknown) => error);
    if (failure !== undefined) expect(failure).toBeInstanceOf(IdentityError);
    return (failure as Error | undefined)?.message;
  }
});
