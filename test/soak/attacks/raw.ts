/** Attacks that no HTTP library would make. */
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { openSocket } from "../../attacks/raw-client.ts";
import type { Attack, Ring } from "./attack.ts";

const AHEAD = 100;
/** For how long those hold what they have, who hold it. */
const HOLD_MS = 5000;
const SLOW_MS = 10_000;
const SIP_BYTES = 4096;
const SIP_EVERY_MS = 100;
/** For how long whoever sends no HTTP waits for an answer. */
const PATIENCE_MS = 5000;
/** More than one address may have waiting. */
const WAITERS = 300;
const WAITERS_OPENED = 20;

const BAD_HTTP = [
  "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
  "GET / HTTP/9.9\r\n\r\n",
  "GET /v1/acl/policies HTTP/1.1\r\nHost: localhost\r\nHost: evil.test\r\n\r\n",
  "POST /v1/acl/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
  "POST /v1/acl/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
  "GET http://evil.test/v1/acl/policies HTTP/1.1\r\nHost: localhost\r\n\r\n",
];

/** A little less than the rules of a policy may have. */
const CHECKED = JSON.stringify({ Rules: 'key "checked" { policy = "read" }\n'.repeat(15_000) });

function get(path: string, token: string): string {
  const credential = token === "" ? "" : `X-Consul-Token: ${token}\r\n`;
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${credential}\r\n`;
}

/** Notes the status that begins what is received next, or `nothing`. */
async function noteStatus(ring: Ring, socket: Socket): Promise<void> {
  const received = new Promise<string>((resolve) => {
    socket.once("data", (chunk: Buffer) => resolve(chunk.toString("latin1", 0, 16)));
    socket.once("close", () => resolve(""));
  });
  socket.resume();
  const text = await Promise.race([received, sleep(PATIENCE_MS, "", { ref: false })]);
  ring.note(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? "nothing");
}

/** Sends what is no proper request. */
async function provoke(ring: Ring, bytes: string): Promise<void> {
  const socket = await openSocket(ring.target.url);
  socket.write(bytes);
  await noteStatus(ring, socket);
  socket.destroy();
}

/** Sends requests and reads nothing for so long. */
async function hold(ring: Ring, bytes: string, milliseconds: number): Promise<void> {
  const socket = await openSocket(ring.target.url);
  socket.pause().write(bytes);
  await sleep(milliseconds);
  if (socket.destroyed) ring.note("cut");
  else await noteStatus(ring, socket);
  socket.destroy();
}

/** Reads a little at a time of an answer that is longer than what the kernel takes. */
async function sip(ring: Ring): Promise<void> {
  const socket = await openSocket(ring.target.url);
  socket.pause().write(get("/api/v2/organizations/big/workspaces?page[size]=100", ring.target.management));
  let bytes = 0;
  for (let spent = 0; spent < SLOW_MS; spent += SIP_EVERY_MS) {
    bytes += ((socket.read(SIP_BYTES) ?? socket.read()) as Buffer | null)?.length ?? 0;
    await sleep(SIP_EVERY_MS);
  }
  ring.note(bytes > 2 * SIP_BYTES ? "sipped" : "nothing");
  socket.destroy();
}

/** Sends a check of long rules whose answer nobody waits for. */
async function sendAndDrop(ring: Ring): Promise<void> {
  const socket = await openSocket(ring.target.url);
  const credential = `X-Consul-Token: ${ring.target.reader}\r\n`;
  const head = `POST /v1/acl/policy/check HTTP/1.1\r\nHost: localhost\r\n${credential}`;
  const isSent = new Promise<boolean>((resolve) => {
    socket.once("close", () => resolve(false));
    socket.write(`${head}Content-Length: ${CHECKED.length}\r\n\r\n${CHECKED}`, (error) => resolve(!error));
  });
  ring.note((await isSent) ? "dropped" : "cut");
  socket.destroy();
}

export const RAW: readonly Attack[] = [
  {
    name: "dropped checks",
    perSecond: 4,
    atOnce: 8,
    meets: ["dropped"],
    act: sendAndDrop,
  },
  {
    name: "pipelined and unread",
    perSecond: 2,
    atOnce: 10,
    meets: [200],
    act: (ring) => {
      const path = ring.random.pick(["/v1/acl/policies", "/v1/acl/tokens"]);
      return hold(ring, get(path, ring.target.reader).repeat(AHEAD), HOLD_MS);
    },
  },
  {
    name: "slow readers",
    perSecond: 1,
    atOnce: 8,
    meets: ["sipped"],
    act: sip,
  },
  {
    name: "unread event streams",
    perSecond: 1,
    atOnce: 8,
    meets: [200],
    act: (ring) => hold(ring, get("/v1/events?topics=policies,tokens", ring.target.reader), SLOW_MS),
  },
  {
    name: "anonymous waits",
    perSecond: 0.15,
    atOnce: 1,
    meets: ["held", 429],
    act: async (ring) => {
      const held: Promise<void>[] = [];
      for (let opened = 0; opened < WAITERS; opened += WAITERS_OPENED) {
        held.push(...Array.from({ length: WAITERS_OPENED }, () => waitAnonymously(ring)));
        await sleep(SIP_EVERY_MS);
      }
      await Promise.all(held);
    },
  },
  {
    name: "header floods",
    perSecond: 5,
    atOnce: 4,
    meets: [431],
    act: (ring) => provoke(ring, `GET / HTTP/1.1\r\nHost: localhost\r\n${"X-Flood: flood\r\n".repeat(3000)}\r\n`),
  },
  {
    name: "bad HTTP",
    perSecond: 10,
    atOnce: 4,
    meets: [400],
    act: (ring) => provoke(ring, ring.random.pick(BAD_HTTP)),
  },
];

async function waitAnonymously(ring: Ring): Promise<void> {
  const socket = await openSocket(ring.target.url);
  let status = 0;
  socket.once("data", (chunk: Buffer) => (status = Number(chunk.toString("latin1", 9, 12))));
  socket.write(get("/v1/acl/policies?ns=*&index=1&wait=1m", ""));
  await sleep(HOLD_MS);
  ring.note(status === 0 ? "held" : status);
  socket.destroy();
}
