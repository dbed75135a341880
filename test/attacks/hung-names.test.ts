/** A name server that is silent about some names: whoever uses those waits, and nobody else. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSigningKey } from "../support/key-server.ts";
import { bearer } from "../support/login.ts";
import { startNameServer, type NameServer } from "../support/name-server.ts";
import { startServer, type RunningServer } from "../support/server.ts";

const key = createSigningKey("k1");
const provider = createServer((_request, response) => response.end(JSON.stringify({ keys: [key.jwk] })));
let names: NameServer;
let server: RunningServer;

beforeAll(async () => {
  await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
  names = await startNameServer(new Map([["idp.test", "127.0.0.1"]]));
  const args = ["--name-servers", names.address, "--outbound-allow", "127.0.0.0/8", "--login-failure-limit", "0"];
  server = await startServer({ args });
});
afterAll(async () => {
  await server.kill();
  names.close();
  provider.close();
});

async function send(method: string, path: string, body: unknown): Promise<{ status: number; text: string }> {
  const headers = { "x-service-token": server.token };
  const answer = await fetch(`${server.url}/v1${path}`, { method, headers, body: JSON.stringify(body) });
  return { status: answer.status, text: await answer.text() };
}

test("incident 45: hung names of one tenant's methods delay nobody else's login", async () => {
  await send("PUT", "/namespace", { Name: "hostile" });
  const pending = new Set<number>();
  const hung = Array.from({ length: 64 }, async (_, i) => {
    pending.add(i);
    const Config = { JWKSURL: `http://hung-${i}.test/keys` };
    const answer = await send("PUT", "/acl/auth-method?ns=hostile", { Name: `m-${i}`, Type: "jwt", Config });
    pending.delete(i);
    return answer.status;
  });
  await expect.poll(() => names.asked.filter((name) => name.startsWith("hung")).length).toBeGreaterThanOrEqual(8);

  const { port } = provider.address() as AddressInfo;
  const Config = { JWKSURL: `http://idp.test:${port}/keys` };
  // Each makes a method, whose keys are fetched under the name, and logs in.
  for (let i = 0; i < 5; i++) {
    const made = await send("PUT", "/acl/auth-method", { Name: `idp-${i}`, Type: "jwt", Config });
    expect(made.status, made.text).toBe(200);
    await send("PUT", "/acl/binding-rule", { AuthMethod: `idp-${i}`, BindType: "service", BindName: "web" });
    const login = await send("POST", "/acl/login", { AuthMethod: `idp-${i}`, BearerToken: bearer(key) });
    expect(login.status, login.text).toBe(200);
    const local = { JWKSURL: `http://localhost:${port}/keys` };
    const other = await send("PUT", "/acl/auth-method", { Name: `local-${i}`, Type: "jwt", Config: local });
    expect(other.status, other.text).toBe(200);
  }
  // The attack was still on.
  expect(pending.size).toBe(64);
  expect(new Set(await Promise.all(hung))).toEqual(new Set([400]));
});
