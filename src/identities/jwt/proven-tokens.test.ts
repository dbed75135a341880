import { beforeEach, expect, onTestFinished, test } from "vitest";
import { createSigningKey, signToken, startKeyServer } from "../../../test/support/key-server.ts";
import { openAsk } from "../../../test/support/open-ask.ts";
import { IdentityError } from "../errors.ts";
import type { ProvenIdentity, RawConfig, Validator } from "../validator.ts";
import { createProvenTokens, type ProvenTokensRoom } from "./proven-tokens.ts";
import { createJwtValidator } from "./validator.ts";

const START = 1_800_000_000_000;
const SECOND = 1000;
const [one, two] = [createSigningKey("one"), createSigningKey("two")] as const;

let now: number;
let room: ProvenTokensRoom<ProvenIdentity>;

beforeEach(() => {
  now = START;
  room = createProvenTokens();
});

function methodOf(raw: RawConfig = {}): Validator {
  const config = { JWTValidationPubKeys: [one.publicKey], ClaimMappings: { team: "team" }, ...raw };
  return createJwtValidator(config, { ask: openAsk, now: () => now, onTrouble: () => undefined, provenTokens: room });
}

const tokenOf = (claims: object = {}, key = one) =>
  signToken(key, { iat: START / 1000, exp: START / 1000 + 3600, sub: "me", ...claims });

test("a token that logs in again is taken for what it proved, and another one is not", async () => {
  const method = methodOf();
  const [token, other] = [tokenOf({ team: "a" }), tokenOf({ team: "b" })];
  const first = await method.verify(token);
  now += 59 * SECOND;
  expect(await method.verify(token)).toBe(first);
  expect((await method.verify(other)).variables.get("value.team")).toBe("b");
  expect(room.entries()).toBe(2);
  const [head, payload, signature = ""] = token.split(".");
  const swapped = `${head}.${other.split(".")[1]}.${signature}`;
  await expect(method.verify(swapped)).rejects.toThrow(IdentityError);
  await expect(method.verify(`${head}.${payload}.${signature.toLowerCase()}`)).rejects.toThrow(IdentityError);
});

test("after a minute it is verified anew, and so it is when the clock was set back", async () => {
  const method = methodOf();
  const token = tokenOf();
  const first = await method.verify(token);
  now += 60 * SECOND;
  const second = await method.verify(token);
  expect(second).not.toBe(first);
  expect(await method.verify(token)).toBe(second);
  now -= SECOND;
  expect(await method.verify(token)).not.toBe(second);
});

test("it ends when its token ends", async () => {
  const method = methodOf({ ClockSkewLeeway: "1ns", ExpirationLeeway: "1ns" });
  const token = tokenOf({ exp: START / 1000 + 5 });
  await method.verify(token);
  now += 4 * SECOND;
  await method.verify(token);
  now += 2 * SECOND;
  await expect(method.verify(token)).rejects.toThrow("token is expired (exp)");
});

test("where a token logs in once nothing is remembered, nor of one that is refused", async () => {
  await methodOf({ JWTReplay: "once" }).verify(tokenOf({ jti: "1" }));
  await expect(methodOf().verify(tokenOf({}, two))).rejects.toThrow(IdentityError);
  await expect(methodOf({ BoundIssuer: "somebody" }).verify(tokenOf())).rejects.toThrow(IdentityError);
  await methodOf().verify(tokenOf({ note: "x".repeat(5000) }));
  expect(room.entries()).toBe(0);
});

test("what one configuration has proven counts for no other", async () => {
  const token = tokenOf({ iss: "us" });
  await methodOf().verify(token);
  await expect(methodOf({ BoundIssuer: "them" }).verify(token)).rejects.toThrow("invalid issuer claim (iss)");
  await expect(methodOf({ JWTValidationPubKeys: [two.publicKey] }).verify(token)).rejects.toThrow(IdentityError);
});

test("a key that the provider has withdrawn proves nothing from the moment on in which that is known", async () => {
  const server = await startKeyServer([one]);
  onTestFinished(() => server.close());
  const keys = { JWTValidationPubKeys: undefined, JWKSURL: `${server.url}/keys`, JWKSCACert: server.ca };
  const method = methodOf(keys);
  const token = tokenOf();
  await method.verify(token);
  const known = await method.verify(token);
  expect(await method.verify(token)).toBe(known);
  server.keys = [two];
  now += SECOND;
  await method.verify(tokenOf({}, two));
  await expect(method.verify(token)).rejects.toThrow(IdentityError);
});

test("it ends with its token also while the provider's keys are waited for", async () => {
  const server = await startKeyServer([one]);
  onTestFinished(() => server.close());
  let held: PromiseWithResolvers<never> | undefined;
  const ask: typeof openAsk = (...asked) => held?.promise ?? openAsk(...asked);
  const keys = { JWTValidationPubKeys: [], JWKSURL: `${server.url}/keys`, JWKSCACert: server.ca };
  const leeways = { ClockSkewLeeway: "1ns", ExpirationLeeway: "1ns" };
  const environment = { ask, now: () => now, onTrouble: () => undefined, provenTokens: room };
  const method = createJwtValidator({ ...keys, ...leeways }, environment);
  await method.verify(tokenOf());
  // Old enough to be fetched again behind the login, and soon too old to go on with.
  now += 1195 * SECOND;
  held = Promise.withResolvers();
  const token = tokenOf({ exp: now / 1000 + 6 });
  await method.verify(token);
  now += 5.5 * SECOND;
  const again = method.verify(token);
  now += 8 * SECOND;
  held.reject(new Error("no answer"));
  await expect(again).rejects.toThrow("token is expired (exp)");
});

test("what is no token asks no provider", async () => {
  const server = await startKeyServer([one]);
  onTestFinished(() => server.close());
  const keys = { JWTValidationPubKeys: undefined, JWKSURL: `${server.url}/keys`, JWKSCACert: server.ca };
  await expect(methodOf(keys).verify("nothing")).rejects.toThrow(IdentityError);
  expect(server.requests).toEqual([]);
});

test("all methods together remember no more than there is room for, those that were used last", async () => {
  room = createProvenTokens(20_000);
  const methods = [methodOf(), methodOf()];
  const token = tokenOf();
  const first = await methods[0]?.verify(token);
  for (let number = 0; number < 50; number++) {
    await methods[number % 2]?.verify(tokenOf({ number }));
    expect(await methods[0]?.verify(token)).toBe(first);
  }
  expect(room.entries()).toBeLessThanOrEqual(20);
});
