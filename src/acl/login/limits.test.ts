/** Logins that succeed are bounded too: how often, and how many of their tokens live at a time. */
import { describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { createSigningKey } from "../../../test/support/key-server.ts";
import { bearer, login, makeMethod, makeRule, UNLIMITED_LOGINS } from "../../../test/support/login.ts";
import { MANAGEMENT, useV1, type V1 } from "../../../test/support/v1.ts";
import { createLoginLimits } from "./limits.ts";

const key = createSigningKey("k1");
const MINUTE_MS = 60_000;

async function makeOpen(v1: V1, content: object = {}): Promise<string> {
  const name = v1.unique("method");
  await makeMethod(v1, key, { Name: name, ...content });
  await makeRule(v1, { AuthMethod: name });
  return name;
}

const as = (sub: string, now?: number) => bearer(key, { iss: "https://idp.test", sub }, now);

async function statuses(v1: V1, name: string, token: string, times: number): Promise<number[]> {
  const answers = await Promise.all(Array.from({ length: times }, () => login(v1, name, token)));
  return answers.map(({ status }) => status).toSorted((one, other) => one - other);
}

const some = (count: number, status: number) => Array.from({ length: count }, () => status);

forEachEngine((_engine, makeUrl) => {
  describe("with three a minute for each identity, and five for each method", () => {
    const config = { ...UNLIMITED_LOGINS, loginLimitPerIdentity: 3, loginLimitPerMethod: 5 };
    const v1 = useV1(makeUrl, { config });

    test("incident 42: an identity logs in so often, then one after the other, and others are let in meanwhile", async () => {
      const name = await makeOpen(v1);
      expect(await statuses(v1, name, as("a"), 5)).toEqual([...some(3, 200), ...some(2, 429)]);
      const refused = await login(v1, name, as("a"));
      expect(refused.text).toMatch(/^Too many logins of this identity; retry in \d+ s$/);
      expect(Number(refused.headers["retry-after"])).toBeGreaterThanOrEqual(1);
      expect((await login(v1, name, as("b"))).status).toBe(200);
      // It is another identity at another method.
      expect((await login(v1, await makeOpen(v1), as("a"))).status).toBe(200);
    });

    test("all identities of a method together have a limit, which no refused one uses up", async () => {
      const name = await makeOpen(v1);
      expect(await statuses(v1, name, as("a"), 20)).toEqual([...some(3, 200), ...some(17, 429)]);
      expect(await statuses(v1, name, as("b"), 3)).toEqual([200, 200, 429]);
      expect((await login(v1, name, as("c"))).text).toMatch(/^Too many logins with this auth method; retry in \d+ s$/);
      const headers = { "x-service-token": MANAGEMENT };
      expect((await v1.send({ method: "GET", url: "/metrics", headers })).text).toMatch(
        /^tessera_login_rate_entries [1-9]/m,
      );
    });

    test("what proves nothing uses up nothing", async () => {
      const name = await makeOpen(v1);
      const forged = bearer(createSigningKey("k1"), { iss: "https://idp.test", sub: "a" });
      expect(await statuses(v1, name, forged, 10)).toEqual(some(10, 403));
      expect(await statuses(v1, name, as("a"), 3)).toEqual(some(3, 200));
    });
  });

  describe("with three living tokens for each identity", () => {
    const v1 = useV1(makeUrl, { config: { ...UNLIMITED_LOGINS, loginTokensPerIdentity: 3 } });

    test("incident 42: of logins at the same time so many pass, and no token is taken away", async () => {
      const name = await makeOpen(v1);
      expect(await statuses(v1, name, as("a"), 10)).toEqual([...some(3, 200), ...some(7, 429)]);
      const refused = await login(v1, name, as("a"));
      expect(refused.text).toBe(
        "This identity already has 3 active login tokens, the maximum. Log out, or wait until one expires",
      );
      expect(refused.headers["retry-after"]).toBe("60");
      expect((await v1.get(`/acl/tokens?authmethod=${name}`)).body).toHaveLength(3);
      expect((await login(v1, name, as("b"))).status).toBe(200);
    });

    test("a token counts until it ends: by logout, by deletion, by time", async () => {
      const start = Date.now();
      v1.setNow(start);
      const name = await makeOpen(v1, { MaxTokenTTL: "1m" });
      const made = await Promise.all(Array.from({ length: 3 }, () => login(v1, name, as("a", start))));
      const enter = async () => (await login(v1, name, as("a", start))).status;
      expect(await enter()).toBe(429);
      expect((await v1.post("/acl/logout", undefined, made[0]?.body.SecretID)).text).toBe("true");
      expect([await enter(), await enter()]).toEqual([200, 429]);
      expect((await v1.delete(`/acl/token/${made[1]?.body.AccessorID}`)).text).toBe("true");
      expect([await enter(), await enter()]).toEqual([200, 429]);
      v1.setNow(start + MINUTE_MS);
      expect([await enter(), await enter(), await enter(), await enter()]).toEqual([200, 200, 200, 429]);
      v1.setNow(undefined);
    });

    test("tokens in whatever namespace count, those of a method of the same name before it do not", async () => {
      expect((await v1.put("/namespace", { Name: "team-1" })).status).toBe(200);
      const NamespaceRules = [{ Selector: "value.team == a", BindNamespace: "team-1" }];
      const name = await makeOpen(v1, { NamespaceRules });
      const token = (team: string) => bearer(key, { iss: "https://idp.test", sub: "a", team });
      expect(await statuses(v1, name, token("a"), 2)).toEqual([200, 200]);
      expect(await statuses(v1, name, token("b"), 2)).toEqual([200, 429]);
      expect((await v1.delete(`/acl/auth-method/${name}`)).text).toBe("true");
      await makeMethod(v1, key, { Name: name });
      await makeRule(v1, { AuthMethod: name });
      expect(await statuses(v1, name, token("b"), 4)).toEqual([200, 200, 200, 429]);
    });

    test("without a subject it is what the method sees that tells identities apart", async () => {
      const name = await makeOpen(v1);
      expect(await statuses(v1, name, bearer(key, { team: "a" }), 4)).toEqual([200, 200, 200, 429]);
      expect((await login(v1, name, bearer(key, { team: "b" }))).status).toBe(200);
    });

    test("what a server of an older version made, who says nothing of identities, is not counted", async () => {
      const name = await makeOpen(v1);
      expect(await statuses(v1, name, as("a"), 3)).toEqual(some(3, 200));
      await v1.write((sql) => sql.updateTable("tokens").set({ login_identity: null }).where("auth_method", "=", name));
      expect(await statuses(v1, name, as("a"), 4)).toEqual([200, 200, 200, 429]);
    });
  });
});

describe("a client that fails all the time", () => {
  test("is verified a few at a time, in turn, and others at once", async () => {
    const limits = createLoginLimits({ loginFailureLimit: 1 }, () => 0);
    limits.failed("m", "192.0.2.1", "a");
    let [running, most] = [0, 0];
    const ends: (() => void)[] = [];
    const work = async () => {
      most = Math.max(most, ++running);
      await new Promise<void>((resolve) => ends.push(resolve));
      running--;
    };
    const suspect = Array.from({ length: 10 }, () => limits.verify("m", "192.0.2.1", work));
    await new Promise((resolve) => setImmediate(resolve));
    expect([most, running]).toEqual([4, 4]);
    const other = limits.verify("m", "192.0.2.2", () => Promise.resolve("at once"));
    await expect(other).resolves.toBe("at once");
    while (running > 0) {
      for (const end of ends.splice(0)) end();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(suspect);
    expect([most, running]).toEqual([4, 0]);
  });

  test("is refused when too many wait", async () => {
    const limits = createLoginLimits({ loginFailureLimit: 1 }, () => 0);
    limits.failed("m", "192.0.2.1", "a");
    const never = () => new Promise<void>(() => undefined);
    for (let i = 0; i < 260; i++) limits.verify("m", "192.0.2.1", never).catch(() => undefined);
    await expect(limits.verify("m", "192.0.2.1", never)).rejects.toMatchObject({ code: "rate_limited" });
  });

  test("and remembers no more than it may, whatever subjects are claimed", () => {
    const limits = createLoginLimits({}, () => 0);
    for (let i = 0; i < 20_000; i++) limits.failed("m", "192.0.2.1", `subject ${i}`);
    expect(limits.entries().failures).toBeLessThanOrEqual(10_001);
  });
});
