/** Requests that take long, sent and dropped again and again: the work for them ends, and so does what it holds. */
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { engines, makeDatabaseUrl } from "../support/engines.ts";
import { IS_LONG } from "../support/length.ts";
import { ownClock } from "../support/own-time.ts";
import { startServer, type RunningServer } from "../support/server.ts";
import { residentBytes } from "./resident.ts";

vi.setConfig({ testTimeout: 900_000 });

const TOKENS = 6;
const CONNECTIONS = 8;
const ROUNDS = 25;
/** A little less than a policy may have. */
const RULES_BYTES = 511 * 1024;
/** The process may have so many times as much as before, a minute after the clients have gone. */
const MOST = 1.3;
/** Counts the server's own time: it may have a tenth of a core of a machine that is not its own. */
const SOON_MS = 60_000;
const LOOK_MS = 500;
/** The server of PostgreSQL is the same program: the long form asks it too. */
const asked = engines.filter((engine) => engine === "sqlite" || IS_LONG || engines.length === 1);

let server: RunningServer;
let tokens: string[];

const READER = { Policies: [{ Name: "reader" }] };

async function put(path: string, body: object): Promise<Record<string, unknown>> {
  const headers = { "x-consul-token": server.token };
  const answer = await fetch(`${server.url}/v1${path}`, { method: "PUT", headers, body: JSON.stringify(body) });
  expect(answer.status).toBe(200);
  return (await answer.json()) as Record<string, unknown>;
}

function longRules(): string {
  let text = "";
  for (let n = 0; text.length < RULES_BYTES - 40; n++) text += `key "k${n}" { policy = "read" }\n`;
  return text;
}

const BODY = JSON.stringify({ Rules: longRules() });

/** Sends a check whose answer nobody waits for. */
async function sendAndDrop(token: string): Promise<void> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined);
  const head = `POST /v1/acl/policy/check HTTP/1.1\r\nHost: localhost\r\nX-Consul-Token: ${token}\r\n`;
  socket.write(`${head}Content-Length: ${Buffer.byteLength(BODY)}\r\n\r\n${BODY}`, () => socket.destroy());
  await once(socket, "close");
}

async function check(token: string): Promise<number> {
  const headers = { "x-consul-token": token };
  const answer = await fetch(`${server.url}/v1/acl/policy/check`, { method: "POST", headers, body: BODY });
  await answer.text();
  return answer.status;
}

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\d+)`, "m").exec(text)?.[1]);
}

/** Looks until something holds, for a minute of the server's own time. */
async function soon(holds: () => boolean | Promise<boolean>): Promise<boolean> {
  const clock = ownClock(server.pid);
  for (;;) {
    const isLast = clock() > SOON_MS;
    if (await holds()) return true;
    if (isLast) return false;
    await sleep(LOOK_MS);
  }
}

describe.each(asked)("on %s", (engine) => {
  beforeAll(async () => {
    server = await startServer({ database: await makeDatabaseUrl(engine), args: ["--metrics-open"] });
    await put("/acl/policy", { Name: "reader", Rules: 'acl = "read"' });
    tokens = await Promise.all(
      Array.from({ length: TOKENS }, async () => String((await put("/acl/token", READER))["SecretID"])),
    );
  });
  afterAll(() => server.kill());

  it.each([
    ["one token", 1],
    ["several tokens of one namespace", TOKENS],
  ])("incident 68: 511 KB to policy/check, sent and dropped by %s, leave nothing behind", async (_who, count) => {
    const [first = ""] = tokens;
    for (let warm = 0; warm < 10; warm++) expect(await check(first)).toBe(200);
    const before = residentBytes(server.pid);
    for (let round = 0; round < ROUNDS; round++) {
      const all = tokens
        .slice(0, count)
        .flatMap((token) => Array.from({ length: CONNECTIONS }, () => sendAndDrop(token)));
      await Promise.all(all);
    }
    expect(await soon(async () => (await metric("tessera_http_receiving_bytes")) === 0)).toBe(true);
    expect(await check(first)).toBe(200);
    let grown = Infinity;
    await soon(() => (grown = residentBytes(server.pid) / before) <= MOST);
    expect(grown).toBeLessThanOrEqual(MOST);
  });
});
