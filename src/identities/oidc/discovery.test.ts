import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openAsk } from "../../../test/support/open-ask.ts";
import { makeCertificate } from "../../../test/support/openid-certificate.ts";
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
import { OutboundError, type Ask } from "../../outbound/outbound.ts";
import { MethodConfigError, ProviderError } from "../errors.ts";

const DOCUMENT = "/.well-known/openid-configuration";
const CHECK = "error checking OIDCDiscoveryURL: ";
const UNAVAILABLE = "Provider login failed: the response of the identity provider is unusable";

let provider: OpenIdProvider;
beforeAll(async () => {
  provider = await startOpenIdProvider({ clients: [CLIENT] });
});
afterAll(async () => {
  await provider.stop();
});

/** In the words of whoever could not reach it. */
function isUnreached(host: string): RegExp {
  return new RegExp(`^${CHECK}${host}: no `);
}

/** Counts how often the discovery document was asked for. */
function counted(): { ask: Ask; count: () => number } {
  let count = 0;
  const ask = bentAsk(DOCUMENT, () => {
    count += 1;
    return {};
  });
  return { ask, count: () => count };
}

describe("the provider's discovery document", () => {
  it("is read once for all that need it, and again when it is old or the clock was set back", async () => {
    let now = 1_800_000_000_000;
    const { ask, count } = counted();
    const validator = oidcValidator(oidcConfig(provider), { ask, now: () => now });
    await Promise.all(Array.from({ length: 10 }, () => validator.authUrl(newLogin())));
    expect(count()).toBe(1);
    now += 14 * 60_000;
    await validator.authUrl(newLogin());
    expect(count()).toBe(1);
    now += 60_000;
    await validator.authUrl(newLogin());
    expect(count()).toBe(2);
    now -= 3_600_000;
    await validator.authUrl(newLogin());
    expect(count()).toBe(3);
  });

  it("is not read when a validator is made, and is when it is probed", async () => {
    const { ask, count } = counted();
    const validator = oidcValidator(oidcConfig(provider), { ask });
    expect(count()).toBe(0);
    await validator.probe();
    await validator.authUrl(newLogin());
    expect(count()).toBe(1);
    await validator.probe();
    expect(count()).toBe(2);
  });

  it("that could not be read is asked for again", async () => {
    let isDown = true;
    const ask: Ask = async (request) => {
      if (isDown) throw new OutboundError("example.com: no connection");
      return openAsk(request);
    };
    const validator = oidcValidator(oidcConfig(provider), { ask });
    const refused = await Promise.allSettled([validator.authUrl(newLogin()), validator.authUrl(newLogin())]);
    expect(refused.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    isDown = false;
    await expect(validator.authUrl(newLogin())).resolves.toContain(provider.issuer);
  });

  it.each<[string, (document: Record<string, unknown>) => unknown, string]>([
    ["is HTML", () => "<html>secret</html>", "the response is not JSON"],
    ["is a list", () => "[]", "the response is not a discovery document"],
    ["names no issuer", ({ issuer: _, ...rest }) => rest, "the response is not a discovery document"],
    [
      "is that of another issuer",
      (document) => ({ ...document, issuer: "https://id.example.com" }),
      "issuer mismatch: the issuer must equal the discovery URL, including the trailing slash",
    ],
    [
      "names the issuer with a slash more",
      (document) => ({ ...document, issuer: `${String(document["issuer"])}/` }),
      "issuer mismatch: the issuer must equal the discovery URL, including the trailing slash",
    ],
    ["names no keys", ({ jwks_uri: _, ...rest }) => rest, "the discovery document has no usable jwks_uri"],
    [
      "has codes sent over HTTP",
      (document) => ({ ...document, token_endpoint: "http://127.0.0.1/token" }),
      "the discovery document has no usable token_endpoint",
    ],
    [
      "sends browsers to a script",
      (document) => ({ ...document, authorization_endpoint: "javascript:alert(1)" }),
      "the discovery document has no usable authorization_endpoint",
    ],
    [
      "names something else as userinfo",
      (document) => ({ ...document, userinfo_endpoint: 5 }),
      "the discovery document has no usable userinfo_endpoint",
    ],
    [
      "is nested deep",
      (document) => `{"x":${"[".repeat(200_000)}${"]".repeat(200_000)},${JSON.stringify(document).slice(1)}`,
      "the response is not a discovery document",
    ],
  ])("that %s is refused when the method is written, and at a login", async (_what, change, message) => {
    const ask = bentAsk(DOCUMENT, ({ body }) => {
      const changed = change(JSON.parse(body) as Record<string, unknown>);
      return { body: typeof changed === "string" ? changed : JSON.stringify(changed) };
    });
    const validator = oidcValidator(oidcConfig(provider), { ask });
    const { host } = new URL(provider.issuer);
    await expectFailure(validator.probe(), MethodConfigError, `${CHECK}${host}: ${message}`);
    await expectFailure(validator.authUrl(newLogin()), ProviderError, UNAVAILABLE);
  });

  it("that is not there, or behind another authority, is refused when the method is written", async () => {
    const { host } = new URL(provider.issuer);
    const missing = oidcValidator(oidcConfig({ ...provider, issuer: `${provider.issuer}/realm` }));
    await expectFailure(missing.probe(), MethodConfigError, `${CHECK}${host}: the response has status 404`);
    const pinned = oidcValidator(oidcConfig({ ...provider, ca: makeCertificate().ca }));
    await expect(pinned.probe()).rejects.toThrow(isUnreached(host));
    const unpinned = oidcValidator(oidcConfig(provider, { OIDCDiscoveryCACert: "" }));
    await expect(unpinned.probe()).rejects.toThrow(isUnreached(host));
  });

  it("of which nothing was asked from is not needed to make the validator again", () => {
    expect(() => oidcValidator(oidcConfig({ ...provider, issuer: "https://127.0.0.1:1" }))).not.toThrow();
  });
});

describe("a provider that is down", () => {
  it("is told when a method is written, when a login begins and when it ends, and hidden from who logs in", async () => {
    const passing = await startOpenIdProvider({ clients: [CLIENT] });
    const { host } = new URL(passing.issuer);
    const warm = oidcValidator(oidcConfig(passing));
    const login = newLogin();
    const code = await codeFor(warm, passing, login);
    const cold = oidcValidator(oidcConfig(passing));
    await passing.stop();
    await expect(cold.probe()).rejects.toThrow(isUnreached(host));
    await expectFailure(cold.authUrl(newLogin()), ProviderError, UNAVAILABLE);
    await expectFailure(cold.exchange({ ...login, code }), ProviderError, UNAVAILABLE);
    await expect(warm.authUrl(newLogin())).resolves.toContain(passing.issuer);
    const failure = await warm.exchange({ ...login, code }).catch((error: unknown) => error);
    expect(failure).toEqual(
      new ProviderError(
        "Provider login failed: Error exchanging oidc code: the response of the identity provider is unusable",
      ),
    );
    expect((failure as ProviderError).cause).toMatchObject({ message: expect.stringMatching(`^${host}: no `) });
  });

  it.each([
    ["/token", { status: 503 }],
    ["/token", { status: 429 }],
    ["/token", { status: 404, body: "<html>" }],
    ["/token", { status: 200, body: "<html>" }],
    ["/token", { status: 200, body: "{}" }],
    ["/me", { status: 403 }],
    ["/me", { body: "x" }],
  ])("answering codes by %s with %j proves and disproves nothing", async (path, answer) => {
    const validator = oidcValidator(oidcConfig(provider), { ask: bentAsk(path, () => answer) });
    await expect(logIn(validator, provider)).rejects.toBeInstanceOf(ProviderError);
  });
});
