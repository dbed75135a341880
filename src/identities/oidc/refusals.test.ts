import { inspect } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openAsk } from "../../../test/support/open-ask.ts";
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
import type { Ask } from "../../outbound/outbound.ts";
import { IdentityError, ProviderError } from "../errors.ts";

const UI = "https://ui.example.com/cb";
const EXCHANGE = "Provider login failed: Error exchanging oidc code: ";

let provider: OpenIdProvider;
beforeAll(async () => {
  provider = await startOpenIdProvider({
    clients: [
      { ...CLIENT, redirectUris: [REDIRECT_URI, UI] },
      { ...CLIENT, clientId: "another" },
    ],
  });
});
afterAll(async () => {
  await provider.stop();
});
afterEach(() => {
  provider.userinfo = "answers";
});

describe("a code", () => {
  it("must be there", async () => {
    const validator = oidcValidator(oidcConfig(provider));
    await expectFailure(
      validator.exchange({ ...newLogin(), code: "" }),
      IdentityError,
      "Provider login failed: OAuth code parameter not provided",
    );
  });

  it("counts once", async () => {
    const validator = oidcValidator(oidcConfig(provider));
    const login = newLogin();
    const exchange = { ...login, code: await codeFor(validator, provider, login) };
    await validator.exchange(exchange);
    await expectFailure(
      validator.exchange(exchange),
      IdentityError,
      `${EXCHANGE}the identity provider returned invalid_grant`,
    );
  });

  it.each([
    ["another verifier", { codeVerifier: "x".repeat(43) }],
    ["no verifier", { codeVerifier: undefined }],
    ["another redirect URI", { redirectUri: UI }],
    ["another code", { code: "made up" }],
  ])("with %s proves nothing", async (_what, change) => {
    const validator = oidcValidator(oidcConfig(provider, { AllowedRedirectURIs: [REDIRECT_URI, UI] }));
    const login = newLogin();
    const code = await codeFor(validator, provider, login);
    await expectFailure(
      validator.exchange({ ...login, code, ...change }),
      IdentityError,
      `${EXCHANGE}the identity provider returned invalid_grant`,
    );
  });

  it("of another client proves nothing", async () => {
    const login = newLogin();
    const another = oidcValidator(oidcConfig(provider, { OIDCClientID: "another" }));
    const code = await codeFor(another, provider, login);
    await expectFailure(
      oidcValidator(oidcConfig(provider)).exchange({ ...login, code }),
      IdentityError,
      `${EXCHANGE}the identity provider returned invalid_grant`,
    );
  });

  it("proves nothing to a client whose secret is wrong", async () => {
    const validator = oidcValidator(oidcConfig(provider, { OIDCClientSecret: "wrong" }));
    await expectFailure(
      logIn(validator, provider),
      IdentityError,
      `${EXCHANGE}the identity provider returned invalid_client`,
    );
  });
});

describe("a client", () => {
  /** Answers codes as a provider that takes the client's secret in the body alone, and says so by its own code. */
  function inBodyAlone(refusal: object): Ask {
    return async (request) => {
      const isRefused = request.method === "POST" && request.headers?.["authorization"] !== undefined;
      if (!isRefused) return openAsk(request);
      const headers = { "content-type": "application/json", "www-authenticate": 'Basic realm="x"' };
      return { status: 401, headers, body: JSON.stringify(refusal) };
    };
  }

  it("shows its secret in another way when the provider does not know it by the first", async () => {
    const ask = inBodyAlone({ error: "invalid_client" });
    await expect(logIn(oidcValidator(oidcConfig(provider), { ask }), provider)).resolves.toBeDefined();
  });

  it("is not told what codes a provider makes up", async () => {
    const ask = inBodyAlone({ error: "secret error", error_description: "secret, too" });
    const login = logIn(oidcValidator(oidcConfig(provider), { ask }), provider);
    await expectFailure(
      login,
      IdentityError,
      `${EXCHANGE}the identity provider returned an error, with the status 401`,
    );
  });
});

describe("userinfo", () => {
  it("that fails refuses the login", async () => {
    provider.userinfo = "fails";
    await expectFailure(
      logIn(oidcValidator(oidcConfig(provider)), provider),
      ProviderError,
      "Provider login failed: Error reading userinfo: the response of the identity provider is unusable",
    );
  });

  it("about another subject refuses the login", async () => {
    provider.userinfo = "another subject";
    await expectFailure(
      logIn(oidcValidator(oidcConfig(provider)), provider),
      IdentityError,
      "Provider login failed: Error reading userinfo: the response is for a different subject",
    );
  });

  it.each([
    ["no subject", "{}", "the response does not verify the subject"],
    [
      "a subject twice",
      '{"sub":"bob","sub":"alice"}',
      "the claims are invalid: an object contains a member name twice",
    ],
    ["a list", "[]", "the response does not verify the subject"],
  ])("with %s refuses the login", async (_what, body, message) => {
    const ask = bentAsk("/me", () => ({ body }));
    await expectFailure(
      logIn(oidcValidator(oidcConfig(provider), { ask }), provider),
      IdentityError,
      `Provider login failed: Error reading userinfo: ${message}`,
    );
  });

  it("with a number beyond what is exact fails the login that maps it, and is not rounded", async () => {
    const ask = bentAsk("/me", ({ body }) => ({ body: body.replace(/\}$/, ',"level":9007199254740993}') }));
    const mapped = oidcValidator(oidcConfig(provider, { ClaimMappings: { level: "level" } }), { ask });
    await expectFailure(
      logIn(mapped, provider),
      IdentityError,
      "error converting claim 'level' to string: the number is too large to be exact",
    );
    await expect(logIn(oidcValidator(oidcConfig(provider), { ask }), provider)).resolves.toBeDefined();
  });
});

describe("what goes wrong", () => {
  it("is told without a secret, a code, a token or an answer", async () => {
    const asked: string[] = [];
    const ask: typeof openAsk = async (request) => {
      const answer = await openAsk(request);
      asked.push(...new URLSearchParams(request.body).values(), ...Object.values(request.headers ?? {}));
      if (request.url.endsWith("/token")) asked.push(...Object.values(JSON.parse(answer.body) as object).map(String));
      return answer;
    };
    const told: string[] = [];
    const tell = (error: unknown): void => void told.push(inspect(error, { depth: 20, showHidden: true }));
    const refused = oidcValidator(oidcConfig(provider, { OIDCClientSecret: "wrong" }), { ask });
    await logIn(refused, provider).catch(tell);
    const validator = oidcValidator(oidcConfig(provider), { ask });
    const login = newLogin();
    const code = await codeFor(validator, provider, login);
    await validator.exchange({ ...login, nonce: "another", code }).catch(tell);
    await validator.exchange({ ...login, code }).catch(tell);
    provider.userinfo = "fails";
    await logIn(validator, provider).catch(tell);
    provider.userinfo = "another subject";
    await logIn(validator, provider).catch(tell);
    await logIn(oidcValidator(oidcConfig(provider, { JWTSupportedAlgs: ["ES256"] }), { ask }), provider).catch(tell);
    expect(told).toHaveLength(6);
    const secrets = [CLIENT.clientSecret, "something secret broke", ...asked].filter((text) => text.length > 20);
    expect(secrets.length).toBeGreaterThan(10);
    for (const secret of secrets) {
      // The redirect URI and such are no secrets, but none of them has a place in these texts either.
      expect(told.filter((text) => text.includes(secret))).toEqual([]);
    }
  });
});
