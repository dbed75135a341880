/** Refused logins are limited for each method, address and claimed subject; nothing else is. */
import { describe, expect, test } from "vitest";
import type { Answer } from "../../../test/support/api.ts";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey, startKeyServer } from "../../../test/support/key-server.ts";
import { bearer, makeMethod, makeRule } from "../../../test/support/login.ts";
import { MANAGEMENT, useV1, type V1 } from "../../../test/support/v1.ts";

const key = createSigningKey("k1");
const LIMIT = 5;

function asking(v1: V1) {
  return function enter(
    authMethod: string,
    bearerToken: string,
    from: { address?: string; forwarded?: string } = {},
  ): Promise<Answer> {
    const { address = "10.1.1.1", forwarded } = from;
    return v1.send({
      method: "POST",
      url: "/v1/acl/login",
      remoteAddress: address,
      headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded },
      payload: JSON.stringify({ AuthMethod: authMethod, BearerToken: bearerToken }),
    });
  };
}

async function entries(v1: V1): Promise<number> {
  const headers = { "x-service-token": MANAGEMENT };
  const { text } = await v1.send({ method: "GET", url: "/metrics", headers });
  return Number(/^tessera_login_failure_entries (\d+)$/m.exec(text)?.[1]);
}

async function makeOpen(v1: V1): Promise<string> {
  const name = v1.unique("method");
  await makeMethod(v1, key, { Name: name });
  await makeRule(v1, { AuthMethod: name, Selector: 'value.team == "a"' });
  return name;
}

const GOOD = bearer(key, { team: "a" });

forEachEngine((_engine, makeUrl) => {
  describe("with a limit", () => {
    const v1 = useV1(makeUrl, { config: { loginFailureLimit: LIMIT, outboundAllow: ["127.0.0.0/8"] } });
    const enter = asking(v1);

    async function exhaust(name: string, from = {}, token = "x"): Promise<Answer> {
      for (let i = 0; i < LIMIT; i++) expect((await enter(name, token, from)).status).toBe(403);
      return enter(name, token, from);
    }

    test("incident 47: the next one after so many is 429 with Retry-After, and what can be proven is still let in", async () => {
      const name = await makeOpen(v1);
      const answer = await exhaust(name);
      expect(answer.status).toBe(429);
      expect(answer.text).toMatch(/^Too many denied logins with this auth method from this address; retry in \d+ s$/);
      const seconds = Number(answer.headers["retry-after"]);
      expect(seconds).toBeGreaterThanOrEqual(1);
      expect(seconds).toBeLessThanOrEqual(60);
      expect(answer.headers["content-type"]).toBe("text/plain; charset=utf-8");
      expect((await enter(name, GOOD)).status).toBe(200);
      expect((await enter(name, "x")).status).toBe(429);
    });

    test("incident 47: failures under a name lock nobody out, under that name neither", async () => {
      const name = await makeOpen(v1);
      const claims = { team: "a", iss: "https://idp.test", sub: "victim" };
      const good = bearer(key, claims);
      const forged = bearer(createSigningKey("k1"), claims);
      expect((await exhaust(name, {}, forged)).status).toBe(429);
      expect((await enter(name, forged)).status).toBe(429);
      for (let i = 0; i < LIMIT; i++) expect((await enter(name, good)).status).toBe(200);
      // Another name, and none, are counted by themselves.
      expect((await enter(name, bearer(createSigningKey("k1"), { ...claims, sub: "other" }))).status).toBe(403);
      expect((await enter(name, "x")).status).toBe(403);
    });

    test("another address, another method and another spelling", async () => {
      const [name, other] = [await makeOpen(v1), await makeOpen(v1)];
      expect((await exhaust(name)).status).toBe(429);
      expect((await enter(name, "x", { address: "10.1.1.2" })).status).toBe(403);
      expect((await enter(other, "x")).status).toBe(403);
      expect((await enter(name.toUpperCase(), "x")).status).toBe(429);
      // The server does not trust an address that the client claims.
      expect((await enter(name, "x", { forwarded: "10.9.9.9" })).status).toBe(429);
    });

    test("a credential that proves somebody to whom nothing is given counts too", async () => {
      const name = await makeOpen(v1);
      const given = bearer(key, { team: "b", sub: "b" });
      for (let i = 0; i < LIMIT; i++) expect((await enter(name, given)).status).toBe(403);
      expect((await enter(name, given)).status).toBe(429);
      expect((await enter(name, GOOD)).status).toBe(200);
    });

    test("logins that succeed do not count, nor do bodies that cannot be read", async () => {
      const name = await makeOpen(v1);
      const before = await entries(v1);
      for (let i = 0; i < 3 * LIMIT; i++) expect((await enter(name, GOOD)).status).toBe(200);
      for (let i = 0; i < 3 * LIMIT; i++) expect((await enter(name, "x".repeat(40_000))).status).toBe(400);
      expect(await entries(v1)).toBe(before);
      expect((await enter(name, GOOD)).status).toBe(200);
    });

    test("a method that there is not is never noted", async () => {
      const before = await entries(v1);
      for (let i = 0; i < 3 * LIMIT; i++) expect((await enter(`nobody-${i}`, "x")).status).toBe(403);
      for (let i = 0; i < 3 * LIMIT; i++) expect((await enter("nobody", "x")).status).toBe(403);
      expect(await entries(v1)).toBe(before);
      const name = await makeOpen(v1);
      await enter(name, "x", { address: "10.7.7.7" });
      // The address, and whom it claimed to be.
      expect(await entries(v1)).toBe(before + 2);
    });

    test("a method made anew under the name begins anew", async () => {
      const name = await makeOpen(v1);
      expect((await exhaust(name)).status).toBe(429);
      expect((await v1.delete(`/acl/auth-method/${name}`)).text).toBe("true");
      expect((await enter(name, GOOD)).status).toBe(403);
      await makeMethod(v1, key, { Name: name });
      await makeRule(v1, { AuthMethod: name });
      expect((await enter(name, GOOD)).status).toBe(200);
    });

    test("a provider that is away is 503, which counts against nobody", async () => {
      const provider = await startKeyServer([key]);
      const name = v1.unique("away");
      const Config = { JWKSURL: `${provider.url}/keys`, JWKSCACert: provider.ca };
      const made = await v1.put("/acl/auth-method", { Name: name, Type: "jwt", Config });
      expect(made.status, made.text).toBe(200);
      await makeRule(v1, { AuthMethod: name });
      await provider.close();
      for (let i = 0; i < 3 * LIMIT; i++) {
        const answer = await enter(name, bearer(key));
        expect(answer.status, answer.text).toBe(503);
        expect(answer.headers["retry-after"]).toBeDefined();
      }
    });
  });

  describe("behind a proxy", () => {
    const v1 = useV1(makeUrl, { config: { loginFailureLimit: LIMIT, trustedProxies: ["10.2.0.0/16"] } });
    const enter = asking(v1);

    test("the address is the one that the proxy tells, when it is one that is trusted", async () => {
      const name = await makeOpen(v1);
      const proxy = "10.2.0.1";
      const from = (address: string, forwarded: string) => enter(name, "x", { address, forwarded });
      for (let i = 0; i < LIMIT; i++) await from(proxy, "192.0.2.1");
      expect((await from(proxy, "192.0.2.1")).status).toBe(429);
      expect((await from(proxy, "192.0.2.2")).status).toBe(403);
      // Addresses before the one that the proxy added come from the client, and are not trusted.
      expect((await from(proxy, "192.0.2.9, 192.0.2.1")).status).toBe(429);
      // An untrusted proxy counts as the client.
      for (let i = 0; i < LIMIT; i++) expect((await from("10.3.0.1", `192.0.2.${i + 10}`)).status).toBe(403);
      expect((await from("10.3.0.1", "192.0.2.99")).status).toBe(429);
    });
  });

  describe("without a limit", () => {
    const v1 = useV1(makeUrl, { config: { loginFailureLimit: 0 } });
    const enter = asking(v1);

    test("nothing is counted", async () => {
      const name = await makeOpen(v1);
      for (let i = 0; i < 150; i++) expect((await enter(name, "x")).status).toBe(403);
      expect((await enter(name, GOOD)).status).toBe(200);
      expect(await entries(v1)).toBe(0);
    });
  });
});
