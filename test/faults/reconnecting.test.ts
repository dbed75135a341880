/** Every server restarted at once, and thousands of watchers that come back at the same moment. */
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { makeDatabaseUrl, temporaryDirectory } from "../support/engines.ts";
import { IS_LONG, sized } from "../support/length.ts";
import { randomOfRun } from "../support/seeded.ts";
import { startServer, type RunningServer } from "../support/server.ts";
import { ask } from "../support/two-nodes.ts";

const random = randomOfRun();
const WATCHERS = sized(1000, 10_000);
const NODES = 2;

let nodes: RunningServer[] = [];
/** Each node, from when it listens on; while it is away, the one to come. */
let listening: Promise<RunningServer>[] = [];
let isOver = false;
const sockets = new Set<Socket>();
afterEach(async () => {
  isOver = true;
  for (const socket of sockets) socket.destroy();
  await Promise.all(nodes.map(async (node) => node.kill()));
});

/** Answers other than 200, as status line and whether they say when to come again. */
const odd: string[] = [];
let told = 0;

/** One client that watches until it has news. Cut, it comes back in the moment in which its server listens again. */
async function watch(number: number, token: string, index: number): Promise<void> {
  while (!isOver) {
    const { url } = await (listening[number % NODES] as Promise<RunningServer>);
    const head = await watchOnce(url, token, index);
    if (head === undefined) {
      await sleep(50 + random() * 50);
      continue;
    }
    if (head.startsWith("HTTP/1.1 200")) {
      told += 1;
      return;
    }
    odd.push(`${head.split("\r\n")[0]}${/\r\nretry-after: \d/i.test(head) ? "" : " without Retry-After"}`);
    await sleep(500);
  }
}

/** @returns the answer's head; undefined without an answer */
async function watchOnce(url: string, token: string, index: number): Promise<string | undefined> {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  sockets.add(socket);
  try {
    return await new Promise((resolve) => {
      let text = "";
      socket.on("error", () => undefined);
      socket.on("close", () => resolve(undefined));
      socket.on("data", (data) => {
        text += String(data);
        if (text.includes("\r\n\r\n")) resolve(text);
      });
      socket.write(
        `GET /v1/acl/policies?wait=10m&index=${index} HTTP/1.1\r\nHost: localhost\r\nX-Consul-Token: ${token}\r\n\r\n`,
      );
    });
  } finally {
    sockets.delete(socket);
    socket.destroy();
  }
}

async function untilReady({ url }: RunningServer): Promise<void> {
  for (;;) {
    const { status } = await fetch(`${url}/readyz`);
    if (status === 200) return;
    expect(status).toBe(503);
    await sleep(20);
  }
}

async function waiting(token: string): Promise<number> {
  const counts = nodes.map(async ({ url }) => {
    const answer = await fetch(`${url}/metrics`, { headers: { "x-consul-token": token } });
    return Number(/^tessera_waiting_requests (\d+)$/m.exec(await answer.text())?.[1] ?? 0);
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

test("all servers killed and restarted at once: ready within 5 s, each watcher waits again, and none gets but 503 meanwhile", async () => {
  const database = await makeDatabaseUrl("postgres");
  const dataDir = temporaryDirectory();
  const start = async (): Promise<RunningServer> =>
    startServer({ database, dataDir, env: { TESSERA_KEY_FILE: join(dataDir, "master-key") } });
  await (await startServer({ database, dataDir })).stop();
  const startAll = (): Promise<RunningServer>[] => Array.from({ length: NODES }, start);
  listening = startAll();
  nodes = await Promise.all(listening);
  const token = nodes[0]?.token ?? "";
  const first = nodes[0] as RunningServer;
  const { index } = await ask(first, token, "GET", "/acl/policies");
  const watchers = Array.from({ length: WATCHERS }, async (_, number) => watch(number, token, index));
  await expect.poll(() => waiting(token), { timeout: 60_000, interval: 500 }).toBe(WATCHERS);

  const killed = nodes;
  const restarted = performance.now();
  await Promise.all(killed.map(async (node) => node.kill({ keepData: true })));
  listening = startAll();
  nodes = await Promise.all(listening);
  // Counted from here: how fast a process starts is the machine's business.
  const upon = performance.now();
  await Promise.all(nodes.map(async (node) => untilReady(node)));
  // A promise of a machine that has nothing else to do, as it is in the long form.
  if (IS_LONG) expect(performance.now() - upon).toBeLessThan(5000);
  const ready = performance.now() - restarted;
  await expect.poll(() => waiting(token), { timeout: 60_000, interval: 500 }).toBe(WATCHERS);
  const back = performance.now() - restarted;
  expect((await ask(nodes[1] as RunningServer, token, "PUT", "/acl/policy", { Name: "news" })).status).toBe(200);
  await Promise.all(watchers);
  expect(told).toBe(WATCHERS);
  expect(odd.filter((line) => !line.startsWith("HTTP/1.1 503") || line.endsWith("without Retry-After"))).toEqual([]);
  process.stderr.write(
    `ready after ${Math.round(ready)} ms, all back after ${Math.round(back)} ms, ${odd.length} × 503\n`,
  );
});
