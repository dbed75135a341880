import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  bentAsk,
  CLIENT,
  codeFor,
  expectFailure,
  logIn,
  newLogin,
  oidcConfig,
  oidcValidator,
} from "../../../test/support/openid-login.ts";
import { startOpenIdProvider, type OpenIdProvider } from "../../../test/support/openid-provider.ts";
import type { Ask } from "../../outbound/outbound.ts";
import { IdentityError, ProviderError } from "../errors.ts";
import type { RawConfig } from "../validator.ts";

const VERIFICATION = "Token verification failed: ";
const INVALID = `${VERIFICATION}its signature, or its form, is not valid`;
const AUDIENCE = `${VERIFICATION}invalid audience claim (aud)`;

let provider: OpenIdProvider;
let other: OpenIdProvider;
beforeAll(async () => {
  const options = { clients: [CLIENT], accounts: { alice: { idToken: { team: "blue" } } } };
  provider = await startOpenIdProvider(options);
  other = await startOpenIdProvider({ ...options, algorithm: "ES256" });
});
afterAll(async () => {
  await Promise.all([provider.stop(), other.stop()]);
});

type Payload = Record<string, unknown>;

/** Answers codes with another ID token than the provider gives. */
function withIdToken(make: (payload: Payload, idToken: string) => unknown): Ask {
  return bentAsk("/token", async ({ body }) => {
    const answer = JSON.parse(body) as { id_token: string };
    const [, payload = ""] = answer.id_token.split(".");
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as Payload;
    return { body: JSON.stringify({ ...answer, id_token: await make(claims, answer.id_token) }) };
  });
}

/** Answers codes with an ID token of this payload, signed as it should be. */
function withClaims(change: (payload: Payload) => Payload): Ask {
  return withIdToken((payload) => provider.sign(JSON.stringify(change(payload))));
}

async function tryWith(ask: Ask, more: RawConfig = {}): Promise<unknown> {
  const config = oidcConfig(provider, { ClaimMappings: { team: "team" }, ...more });
  return logIn(oidcValidator(config, { ask }), provider);
}

describe("an ID token", () => {
  it("must be there", async () => {
    await expectFailure(
      tryWith(withIdToken(() => undefined)),
      IdentityError,
      `${VERIFICATION}No id_token found in response.`,
    );
  });

  it("must be of this login", async () => {
    const validator = oidcValidator(oidcConfig(provider));
    const login = newLogin();
    const code = await codeFor(validator, provider, login);
    const error = `${VERIFICATION}Invalid ID token nonce.`;
    await expectFailure(validator.exchange({ ...login, code, nonce: "another" }), IdentityError, error);
    await expectFailure(tryWith(withClaims(({ nonce: _, ...claims }) => claims)), IdentityError, error);
    const nameless = { ...newLogin(), nonce: "" };
    const empty = oidcValidator(oidcConfig(provider), { ask: withClaims((claims) => ({ ...claims, nonce: "" })) });
    const another = await codeFor(empty, provider, nameless);
    await expectFailure(empty.exchange({ ...nameless, code: another }), IdentityError, error);
  });

  it.each<[string, (claims: Payload) => Payload, string]>([
    ["of another issuer", (claims) => ({ ...claims, iss: "https://id.example.com" }), "invalid issuer claim (iss)"],
    ["without an issuer", ({ iss: _, ...claims }) => claims, "its signature, or its form, is not valid"],
    ["without a subject", ({ sub: _, ...claims }) => claims, "its signature, or its form, is not valid"],
    ["whose subject is a number", (claims) => ({ ...claims, sub: 1 }), "its signature, or its form, is not valid"],
    ["without an expiry", ({ exp: _, ...claims }) => claims, "its signature, or its form, is not valid"],
    ["whose expiry is a text", (claims) => ({ ...claims, exp: "9" }), "its signature, or its form, is not valid"],
    ["that is expired", (claims) => ({ ...claims, exp: Date.now() / 1000 - 61 }), "token is expired (exp)"],
    ["that is not valid yet", (claims) => ({ ...claims, nbf: Date.now() / 1000 + 65 }), "token not valid yet (nbf)"],
    [
      "for somebody else, too, who may have asked for it",
      (claims) => ({ ...claims, aud: ["tessera", "other"], azp: "other" }),
      "invalid authorized party claim (azp)",
    ],
  ])("%s proves nothing", async (_what, change, message) => {
    await expectFailure(tryWith(withClaims(change)), IdentityError, VERIFICATION + message);
  });

  it("that is a little expired counts, for clocks differ", async () => {
    const ask = withClaims((claims) => ({ ...claims, exp: Date.now() / 1000 - 30 }));
    await expect(tryWith(ask)).resolves.toBeDefined();
  });

  it("is expired by the clock of the server, not by that of the process", async () => {
    const now = (): number => Date.now() + 3_600_000;
    const validator = oidcValidator(oidcConfig(provider), { now });
    await expectFailure(logIn(validator, provider), IdentityError, `${VERIFICATION}token is expired (exp)`);
  });

  const FORMS: [string, unknown][] = [
    ["absent", undefined],
    ["a text", "tessera"],
    ["a list", ["tessera"]],
    ["a list of two", ["other", "tessera"]],
    ["empty", []],
    ["a number", 5],
  ];
  const BOUND: [string, string[]][] = [
    ["nothing", []],
    ["this client", ["x", "tessera"]],
    ["another", ["y"]],
  ];
  it.each(FORMS.flatMap((form) => BOUND.map((bound) => [...form, ...bound] as const)))(
    "incidents 3 and 4: whose audience is %s (%j) and bound to %s is for this client or proves nothing",
    async (_form, aud, _bound, BoundAudiences) => {
      const login = tryWith(
        withClaims((claims) => ({ ...claims, aud, azp: "tessera" })),
        { BoundAudiences },
      );
      const isForClient = aud === "tessera" || (Array.isArray(aud) && aud.includes("tessera"));
      if (isForClient && !BoundAudiences.includes("y")) await expect(login).resolves.toBeDefined();
      else if (isForClient) {
        await expectFailure(login, IdentityError, `${VERIFICATION}aud claim does not match any bound audience`);
      } else await expectFailure(login, IdentityError, aud === undefined || aud === 5 ? INVALID : AUDIENCE);
    },
  );

  it("incident 5: is signed with an algorithm that is configured", async () => {
    const message = `${VERIFICATION}the algorithm of the signature is not one of JWTSupportedAlgs`;
    await expectFailure(
      tryWith(
        bentAsk("", () => ({})),
        { JWTSupportedAlgs: ["ES256"] },
      ),
      IdentityError,
      message,
    );
    const byAnother = withIdToken((claims) => provider.sign(JSON.stringify(claims), { alg: "ES256" }));
    await expectFailure(tryWith(byAnother), IdentityError, message);
    await expect(tryWith(byAnother, { JWTSupportedAlgs: ["RS256", "ES256"] })).resolves.toBeDefined();
    for (const alg of ["none", "HS256"]) {
      const forged = withIdToken((_claims, idToken) => {
        const [, payload = "", signature = ""] = idToken.split(".");
        const header = Buffer.from(JSON.stringify({ alg })).toString("base64url");
        return `${header}.${payload}.${alg === "none" ? "" : signature}`;
      });
      await expectFailure(tryWith(forged), IdentityError, message);
    }
  });

  it("incident 6: that is encrypted is not decrypted", async () => {
    const ask = withIdToken(() => `${Buffer.from('{"alg":"RS256","enc":"A128GCM"}').toString("base64url")}.a.b.c.d`);
    await expectFailure(
      tryWith(ask),
      IdentityError,
      `${VERIFICATION}the token is encrypted, or requires unsupported extensions`,
    );
  });

  it("proves nothing by a key of somebody else, whatever its name is, nor when it was changed or cut", async () => {
    const payload = async (ask: Ask): Promise<void> => {
      await expectFailure(tryWith(ask), IdentityError, INVALID);
    };
    const headerOf = (token: string): { kid: string } =>
      JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString()) as { kid: string };
    await payload(
      withIdToken((claims, idToken) => other.sign(JSON.stringify(claims), { alg: "RS256", ...headerOf(idToken) })),
    );
    await payload(withIdToken((_claims, idToken) => idToken.replace(/\.[\w-]{2}/, ".ey").slice(0, -2)));
    await payload(withIdToken((_claims, idToken) => idToken.slice(0, -9)));
    await payload(withIdToken((_claims, idToken) => idToken.slice(0, idToken.lastIndexOf("."))));
    await payload(withIdToken(() => "x"));
    await expectFailure(
      tryWith(withIdToken((claims) => other.sign(JSON.stringify(claims), { alg: "RS256" }))),
      IdentityError,
      `${VERIFICATION}no key of the provider matches the token`,
    );
  });

  it("signed with a key that the provider has given up proves nothing", async () => {
    const rotating = await startOpenIdProvider({ clients: [CLIENT] });
    let { sign } = rotating;
    const ask = withIdToken((claims) => sign(JSON.stringify(claims)));
    const validator = oidcValidator(oidcConfig(rotating), { ask });
    await expect(logIn(validator, rotating)).resolves.toBeDefined();
    sign = await rotating.rotateKeys();
    await expectFailure(
      logIn(validator, rotating),
      IdentityError,
      `${VERIFICATION}no key of the provider matches the token`,
    );
    await rotating.stop();
  });

  it("with a name twice, or nested deep, is refused though it is signed", async () => {
    const twice = withIdToken((claims) => provider.sign(`{"team":"red",${JSON.stringify(claims).slice(1)}`));
    await expectFailure(
      tryWith(twice),
      IdentityError,
      `${VERIFICATION}the claims are invalid: an object contains a member name twice`,
    );
    const depth = `${"[".repeat(1000)}${"]".repeat(1000)}`;
    const deep = withIdToken((claims) => provider.sign(`{"deep":${depth},${JSON.stringify(claims).slice(1)}`));
    await expectFailure(
      tryWith(deep),
      IdentityError,
      `${VERIFICATION}the claims are invalid: it is not JSON, is nested too deeply, or is too large`,
    );
  });

  it("with a number beyond what is exact fails the login that maps it, and is not rounded", async () => {
    const ask = withIdToken((claims) =>
      provider.sign(JSON.stringify(claims).replace('"team":"blue"', '"team":9007199254740993')),
    );
    await expectFailure(
      tryWith(ask),
      IdentityError,
      "error converting claim 'team' to string: the number is too large to be exact",
    );
  });

  it("may have claims named like what every object has", async () => {
    const ask = withIdToken((claims) =>
      provider.sign(`{"__proto__":"p","constructor":"c",${JSON.stringify(claims).slice(1)}`),
    );
    const names = '{"__proto__":"__proto__","constructor":"constructor","toString":"toString"}';
    const validator = oidcValidator(oidcConfig(provider, { ClaimMappings: JSON.parse(names) as unknown }), { ask });
    const { variables } = await logIn(validator, provider);
    expect(variables).toEqual(
      new Map([
        ["value.__proto__", "p"],
        ["value.constructor", "c"],
        ["value.toString", ""],
      ]),
    );
  });

  it("is not judged while the provider's keys cannot be had", async () => {
    const gone: Ask[] = [
      bentAsk("/jwks", () => ({ status: 500 })),
      bentAsk("/jwks", () => ({ status: 404 })),
      bentAsk("/jwks", () => ({ body: "<html>" })),
    ];
    for (const ask of gone) {
      await expectFailure(
        tryWith(ask),
        ProviderError,
        `${VERIFICATION}the response of the identity provider is unusable`,
      );
    }
    await expectFailure(tryWith(bentAsk("/jwks", () => ({ body: "{}" }))), IdentityError, INVALID);
  });
});
