/** How long tokens of logins live, and how many of them are counted. */
import { describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey } from "../../../test/support/key-server.ts";
import { bearer, login, makeMethod, makeRule } from "../../../test/support/login.ts";
import { MANAGEMENT, useV1, type V1 } from "../../../test/support/v1.ts";

const key = createSigningKey("k1");
const MINUTE_MS = 60_000;

/** A token of a new method; gives its method, too. */
async function loggedIn(v1: V1, content: object = {}) {
  const name = v1.unique("expiring");
  await makeMethod(v1, key, { Name: name, ...content });
  await makeRule(v1, { AuthMethod: name });
  const answer = await login(v1, name, bearer(key, {}, v1.now()));
  expect(answer.status, answer.text).toBe(200);
  return { name, body: answer.body };
}

function lifeOf(token: { ExpirationTime?: string; CreateTime: string }): number | undefined {
  return token.ExpirationTime === undefined
    ? undefined
    : Date.parse(token.ExpirationTime) - Date.parse(token.CreateTime);
}

async function liveTokens(v1: V1): Promise<number> {
  const headers = { "x-service-token": MANAGEMENT };
  const { text } = await v1.send({ method: "GET", url: "/metrics", headers });
  return Number(/^tessera_login_tokens (\d+)$/m.exec(text)?.[1]);
}

forEachEngine((_engine, makeUrl) => {
  describe("without a default", () => {
    const v1 = useV1(makeUrl);

    test("a token lives as long as its method says, and a day when it says nothing", async () => {
      expect(lifeOf((await loggedIn(v1)).body)).toBe(24 * 60 * MINUTE_MS);
      expect(lifeOf((await loggedIn(v1, { MaxTokenTTL: "1m" })).body)).toBe(MINUTE_MS);
      expect(lifeOf((await loggedIn(v1, { MaxTokenTTL: "90.0015s" })).body)).toBe(90_001);
      expect(lifeOf((await loggedIn(v1, { MaxTokenTTL: 3_600_000_000_000 })).body)).toBe(60 * MINUTE_MS);
    });

    test("what a method says later counts for later tokens", async () => {
      const { name, body } = await loggedIn(v1, { MaxTokenTTL: "5m" });
      await makeMethod(v1, key, { Name: name, MaxTokenTTL: "10m" });
      expect((await v1.get("/acl/token/self", body.SecretID)).body).toEqual(body);
      expect(lifeOf((await login(v1, name, bearer(key))).body)).toBe(10 * MINUTE_MS);
    });

    test.each([-1, 0, 1])("incident 29: %i ms from its end a token still counts only before it", async (offset) => {
      const start = Date.now();
      v1.setNow(start);
      const { name, body } = await loggedIn(v1, { MaxTokenTTL: "5m" });
      const end = start + 5 * MINUTE_MS;
      expect(Date.parse(body.ExpirationTime)).toBe(end);
      // With what is known of it, and without.
      if (offset !== 0) expect((await v1.get("/acl/token/self", body.SecretID)).status).toBe(200);
      v1.setNow(end + offset);
      const isAlive = offset < 0;
      const self = await v1.get("/acl/token/self", body.SecretID);
      expect(self.status).toBe(isAlive ? 200 : 403);
      expect((await v1.get(`/acl/token/${body.AccessorID}`)).status).toBe(isAlive ? 200 : 404);
      expect((await v1.get(`/acl/tokens?authmethod=${name}`)).body).toHaveLength(isAlive ? 1 : 0);
      const logout = await v1.post("/acl/logout", undefined, body.SecretID);
      expect(logout).toMatchObject(isAlive ? { status: 200, text: "true" } : { status: 403, text: "ACL not found" });
      v1.setNow(undefined);
    });

    test("an update gives a token no longer life", async () => {
      const start = Date.now();
      v1.setNow(start);
      const { body } = await loggedIn(v1, { MaxTokenTTL: "5m" });
      v1.setNow(start + 4 * MINUTE_MS);
      const path = `/acl/token/${body.AccessorID}`;
      expect((await v1.put(path, { ...body, Description: "x" })).body.ExpirationTime).toBe(body.ExpirationTime);
      expect((await v1.patch(path, { ExpirationTime: null })).status).toBe(400);
      v1.setNow(start + 5 * MINUTE_MS);
      expect((await v1.get("/acl/token/self", body.SecretID)).status).toBe(403);
      v1.setNow(undefined);
    });
  });

  describe("with a default", () => {
    const v1 = useV1(makeUrl, { config: { defaultLoginTtl: 120_000_000_000n } });

    test("a token lives so long when its method says nothing, and only then", async () => {
      expect(lifeOf((await loggedIn(v1)).body)).toBe(2 * MINUTE_MS);
      expect(lifeOf((await loggedIn(v1, { MaxTokenTTL: "0s" })).body)).toBe(2 * MINUTE_MS);
      expect(lifeOf((await loggedIn(v1, { MaxTokenTTL: "1m" })).body)).toBe(MINUTE_MS);
      expect(lifeOf((await loggedIn(v1, { MaxTokenTTL: "24h" })).body)).toBe(24 * 60 * MINUTE_MS);
    });

    test("tokens that no login made live on", async () => {
      const { accessor } = await v1.token();
      expect((await v1.get(`/acl/token/${accessor}`)).body).not.toHaveProperty("ExpirationTime");
    });
  });

  describe("with 0 for a default", () => {
    const v1 = useV1(makeUrl, { config: { defaultLoginTtl: 0n } });

    test("a token lives for ever when its method says nothing", async () => {
      expect(lifeOf((await loggedIn(v1)).body)).toBeUndefined();
      expect(lifeOf((await loggedIn(v1, { MaxTokenTTL: "1m" })).body)).toBe(MINUTE_MS);
    });
  });

  describe("the metric", () => {
    const v1 = useV1(makeUrl);

    test("counts the tokens of logins that are alive, and no others", async () => {
      await loggedIn(v1);
      const { body: ended } = await loggedIn(v1);
      await v1.post("/acl/logout", undefined, ended.SecretID);
      const { name } = await loggedIn(v1);
      await v1.token();
      const start = Date.now();
      v1.setNow(start);
      await loggedIn(v1, { MaxTokenTTL: "1m" });
      await v1.delete(`/acl/auth-method/${name}`);
      v1.setNow(start + MINUTE_MS);
      await loggedIn(v1, { MaxTokenTTL: "5m" });
      await expect.poll(() => liveTokens(v1), { interval: 20 }).toBe(2);
      v1.setNow(undefined);
    });
  });
});
