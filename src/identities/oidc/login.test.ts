import { generateKeyPairSync } from "node:crypto";
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
  REDIRECT_URI,
} from "../../../test/support/openid-login.ts";
import { startOpenIdProvider, type OpenIdProvider } from "../../../test/support/openid-provider.ts";
import { userAgent } from "../../../test/support/user-agent.ts";
import { IdentityError } from "../errors.ts";
import { isOidcValidator, RedirectUriError } from "./oidc-validator.ts";

const UI = "https://ui.example.com/cb?tenant=a";
const MAPPINGS = {
  ClaimMappings: { sub: "user", team: "team", "/org/unit": "unit", level: "level", acr: "acr", absent: "absent" },
  ListClaimMappings: { groups: "groups", email: "emails" },
};

/** A key of the client's own. */
const OWN = (() => {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const pem = privateKey.export({ type: "pkcs8", format: "pem" });
  return { pem, jwk: { ...publicKey.export({ format: "jwk" }), kid: "own", use: "sig" } };
})();

let provider: OpenIdProvider;
beforeAll(async () => {
  provider = await startOpenIdProvider({
    clients: [
      { ...CLIENT, redirectUris: [REDIRECT_URI, UI, "https://ui.example.com"] },
      { ...CLIENT, clientId: "posts", authentication: "client_secret_post" },
      { ...CLIENT, clientId: "signed", hasSignedUserinfo: true },
      { ...CLIENT, clientId: "asserts", authentication: "private_key_jwt", jwk: OWN.jwk },
    ],
    accounts: {
      alice: {
        idToken: { groups: ["dev", "ops", ""], team: "of the token", level: 7 },
        userinfo: { team: "of userinfo", org: { unit: "north" }, email: "alice@example.com", acr: "forged" },
      },
      bob: { userinfo: { groups: "one" } },
    },
    acrValues: ["gold"],
  });
});
afterAll(async () => {
  await provider.stop();
});

describe("a client that proves itself by an assertion", () => {
  const asserting = (assertion: object) =>
    oidcValidator(
      oidcConfig(provider, {
        ...MAPPINGS,
        OIDCClientID: "asserts",
        OIDCClientSecret: "",
        OIDCClientAssertion: { PrivateKey: { PemKey: OWN.pem }, ...assertion },
      }),
    );

  it.each<[string, (issuer: string) => object]>([
    ["for the issuer, by RS256, where nothing else is said", () => ({})],
    ["for whom it says", (issuer) => ({ Audience: [issuer] })],
    ["for several", (issuer) => ({ Audience: ["https://other.example", issuer] })],
    ["by another algorithm", () => ({ KeyAlgorithm: "RS512" })],
    ["with the name of its key, as a block of HCL", () => ({ PrivateKey: [{ PemKey: OWN.pem, KeyID: "own" }] })],
  ])("logs in: %s", async (_what, assertion) => {
    const identity = await logIn(asserting(assertion(provider.issuer)), provider);
    expect(identity.variables.get("value.user")).toBe("alice");
  });

  it("is refused when it signs for somebody else, or by another key", async () => {
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const PrivateKey = { PemKey: privateKey.export({ type: "pkcs1", format: "pem" }) };
    for (const assertion of [{ Audience: ["https://other.example"] }, { PrivateKey }]) {
      await expectFailure(
        logIn(asserting(assertion), provider),
        IdentityError,
        "Provider login failed: Error exchanging oidc code: the identity provider returned invalid_client",
      );
    }
  });
});

describe("a login", () => {
  it("proves who sits at the browser, by what the ID token and userinfo say", async () => {
    const validator = oidcValidator(oidcConfig(provider, MAPPINGS));
    const identity = await logIn(validator, provider);
    expect(identity.fields).toEqual(
      new Map<string, unknown>([
        [
          "value",
          new Map([
            ["user", "alice"],
            ["team", "of userinfo"],
            ["unit", "north"],
            ["level", "7"],
          ]),
        ],
        [
          "list",
          new Map([
            ["groups", ["dev", "ops"]],
            ["emails", ["alice@example.com"]],
          ]),
        ],
      ]),
    );
    expect(Object.fromEntries(identity.variables)).toEqual({
      "value.user": "alice",
      "value.team": "of userinfo",
      "value.unit": "north",
      "value.level": "7",
      "value.acr": "",
      "value.absent": "",
    });
    expect([...identity.variables.keys()].sort()).toEqual([...validator.form.variables].sort());
    const other = await logIn(validator, provider, { account: "bob" });
    expect(other.fields.get("list")).toEqual(new Map([["groups", ["one"]]]));
  });

  it("works for a client that shows its secret in the body, and with userinfo that is signed", async () => {
    for (const OIDCClientID of ["posts", "signed"]) {
      const validator = oidcValidator(oidcConfig(provider, { ...MAPPINGS, OIDCClientID }));
      expect((await logIn(validator, provider)).variables.get("value.team")).toBe("of userinfo");
    }
  });

  it("works without PKCE, and without userinfo where the provider has none", async () => {
    const path = "/.well-known/openid-configuration";
    const ask = bentAsk(path, ({ body }) => ({ body: body.replace('"userinfo_endpoint"', '"nothing"') }));
    const validator = oidcValidator(oidcConfig(provider, MAPPINGS), { ask });
    const { codeVerifier: _, ...login } = newLogin();
    const { variables } = await validator.exchange({ ...login, code: await codeFor(validator, provider, login) });
    expect([variables.get("value.team"), variables.get("value.unit")]).toEqual(["of the token", ""]);
  });

  it("works over HTTP where the configuration names that", async () => {
    const plain = await startOpenIdProvider({ clients: [CLIENT], isPlain: true });
    const config = oidcConfig(plain, { ClaimMappings: { sub: "user" }, OIDCDiscoveryCACert: "" });
    expect((await logIn(oidcValidator(config), plain)).variables.get("value.user")).toBe("alice");
    await plain.stop();
  });

  it.each([UI, "https://ui.example.com"])("works with the redirect URI %s, as it is written", async (redirectUri) => {
    const validator = oidcValidator(oidcConfig(provider, { AllowedRedirectURIs: redirectUri }));
    const login = newLogin({ redirectUri });
    const code = await codeFor(validator, provider, login);
    await expect(validator.exchange({ ...login, code })).resolves.toBeDefined();
  });

  it("takes new keys of the provider at once, and old ones no more", async () => {
    const validator = oidcValidator(oidcConfig(provider, MAPPINGS));
    await logIn(validator, provider);
    for (let rotation = 0; rotation < 3; rotation++) {
      await provider.rotateKeys();
      await expect(logIn(validator, provider)).resolves.toBeDefined();
    }
  });

  it("is sent to the provider with all that it needs, and comes back with the state", async () => {
    const config = oidcConfig(provider, { OIDCScopes: ["groups", "openid"], OIDCACRValues: ["gold", "silver"] });
    const validator = oidcValidator(config);
    const login = newLogin();
    const url = new URL(await validator.authUrl(login));
    expect(url.origin + url.pathname).toBe(`${provider.issuer}/auth`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: "tessera",
      response_type: "code",
      scope: "openid groups",
      redirect_uri: REDIRECT_URI,
      state: login.state,
      nonce: login.nonce,
      acr_values: "gold silver",
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
    });
    const landing = await userAgent(provider)(url.href);
    expect(landing).toMatchObject({ redirectUri: REDIRECT_URI, state: login.state, error: undefined });
    const denied = await userAgent(provider, { isDenied: true })(await validator.authUrl(newLogin()));
    expect(denied).toMatchObject({ code: undefined, error: "access_denied" });
  });

  it("asks for no more than is configured", async () => {
    const { codeVerifier: _, ...login } = newLogin();
    const url = new URL(await oidcValidator(oidcConfig(provider)).authUrl(login));
    expect([...url.searchParams.keys()].sort()).toEqual([
      "client_id",
      "nonce",
      "redirect_uri",
      "response_type",
      "scope",
      "state",
    ]);
  });

  it("goes by the OIDC endpoints alone", async () => {
    const validator = oidcValidator(oidcConfig(provider));
    expect(isOidcValidator(validator)).toBe(true);
    await expectFailure(
      validator.verify("x"),
      IdentityError,
      'auth method of type "oidc" logs in through the OIDC endpoints, not with a bearer token',
    );
  });

  it("goes to allowed redirect URIs alone, when it begins and when it ends", async () => {
    const validator = oidcValidator(oidcConfig(provider));
    const login = newLogin({ redirectUri: UI });
    const error = `unauthorized redirect_uri: ${UI}`;
    await expectFailure(validator.authUrl(login), RedirectUriError, error);
    await expectFailure(validator.exchange({ ...login, code: "x" }), RedirectUriError, error);
    expect(() => validator.checkRedirectUri("")).toThrow("missing redirect_uri");
  });
});
