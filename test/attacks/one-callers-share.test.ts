/** Incident 69: one caller takes as much as it can of what all share, and everybody else is served all the same. */
import type { Socket } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startServer, type RunningServer } from "../support/server.ts";
import { openSocket } from "./raw-client.ts";

const CONNECTIONS = 55;
/** Some 90 kB each; a page of them is more than the kernel takes on behalf of a client. */
const WORKSPACES = 55;
const API = "application/vnd.api+json";

let server: RunningServer;
let greedy = "";
let other = "";
const sockets: Socket[] = [];
/** Sockets whose answer has begun. The test reads some 40 kB a second from each, so that none is cut. */
const slow: Socket[] = [];
const trickle = setInterval(() => {
  for (const socket of slow) socket.read(Math.min(4096, socket.readableLength));
}, 100);

beforeAll(async () => {
  server = await startServer({ args: ["--max-sending", "96"] });
  await create("/api/v2/organizations", { type: "organizations", attributes: { name: "acme", email: "a@b.c" } });
  for (let n = 0; n < WORKSPACES; n++) {
    const texts = {
      description: "d".repeat(10_000),
      "source-name": "s".repeat(10_000),
      "source-url": "u".repeat(10_000),
    };
    const patterns = Array.from({ length: 65 }, () => "p".repeat(950));
    const attributes = { ...texts, name: `w${n}`, "trigger-patterns": patterns };
    await create("/api/v2/organizations/acme/workspaces", { type: "workspaces", attributes });
  }
  const rules = 'acl = "read"\norganization "acme" { policy = "read" }\nworkspace_prefix "acme/" { policy = "read" }';
  await put("/v1/acl/policy", { Name: "reader", Rules: rules });
  // A list that is counted, and lies beside the one that is hoarded.
  for (let n = 0; n < 200; n++) await put("/v1/acl/policy", { Name: `long-${n}`, Description: "d".repeat(200) });
  [greedy = "", other = ""] = await Promise.all(["greedy", "other"].map(tokenOf));
});
afterAll(async () => {
  clearInterval(trickle);
  for (const socket of sockets) socket.destroy();
  await server.kill();
});

async function create(path: string, data: unknown): Promise<void> {
  const headers = { authorization: `Bearer ${server.token}`, "content-type": API };
  const answer = await fetch(server.url + path, { method: "POST", headers, body: JSON.stringify({ data }) });
  expect([path, answer.status]).toEqual([path, 201]);
}

async function put(path: string, body: unknown): Promise<unknown> {
  const headers = { "x-consul-token": server.token };
  const answer = await fetch(server.url + path, { method: "PUT", headers, body: JSON.stringify(body) });
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.json();
}

async function tokenOf(description: string): Promise<string> {
  const made = await put("/v1/acl/token", { Description: description, Policies: [{ Name: "reader" }] });
  return (made as { SecretID: string }).SecretID;
}

async function get(path: string, token: string): Promise<{ path: string; status: number; text: string }> {
  const answer = await fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } });
  return { path, status: answer.status, text: await answer.text() };
}

/** Asks for a page that nobody else asks for, and reads it as slowly as it may. @returns its status */
async function hoard(size: number): Promise<number> {
  const socket = await openSocket(server.url);
  sockets.push(socket);
  const path = `/api/v2/organizations/acme/workspaces?page[size]=${size}`;
  const head = new Promise<string>((resolve) =>
    socket.once("data", (bytes: Buffer) => {
      socket.pause();
      slow.push(socket);
      resolve(bytes.toString("latin1", 0, 12));
    }),
  );
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${greedy}\r\n\r\n`);
  return Number((await head).slice(-3));
}

it("incident 69: 55 slow connections of one token leave everybody their lists, the numbers and the probes", async () => {
  const statuses: number[] = [];
  for (let n = 0; n < CONNECTIONS; n++) statuses.push(await hoard(WORKSPACES + (n % 46)));
  // It got much, and not all.
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(10);
  expect(statuses).toContain(503);
  const refused = await get("/api/v2/organizations/acme/workspaces?page[size]=54", greedy);
  expect([refused.status, refused.text]).toEqual([503, expect.stringContaining("uses a large share")]);
  const list = "/api/v2/organizations/acme/workspaces?page[size]=53";
  for (const path of [list, "/v1/acl/policies", "/readyz"]) {
    expect(await get(path, other)).toMatchObject({ path, status: 200 });
  }
  const metrics = await get("/metrics", server.token);
  expect(metrics.status).toBe(200);
  expect(Number(/^tessera_http_sending_bytes (\d+)/m.exec(metrics.text)?.[1])).toBeGreaterThan(50_000_000);
  // The server still answers writes, also those of a caller that has its whole share, and management sees what was
  // done.
  await put("/v1/acl/policy", { Name: "meanwhile" });
  expect(await get("/v1/audit?page-size=1000", server.token)).toMatchObject({ status: 200 });
});
