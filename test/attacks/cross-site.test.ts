/** A page of another site, in the browser of somebody who can reach the server. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSigningKey } from "../support/key-server.ts";
import { bearer } from "../support/login.ts";
import { startServer, type RunningServer } from "../support/server.ts";
import { openSocket } from "./raw-client.ts";

const key = createSigningKey("k1");
const forger = createSigningKey("k1");
/** More than the limit of refused logins a minute. */
const TRIES = 150;
const PAGE = { origin: "https://evil.test", "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" };

let server: RunningServer;
beforeAll(async () => {
  server = await startServer();
  const Config = { JWTValidationPubKeys: [key.publicKey] };
  await send("PUT", "/v1/acl/auth-method", { Name: "open", Type: "jwt", Config });
  await send("PUT", "/v1/acl/binding-rule", { AuthMethod: "open", BindType: "service", BindName: "web" });
});
afterAll(() => server.kill());

async function send(method: string, path: string, body: unknown, headers: Record<string, string> = {}) {
  const answer = await fetch(server.url + path, {
    method,
    headers: { authorization: `Bearer ${server.token}`, "content-type": "text/plain", ...headers },
    ...(method === "GET" ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, text: await answer.text() };
}

const login = (BearerToken: string, headers = {}) =>
  send("POST", "/v1/acl/login", { AuthMethod: "open", BearerToken }, headers);

async function failureEntries(): Promise<number> {
  const { text } = await send("GET", "/metrics", undefined);
  return Number(/^tessera_login_failure_entries (\d+)$/m.exec(text)?.[1]);
}

describe("incident 47: a page of another site", () => {
  test("locks nobody out: what it sends is refused and not counted", async () => {
    for (let i = 0; i < TRIES; i++) {
      const { status, text } = await login("x", PAGE);
      expect([status, text]).toEqual([403, "The request comes from a page of another origin\n"]);
    }
    expect(await failureEntries()).toBe(0);
    expect((await login(bearer(key, { sub: "victim" }))).status).toBe(200);
  });

  test("locks nobody out who shares its address, whatever it claims to be", async () => {
    const claims = { iss: "https://idp.test", sub: "victim" };
    const refused = [];
    for (let i = 0; i < TRIES; i++) refused.push((await login(bearer(forger, claims))).status);
    expect(refused).toContain(429);
    for (let i = 0; i < TRIES; i++) await login(i % 2 === 0 ? "x" : bearer(forger, { sub: `${i}` }));
    expect((await login(bearer(key, claims))).status).toBe(200);
    expect((await login(bearer(key, { sub: "somebody" }))).status).toBe(200);
  });

  test("changes nothing, with whatever token, in either family", async () => {
    const organization = { data: { type: "organizations", attributes: { name: "evil", email: "a@evil.test" } } };
    const writes: [string, string, unknown][] = [
      ["PUT", "/v1/acl/policy", { Name: "evil", Rules: "" }],
      ["PUT", "/v1/acl/bootstrap", {}],
      ["POST", "/v1/acl/logout", undefined],
      ["POST", "/v1/acl/oidc/auth-url", { AuthMethod: "open" }],
      ["POST", "/v1/acl/oidc/callback", { AuthMethod: "open" }],
      ["DELETE", "/v1/acl/auth-method/open", undefined],
      ["POST", "/api/v2/organizations", organization],
      ["DELETE", "/api/v2/organizations/acme", undefined],
      ["POST", "/nowhere", {}],
    ];
    const pages: Record<string, string>[] = [
      PAGE,
      { origin: "null" },
      { origin: "https://evil.test" },
      { "sec-fetch-site": "same-site" },
    ];
    for (const page of pages) {
      for (const [method, path, body] of writes) {
        const type = path.startsWith("/api") ? "application/vnd.api+json" : "text/plain";
        const { status, text } = await send(method, path, body, { "content-type": type, ...page });
        expect([path, page, status]).toEqual([path, page, 403]);
        expect(text).toContain("The request comes from a page of another origin");
      }
    }
    expect((await send("GET", "/v1/acl/policy/name/evil", undefined)).status).toBe(404);
    expect((await send("GET", "/v1/acl/auth-method/open", undefined, PAGE)).status).toBe(200);
    // The server accepts requests from its own page.
    const own = { origin: server.url, "sec-fetch-site": "same-origin" };
    expect((await send("PUT", "/v1/acl/policy", { Name: "own", Rules: "" }, own)).status).toBe(200);
  });

  test("is refused before its body is read", async () => {
    const socket = await openSocket(server.url);
    const answered = new Promise<string>((resolve) => socket.once("data", (chunk: Buffer) => resolve(String(chunk))));
    socket.write(
      `POST /v1/acl/login HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: https://evil.test\r\nContent-Length: 1000000\r\n\r\n{`,
    );
    expect(await answered).toMatch(/^HTTP\/1\.1 403 /);
    socket.destroy();
  });
});
