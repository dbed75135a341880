/** A server on one PostgreSQL, from its first start to its second. */
import { expect } from "vitest";
import { MIGRATIONS } from "../../src/storage/migrations/migrate.ts";
import { temporaryDirectory } from "../support/engines.ts";
import { CLIENT } from "../support/openid-login.ts";
import { startOpenIdProvider } from "../support/openid-provider.ts";
import { startServer, type RunningServer } from "../support/server.ts";
import { ask, callerOf, MANAGEMENT } from "../upgrades/caller.ts";
import { readAll } from "../upgrades/read-back.ts";
import { deleteSome, writeHistory, type Written } from "../upgrades/write-history.ts";

const KNOWN = MIGRATIONS.length;
const ARGS = ["--initial-management-token", MANAGEMENT, "--outbound-allow", "127.0.0.0/8"];

/**
 * Organizations, workspaces, tags, policies, roles, tokens, namespaces, auth methods and logins are written; somebody
 * waits for a change and is woken; a namespace and others are deleted; and after a restart every answer is as before.
 */
export async function walk(database: string): Promise<void> {
  const dataDir = temporaryDirectory();
  const provider = await startOpenIdProvider({ clients: [CLIENT] });
  let server = await startServer({ database, dataDir, args: ARGS });
  try {
    const written = await writeHistory(callerOf(server.url), KNOWN, provider);
    await expectWoken(server);
    await deleteSome(callerOf(server.url), KNOWN);
    const gone = async (): Promise<number> => (await ask(server.url, "GET", "/v1/namespace/gone-ns")).status;
    await expect.poll(gone, { timeout: 20_000, interval: 50 }).toBe(404);
    const before = await readAll(server.url, KNOWN, written);
    expectKept(written, before);
    expect(await server.stop(), server.stderr).toBe(0);
    server = await startServer({ database, dataDir, args: ARGS });
    expect(await readAll(server.url, KNOWN, written)).toEqual(before);
    expect(await server.stop(), server.stderr).toBe(0);
  } finally {
    await server.kill();
    await provider.stop();
  }
}

/** Checks that requests with or for deleted objects, and with a disabled token, are refused, and no others. */
function expectKept({ secrets }: Written, answers: Awaited<ReturnType<typeof readAll>>): void {
  const names = new Map(Object.entries(secrets).map(([name, secret]) => [secret, name]));
  const refused = answers.filter(({ status }) => status !== 200);
  const places = refused.map(({ path, token, status }) => {
    const place = path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, "ID");
    return `${status} ${place} by ${names.get(token) ?? token}`;
  });
  expect(places.toSorted()).toEqual([
    "401 /api/v2/organizations by not-a-secret",
    "403 /v1/acl/authorize by ?ns=gone-ns",
    "403 /v1/acl/authorize by disabled",
    "403 /v1/acl/authorize by gone login",
    "403 /v1/acl/token/self by ?ns=gone-ns",
    "403 /v1/acl/token/self by disabled",
    "403 /v1/acl/token/self by gone login",
    "404 /api/v2/organizations/gone-org by management",
    "404 /v1/acl/auth-method/gone-method?ns=team-1 by management",
    "404 /v1/acl/policy/ID by management",
  ]);
}

/** Somebody who waits for a policy that is not there yet is answered when it is made, and not when time is up. */
async function expectWoken({ url }: RunningServer): Promise<void> {
  const path = `${url}/v1/acl/policy/name/awaited`;
  const headers = { "x-consul-token": MANAGEMENT };
  const first = await fetch(path, { headers });
  expect(first.status).toBe(404);
  const index = String(first.headers.get("x-consul-index"));
  const waiting = fetch(`${path}?index=${index}&wait=10m`, { headers });
  await expect.poll(() => metric(url, "tessera_waiting_requests"), { timeout: 20_000, interval: 20 }).toBe(1);
  await callerOf(url)("PUT", "/v1/acl/policy", { Name: "awaited", Rules: 'acl = "read"' });
  const woken = await waiting;
  expect(woken.status).toBe(200);
  expect(await woken.json()).toMatchObject({ Name: "awaited" });
}

async function metric(url: string, name: string): Promise<number> {
  const { body } = await ask(url, "GET", "/metrics");
  return Number(new RegExp(`^${name} (\\d+)$`, "m").exec(String(body))?.[1]);
}
