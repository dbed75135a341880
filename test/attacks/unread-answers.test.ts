import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startServer, type RunningServer } from "../support/server.ts";
import { openSocket } from "./raw-client.ts";
import { residentBytes } from "./resident.ts";

const MB = 1_000_000;
const CONNECTIONS = 50;
const AHEAD = 100;
/** Packed, each answer is one of its own, of half the length. */
const RULES = `acl = "read"\n${Array.from({ length: 2700 }, () => `# ${randomBytes(90).toString("hex")}`).join("\n")}\n`;

let server: RunningServer;
let path: string;
beforeAll(async () => {
  server = await startServer();
  const headers = { "x-consul-token": server.token };
  const body = JSON.stringify({ Name: "long", Rules: RULES });
  const made = await fetch(`${server.url}/v1/acl/policy`, { method: "PUT", headers, body });
  expect(made.status).toBe(200);
  path = `/v1/acl/policy/${((await made.json()) as { ID: string }).ID}`;
});
afterAll(() => server.kill());

it("incident 50: answers that are asked for ahead and never read are not made", async () => {
  const headers = { "x-consul-token": server.token };
  for (let warm = 0; warm < 20; warm++) await (await fetch(server.url + path, { headers })).text();
  const before = residentBytes(server.pid);
  const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\nX-Consul-Token: ${server.token}\r\n\r\n`;
  const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => openSocket(server.url)));
  for (const socket of sockets) socket.pause().write(request.repeat(AHEAD));
  let most = 0;
  for (let look = 0; look < 40; look++) {
    await sleep(150);
    most = Math.max(most, residentBytes(server.pid));
  }
  expect((most - before) / MB).toBeLessThan(400);
  // Others are served meanwhile.
  expect((await fetch(server.url + path, { headers })).status).toBe(200);
  const metrics = await (await fetch(`${server.url}/metrics`, { headers })).text();
  expect(Number(/^tessera_http_requests_held (\d+)/m.exec(metrics)?.[1])).toBeGreaterThan(CONNECTIONS * 10);
  for (const socket of sockets) socket.destroy();
});
