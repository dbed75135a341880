import { describe, expect, test } from "vitest";
import { forEachEngine } from "../../../test/support/engines.ts";
import { MANAGEMENT, NOBODY, useV1, type V1 } from "../../../test/support/v1.ts";

/** Header with the quotas of a caller, in the format of the draft. */
const POLICIES = /^"(token|address)-(reads|writes)";q=\d+;w=60(, "address-(reads|writes)";q=\d+;w=60)?$/;

function asToken(token: string, method: "GET" | "PUT" | "POST", url: string, remoteAddress = "127.0.0.1") {
  return { method, url, headers: { authorization: `Bearer ${token}` }, remoteAddress } as const;
}

/** Asks until it is refused. @returns how often it was answered, and the refusal */
async function useUp(v1: V1, request: Parameters<V1["send"]>[0]) {
  for (let answered = 0; answered < 100; answered++) {
    const answer = await v1.send(request);
    if (answer.status === 429) return { answered, refusal: answer };
  }
  throw new Error("it is never refused");
}

forEachEngine((_engine, makeUrl) => {
  describe("limits of one token, and of one address without a token", () => {
    const v1 = useV1(makeUrl, {
      config: { rateLimit: { reads: 12, writes: 4 }, rateLimitExempt: "management", trustedProxies: ["127.0.0.1"] },
    });

    test("every answer says what is left, and a refusal when there is more", async () => {
      const { secret } = await v1.token();
      const first = await v1.send(asToken(secret, "GET", "/v1/acl/token/self"));
      expect(first.status).toBe(200);
      expect(first.headers["ratelimit-policy"]).toBe('"token-reads";q=12;w=60');
      expect(first.headers["ratelimit"]).toBe('"token-reads";r=11;t=5');
      const { answered, refusal } = await useUp(v1, asToken(secret, "GET", "/v1/acl/token/self"));
      // More where the machine is so slow that the bucket gains one meanwhile.
      expect(answered).toBeGreaterThanOrEqual(11);
      expect(refusal.text).toMatch(/^Too many reads by this token; retry in \d s$/);
      const wait = String(refusal.headers["retry-after"]);
      expect(wait).toMatch(/^[1-5]$/);
      expect(refusal.headers["ratelimit"]).toBe(`"token-reads";r=0;t=${wait}`);
      expect(refusal.headers["ratelimit-policy"]).toMatch(POLICIES);
    });

    test("the same of lists, documents, questions and refusals of both families", async () => {
      const secret = await v1.tokenWith(`acl = "read"`);
      for (const url of [
        "/v1/acl/policies",
        "/api/v2/organizations",
        "/api/v2/organizations/none",
        "/v1/acl/policy/x",
      ]) {
        const { headers, status } = await v1.send(asToken(secret, "GET", url));
        expect([url, status, headers["ratelimit-policy"]]).toEqual([url, status, '"token-reads";q=12;w=60']);
      }
      const question = { ...asToken(secret, "POST", "/v1/internal/acl/authorize"), payload: "[]" };
      expect((await v1.send(question)).headers["ratelimit"]).toMatch(/^"token-reads";r=7;/);
    });

    test("writes are counted apart from reads, also those that are refused", async () => {
      const secret = await v1.tokenWith(`acl = "read"`);
      const write = { ...asToken(secret, "PUT", "/v1/acl/policy"), payload: `{"Name":"x"}` };
      const { answered, refusal } = await useUp(v1, write);
      expect(answered).toBeGreaterThanOrEqual(4);
      expect(refusal.text).toMatch(/^Too many writes by this token/);
      expect((await v1.send(asToken(secret, "GET", "/v1/acl/policies"))).status).toBe(200);
    });

    test("both families are one bucket, and each words the refusal in its own way", async () => {
      const { secret } = await v1.token();
      await useUp(v1, asToken(secret, "GET", "/v1/acl/token/self"));
      const { status, body, headers } = await v1.send(asToken(secret, "GET", "/api/v2/organizations"));
      expect(status).toBe(429);
      expect(body.errors).toEqual([
        { status: "429", title: "Too many requests", detail: expect.stringMatching(/^Too many reads by this token/) },
      ]);
      expect(headers["x-ratelimit-limit"]).toBe("12");
      expect(headers["x-ratelimit-remaining"]).toBe("0");
      expect(Number(headers["x-ratelimit-reset"])).toBe(Number(headers["retry-after"]));
      expect(Number(headers["x-ratelimit-reset"])).toBeGreaterThanOrEqual(1);
    });

    test("a path that is written in another way is the same path", async () => {
      const { secret } = await v1.token();
      await useUp(v1, asToken(secret, "GET", "/%761/acl/token/self"));
      for (const url of [
        "/v1/acl/%74oken/self",
        "/%61pi/v2/account/details",
        "/%76%31/acl/policies",
        "/api/%762/organizations",
      ]) {
        const { status } = await v1.send(asToken(secret, "GET", url));
        expect([url, status]).toEqual([url, 429]);
      }
      expect((await v1.send(asToken(secret, "GET", "/api/v2/%70ing"))).status).toBe(204);
    });

    test("signing in at the console is a write, and asking who is signed in a read, of an address", async () => {
      const from = { "x-forwarded-for": "198.51.100.77" };
      const page = { "x-tessera-console": "1", origin: "http://localhost", "content-type": "application/json" };
      const signIn = { method: "POST", url: "/ui/session", headers: { ...from, ...page } } as const;
      const { secret } = await v1.token();
      const written = await useUp(v1, { ...signIn, payload: JSON.stringify({ SecretID: secret }) });
      expect(written.answered).toBeGreaterThanOrEqual(4);
      expect(written.refusal.text).toMatch(/^Too many writes by this address/);
      const read = await useUp(v1, { method: "GET", url: "/ui/session", headers: from });
      expect(read.answered).toBeGreaterThanOrEqual(12);
    });

    test("tokens do not count for each other, and those of management not at all where that is said", async () => {
      const [one, other] = [await v1.token(), await v1.token()];
      await useUp(v1, asToken(one.secret, "GET", "/v1/acl/token/self"));
      expect((await v1.send(asToken(other.secret, "GET", "/v1/acl/token/self"))).status).toBe(200);
      for (let times = 0; times < 20; times++) {
        const { status, headers } = await v1.send(asToken(MANAGEMENT, "GET", "/v1/acl/policies"));
        expect([status, headers["ratelimit"]]).toEqual([200, undefined]);
      }
    });

    test("who makes up tokens, or has none, is counted by the address that a trusted proxy says", async () => {
      const from = (token: string, address: string, url = "/v1/acl/policies") => ({
        method: "GET" as const,
        url,
        headers: { "x-forwarded-for": address, ...(token === "" ? {} : { authorization: `Bearer ${token}` }) },
      });
      for (let times = 0; times < 12; times++) {
        const made = `${times}`.padStart(8, "0") + NOBODY.slice(8);
        const url = times % 2 === 0 ? "/v1/acl/policies" : "/api/v2/organizations";
        expect((await v1.send(from(made, "2001:db8::1", url))).status).toBe(times % 2 === 0 ? 403 : 401);
      }
      for (const token of [NOBODY, "", "anonymous"]) await useUp(v1, from(token, "2001:db8::ffff"));
      await useUp(v1, from(NOBODY, "2001:db8::1", "/api/v2/organizations"));
      expect((await v1.send(from(NOBODY, "2001:db8:0:1::1"))).status).toBe(403);
      // A token that somebody has counts for itself, wherever it comes from.
      const { secret } = await v1.token();
      expect((await v1.send(from(secret, "2001:db8::1", "/v1/acl/token/self"))).status).toBe(200);
    });

    test("a read that waits is counted once", async () => {
      const secret = await v1.tokenWith(`acl = "read"`);
      const first = await v1.send(asToken(secret, "GET", "/v1/acl/policies"));
      const index = String(first.headers["x-service-index"]);
      const waiting = v1.send(asToken(secret, "GET", `/v1/acl/policies?index=${index}&wait=10m`));
      await v1.policy(`acl = "read"`);
      expect((await waiting).headers["ratelimit"]).toMatch(/^"token-reads";r=10;/);
      expect((await v1.send(asToken(secret, "GET", "/v1/acl/policies"))).headers["ratelimit"]).toMatch(/;r=9;/);
    });

    test("what says whether the server lives, and the ping of clients, is never refused and says no limit", async () => {
      for (const url of ["/healthz", "/readyz", "/api/v2/ping", "/.well-known/terraform.json"]) {
        for (let times = 0; times < 15; times++) {
          const { status, headers } = await v1.send({ method: "GET", url, remoteAddress: "192.0.2.77" });
          expect([url, status < 300, headers["x-ratelimit-limit"]]).toEqual([url, true, undefined]);
        }
      }
    });

    test("refusals are counted in the metrics", async () => {
      const { text } = await v1.send(asToken(MANAGEMENT, "GET", "/metrics"));
      expect(text).toMatch(/^tessera_rate_limited\{by="token",kind="reads"\} [1-9]/m);
      expect(text).toMatch(/^tessera_rate_limited\{by="stranger",kind="reads"\} [1-9]/m);
      expect(text).toMatch(/^tessera_rate_limit_callers [1-9]/m);
    });
  });

  describe("limits of one address", () => {
    const v1 = useV1(makeUrl, {
      config: { rateLimitPerAddress: { reads: 10, writes: 0 }, rateLimit: { reads: 4, writes: 0 } },
    });

    test("hold for all its tokens together, and are told beside those of the token", async () => {
      const [one, other, third] = await Promise.all([v1.token(), v1.token(), v1.token()]);
      const from = "192.0.2.9";
      const first = await v1.send(asToken(one.secret, "GET", "/v1/acl/token/self", from));
      expect(first.headers["ratelimit-policy"]).toBe('"address-reads";q=10;w=60, "token-reads";q=4;w=60');
      expect(first.headers["ratelimit-policy"]).toMatch(/^"address-reads"/);
      expect(first.headers["ratelimit"]).toBe('"address-reads";r=9;t=6, "token-reads";r=3;t=15');
      for (const { secret } of [one, one, one, other, other, other, other]) {
        expect((await v1.send(asToken(secret, "GET", "/v1/acl/token/self", from))).status).toBe(200);
      }
      const { answered, refusal } = await useUp(v1, asToken(third.secret, "GET", "/v1/acl/token/self", from));
      expect(answered).toBeGreaterThanOrEqual(2);
      expect(refusal.text).toMatch(/^Too many reads by this address/);
      expect((await v1.send(asToken(third.secret, "GET", "/v1/acl/token/self", "192.0.2.10"))).status).toBe(200);
    });

    test("keep made-up tokens from being looked up", async () => {
      const from = "198.51.100.1";
      const { answered } = await useUp(v1, asToken(NOBODY, "GET", "/v1/acl/policies", from));
      expect(answered).toBeGreaterThanOrEqual(4);
      for (let times = 0; times < 10; times++) await v1.send(asToken(NOBODY, "GET", "/v1/acl/policies", from));
      const before = v1.db.stats().operations;
      const refused = await v1.send(asToken(`${NOBODY.slice(0, -1)}6`, "GET", "/v1/acl/policies", from));
      expect(refused.status).toBe(429);
      expect(v1.db.stats().operations.point).toBe(before.point);
    });
  });

  describe("without limits", () => {
    const v1 = useV1(makeUrl, { config: { waitsPerToken: 1 } });

    test("nothing is said of them", async () => {
      const { headers } = await v1.send(asToken(MANAGEMENT, "GET", "/v1/acl/policies"));
      expect(Object.keys(headers).filter((name) => name.includes("ratelimit"))).toEqual([]);
      expect((await v1.send(asToken(MANAGEMENT, "GET", "/metrics"))).text).not.toContain("tessera_rate_limit");
    });

    test("what is refused under /api/v2 for another reason says numbers, too", async () => {
      const attributes = { name: v1.unique("org"), email: "o@example.com" };
      await v1.api("POST", "/organizations", { data: { type: "organizations", attributes } });
      const url = `/api/v2/organizations/${attributes.name}/tags`;
      const first = await v1.send(asToken(MANAGEMENT, "GET", url));
      const wait = {
        ...asToken(MANAGEMENT, "GET", url),
        headers: {
          authorization: `Bearer ${MANAGEMENT}`,
          prefer: "wait=60",
          "if-none-match": String(first.headers["etag"]),
        },
      };
      const waiting = v1.send(wait);
      await expect.poll(async () => (await v1.send({ ...wait })).status).toBe(429);
      const { headers } = await v1.send(wait);
      expect(headers).toMatchObject({
        "x-ratelimit-limit": "1",
        "x-ratelimit-remaining": "0",
        "x-ratelimit-reset": "1",
      });
      await v1.api("POST", `/organizations/${attributes.name}/tags`, {
        data: [{ type: "tags", attributes: { name: "new" } }],
      });
      expect((await waiting).status).toBe(200);
    });
  });
});
