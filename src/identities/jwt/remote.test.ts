import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  createSigningKey,
  signToken,
  startKeyServer,
  type KeyServer,
  type SigningKey,
} from "../../../test/support/key-server.ts";
import { makeCertificate } from "../../../test/support/openid-certificate.ts";
import { openAsk } from "../../../test/support/open-ask.ts";
import { OutboundError, type Ask } from "../../outbound/outbound.ts";
import { MethodConfigError, IdentityError, ProviderError } from "../errors.ts";
import type { RawConfig, Validator } from "../validator.ts";
import { createJwtValidator } from "./validator.ts";

const START = 1_800_000_000_000;
const MINUTE = 60_000;
const LOOK_UP = 10_000;

const [first, second, third] = ["k1", "k2", "k3"].map((kid) => createSigningKey(kid)) as [
  SigningKey,
  SigningKey,
  SigningKey,
];

let server: KeyServer;
let now: number;
let troubles: string[];

beforeEach(async () => {
  server = await startKeyServer([first]);
  now = START;
  troubles = [];
});

afterEach(async () => {
  await server.close();
});

const BOUND = { BoundAudiences: "us" };

describe.each(["JWKSURL", "OIDCDiscoveryURL"] as const)("keys by %s", (kind) => {
  const isDiscovered = kind === "OIDCDiscoveryURL";

  function methodOf(raw: RawConfig = {}, ask = openAsk): Validator {
    const config: RawConfig = isDiscovered
      ? { ...BOUND, OIDCDiscoveryURL: server.url, OIDCDiscoveryCACert: server.ca, JWTSupportedAlgs: "ES256", ...raw }
      : { ...BOUND, JWKSURL: `${server.url}/keys`, JWKSCACert: server.ca, ...raw };
    return createJwtValidator(config, { ask, now: () => now, onTrouble: (message) => troubles.push(message) });
  }

  test("are fetched once for all who log in, and kept", async () => {
    const validator = methodOf();
    await Promise.all(Array.from({ length: 32 }, () => login(validator)));
    for (let round = 0; round < 5; round++) await login(validator);
    expect(fetches()).toBe(1);
    expect(server.requests).toEqual(isDiscovered ? ["/.well-known/openid-configuration", "/keys"] : ["/keys"]);
  });

  test("are found when the method is written", async () => {
    const validator = methodOf();
    await validator.probe();
    await login(validator);
    expect(fetches()).toBe(1);
  });

  test("are looked up again when a token has a new one, so that a rotation works while logins run", async () => {
    const validator = methodOf();
    await login(validator);
    let isOver = false;
    const logins = Array.from({ length: 8 }, async () => {
      while (!isOver) await login(validator);
    });
    server.keys = [first, second];
    await login(validator, second);
    expect(fetches()).toBe(2);
    server.keys = [second, third];
    isOver = true;
    await Promise.all(logins);
    now += LOOK_UP;
    await Promise.all(Array.from({ length: 16 }, () => login(validator, third)));
    expect(fetches()).toBe(3);
    await login(validator, second);
    expect(await failureOf(validator, first)).toBeInstanceOf(IdentityError);
  });

  test("are looked up again only once in a while, whatever tokens come", async () => {
    const validator = methodOf();
    await login(validator);
    for (let round = 0; round < 50; round++) {
      expect(await failureOf(validator, createSigningKey(`x${round}`))).toBeInstanceOf(IdentityError);
      expect(await failureOf(validator, createSigningKey("k1"))).toBeInstanceOf(IdentityError);
    }
    expect(fetches()).toBe(2);
    now += LOOK_UP - 1;
    await failureOf(validator, second);
    expect(fetches()).toBe(2);
    now += 1;
    await Promise.all(Array.from({ length: 16 }, () => failureOf(validator, second)));
    expect(fetches()).toBe(3);
  });

  test("are looked up again when another key has the name of an old one", async () => {
    const validator = methodOf();
    await login(validator);
    const restarted = createSigningKey("k1");
    server.keys = [restarted];
    await login(validator, restarted);
    expect(await failureOf(validator, first)).toBeInstanceOf(IdentityError);
  });

  test("are refreshed in the background once they are old, and withdrawn ones count no longer", async () => {
    const validator = methodOf();
    await login(validator);
    server.keys = [second];
    now += 10 * MINUTE;
    await login(validator, first, now);
    await expect.poll(() => failureOf(validator, first, now)).toBeInstanceOf(IdentityError);
    await login(validator, second, now);
    expect(troubles).toEqual([]);
  });

  test("of a week ago prove logins while the provider is down, and nothing when they were withdrawn", async () => {
    const [one, other] = [methodOf(), methodOf()];
    await Promise.all([login(one), login(other)]);
    now += 7 * 24 * 60 * MINUTE;
    breakDown(503);
    await Promise.all(Array.from({ length: 8 }, () => login(one, first, now)));
    expect(fetches()).toBe(3);
    server.answer = () => false;
    server.keys = [second];
    expect(await failureOf(other, first, now)).toBeInstanceOf(IdentityError);
  });

  test("prove logins while the provider is down, and trouble is told once a minute", async () => {
    const asking = new Set<unknown>();
    const ask: Ask = (request) => openAsk(asking.add(request) && request).finally(() => asking.delete(request));
    const validator = methodOf({}, ask);
    await login(validator);
    breakDown(503);
    for (let minute = 0; minute < 30; minute++) {
      now += MINUTE / 2;
      await login(validator, first, now);
      await expect.poll(() => asking.size, { interval: 1 }).toBe(0);
    }
    expect(fetches()).toBeGreaterThan(2);
    expect(troubles.length).toBeGreaterThan(1);
    expect(troubles.length).toBeLessThan(10);
    expect(new Set(troubles)).toEqual(
      new Set([`the keys of the provider could not be fetched: ${host()}: the response has status 503`]),
    );
    expect(await failureOf(validator, second, now)).toBeInstanceOf(ProviderError);
    expect(await failureOf(validator, createSigningKey("k1"), now)).toBeInstanceOf(IdentityError);
    server.answer = () => false;
    server.keys = [second];
    now += LOOK_UP;
    await login(validator, second, now);
  });

  test("that cannot be had say nothing about a token, and are asked for again", async () => {
    breakDown(500);
    const validator = methodOf();
    const failures = await Promise.all(Array.from({ length: 16 }, () => failureOf(validator)));
    for (const failure of failures) {
      expect(failure).toEqual(new ProviderError("the keys of the identity provider could not be fetched"));
    }
    expect(fetches()).toBe(1);
    expect(await failureOf(validator)).toBeInstanceOf(ProviderError);
    expect(fetches()).toBe(1);
    server.answer = () => false;
    now += 1000;
    await login(validator);
  });

  test("whose server is gone fail the writing of the method, and later no login that is proven", async () => {
    const validator = methodOf();
    await validator.probe();
    await server.close();
    await login(validator);
    await expect(methodOf().probe()).rejects.toThrow(
      new MethodConfigError(`error checking ${kind}: ${host()}: no response`),
    );
    expect(await failureOf(methodOf())).toBeInstanceOf(ProviderError);
  });

  test.each([
    ["HTML", 200, "<html><body>canary-4711</body></html>", "the response is not JSON"],
    ["nothing", 200, "", "the response is not JSON"],
    ["garbage", 200, "\0\xff canary-4711", "the response is not JSON"],
    ["a text", 200, '"canary-4711"', undefined],
    ["a deep list", 200, "[".repeat(100_000) + "]".repeat(100_000), undefined],
    ["an error", 404, '{"error":"canary-4711"}', "the response has status 404"],
    ["no content", 204, "", "the response has status 204"],
  ])("are not had from a server that answers %s", async (_what, status, body, problem) => {
    server.answer = (_path, response) => {
      response.writeHead(status, { "content-type": "application/json" }).end(body);
      return true;
    };
    const standard = isDiscovered
      ? "the response is not a discovery document"
      : "the response is not a JSON Web Key Set";
    await expect(methodOf().probe()).rejects.toThrow(
      new MethodConfigError(`error checking ${kind}: ${host()}: ${problem ?? standard}`),
    );
    expect(await failureOf(methodOf())).toBeInstanceOf(ProviderError);
  });

  test("are not taken when there are 10,000", async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => ({ ...first, jwk: { ...first.jwk, kid: `k${index}` } }));
    server.keys = many;
    await expect(methodOf().probe()).rejects.toThrow(
      new MethodConfigError(`error checking ${kind}: ${host()}: the key set has more than 1000 keys`),
    );
    server.keys = [...many.slice(0, 999), second];
    await login(methodOf(), second);
  });

  test("that come a byte a second are not waited for", async () => {
    const begun = Promise.withResolvers<void>();
    server.answer = (_path, response) => {
      response.writeHead(200).write("{", () => begun.resolve());
      return true;
    };
    // Given up when the first byte has come.
    const giveUp = () => Promise.reject(new OutboundError(`${host()}: no response within 10 s`));
    const impatient: Ask = (request) => Promise.race([openAsk(request), begun.promise.then(giveUp)]);
    const validator = methodOf({}, impatient);
    await expect(validator.probe()).rejects.toThrow(`error checking ${kind}: ${host()}: no response within 10 s`);
    expect(await failureOf(validator)).toBeInstanceOf(ProviderError);
  });

  test("are fetched only from a server that the given authority vouches for", async () => {
    const { ca } = makeCertificate();
    const other = isDiscovered ? { OIDCDiscoveryCACert: ca } : { JWKSCACert: ca };
    await expect(methodOf(other).probe()).rejects.toThrow(MethodConfigError);
    const none = isDiscovered ? { OIDCDiscoveryCACert: "" } : { JWKSCACert: "" };
    await expect(methodOf(none).probe()).rejects.toThrow(MethodConfigError);
  });

  test("incident 2: of one issuer prove nothing for another, with the same subject and the same name of the key", async () => {
    const other = await startKeyServer([createSigningKey("k1")]);
    try {
      const ours = methodOf();
      const theirs = isDiscovered
        ? methodOf({ OIDCDiscoveryURL: other.url, OIDCDiscoveryCACert: other.ca })
        : methodOf({ JWKSURL: `${other.url}/keys`, JWKSCACert: other.ca });
      const [foreign] = other.keys as [SigningKey];
      const claims = (issuer: string) => ({ ...times(), iss: issuer, aud: "us", sub: "ada" });
      for (let round = 0; round < 3; round++) {
        await ours.verify(signToken(first, claims(server.url)));
        await theirs.verify(signToken(foreign, claims(other.url)));
        await expect(ours.verify(signToken(foreign, claims(server.url)))).rejects.toThrow(IdentityError);
        await expect(theirs.verify(signToken(first, claims(other.url)))).rejects.toThrow(IdentityError);
      }
    } finally {
      await other.close();
    }
  });

  test("of a closed method cause no more words", async () => {
    const validator = methodOf();
    await login(validator);
    breakDown(500);
    validator.close();
    now += 10 * MINUTE;
    await login(validator, first, now);
    await failureOf(validator, second, now);
    expect(troubles).toEqual([]);
  });
});

function times(at = now): { iat: number; exp: number } {
  return { iat: at / 1000, exp: at / 1000 + 60 };
}

async function login(validator: Validator, key = first, at = now): Promise<void> {
  await validator.verify(signToken(key, { ...times(at), iss: server.url, aud: "us" }));
}

function failureOf(validator: Validator, key = first, at = now): Promise<unknown> {
  return login(validator, key, at).then(
    () => undefined,
    (error: unknown) => error,
  );
}

function fetches(): number {
  return server.requests.filter((path) => path === (server.requests[0] ?? "")).length;
}

function host(): string {
  return new URL(server.url).host;
}

function breakDown(status: number): void {
  server.answer = (_path, response) => {
    response.writeHead(status).end("canary-4711");
    return true;
  };
}
