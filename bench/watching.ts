/**
 * `node bench/watching.ts [sqlite|postgres]`: thousands of blocking queries on one server. How long until the last of
 * them has its answer after a write, what one takes in memory, what they cost writers of other tables, and how fast a
 * list is that has not changed since it was made.
 */
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { RunningServer } from "../test/support/server.ts";
import type { WireRequest } from "./load-types.ts";
import { residentMegabytes } from "./machine.ts";
import type { Fact } from "./report.ts";
import { measure, type Bases, type Row, type Scenario } from "./scenario.ts";
import { call, inParallel, type Target } from "./seed.ts";
import { bench, CONDITIONS, log } from "./servers.ts";

const WIDTH = 64;

/** Connections that each send one request at a time and say when its answer begins. */
class Watcher {
  readonly socket: Socket;
  #arrived: (() => void) | undefined;

  constructor(url: URL) {
    this.socket = connect(Number(url.port), url.hostname);
    this.socket.setNoDelay(true);
    this.socket.on("data", () => {
      this.#arrived?.();
      this.#arrived = undefined;
    });
  }

  /** @returns when the answer has begun, by the monotonic clock */
  ask(path: string, token: string): Promise<number> {
    const arrival = new Promise<number>((resolve) => {
      this.#arrived = () => resolve(performance.now());
    });
    this.socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-Consul-Token: ${token}\r\n\r\n`);
    return arrival;
  }
}

async function openWatchers(target: Target, count: number): Promise<Watcher[]> {
  const url = new URL(target.url);
  const watchers = await inParallel(Array.from({ length: count }), WIDTH, async () => new Watcher(url));
  await inParallel(watchers, WIDTH, (watcher) => watcher.ask("/v1/acl/token/self", target.token));
  return watchers;
}

/** Lets all of them wait. @returns one promise for each, of when its answer began */
async function startWaiting(target: Target, watchers: readonly Watcher[], path: string): Promise<Promise<number>[]> {
  const index = await indexOf(target, path);
  const answers: Promise<number>[] = [];
  for (let start = 0; start < watchers.length; start += 200) {
    for (const watcher of watchers.slice(start, start + 200)) {
      answers.push(watcher.ask(`${path}?index=${index}&wait=10m`, target.token));
    }
    await sleep(20);
  }
  for (;;) {
    const answer = await fetch(`${target.url}/metrics`, { headers: { "x-consul-token": target.token } });
    const waiting = Number(/^tessera_waiting_requests (\d+)$/m.exec(await answer.text())?.[1]);
    if (waiting >= watchers.length) break;
    await sleep(100);
  }
  // The looks of the last ones are still under way.
  await sleep(1000);
  return answers;
}

async function indexOf(target: Target, path: string): Promise<number> {
  const answer = await fetch(`${target.url}${path}`, { headers: { "x-consul-token": target.token } });
  await answer.arrayBuffer();
  return Number(answer.headers.get("x-consul-index"));
}

async function wakeUps(server: RunningServer, target: Target, count: number): Promise<Fact[]> {
  log(`${count} waiters`);
  const watchers = await openWatchers(target, count);
  await sleep(2000);
  const idle = residentMegabytes(server.pid);
  const times: number[] = [];
  let waiting = 0;
  // The first rounds run code that has not been optimised yet.
  for (let round = -3; round < 5; round++) {
    const answers = await startWaiting(target, watchers, "/v1/acl/policies");
    if (round === -3) waiting = residentMegabytes(server.pid);
    const started = performance.now();
    await call(target, "PUT", "/v1/acl/policy", { Name: `wake-${count}-${round}` });
    const last = Math.max(...(await Promise.all(answers))) - started;
    if (round >= 0) times.push(last);
    await sleep(500);
  }
  for (const { socket } of watchers) socket.destroy();
  const sorted = times.toSorted((a, b) => a - b);
  const name = count.toLocaleString("en-US");
  return [
    { name: `${name} waiters, last answer after a write, median of 5`, value: sorted[2] ?? 0, unit: "ms" },
    { name: `${name} waiters, last answer after a write, worst of 5`, value: sorted.at(-1) ?? 0, unit: "ms" },
    {
      name: `${name} waiters, memory of each above an idle connection`,
      value: ((waiting - idle) * 1024) / count,
      unit: "KB",
    },
  ];
}

/** Asks again and again for the next change. */
function keepWaiting({ socket }: Watcher, path: string, token: string, since: number): void {
  const ask = (index: number): void =>
    void socket.write(
      `GET ${path}?index=${index}&wait=10m HTTP/1.1\r\nHost: localhost\r\nX-Consul-Token: ${token}\r\n\r\n`,
    );
  socket.on("data", (chunk: Buffer) => {
    const index = /x-consul-index: (\d+)/i.exec(chunk.toString("latin1"))?.[1];
    if (index !== undefined) ask(Number(index));
  });
  ask(since);
}

/** Measures the read latency of another client while many waiters are woken twice a second. */
async function readsBesideWaking(target: Target, count: number): Promise<Fact[]> {
  log(`reads beside ${count} waiters that are woken`);
  const watchers = await openWatchers(target, count);
  const since = await indexOf(target, "/v1/acl/policies");
  for (const watcher of watchers) keepWaiting(watcher, "/v1/acl/policies", target.token, since);
  await sleep(3000);
  const other = new Watcher(new URL(target.url));
  const times: number[] = [];
  const writes = setInterval(() => {
    void call(target, "PUT", "/v1/acl/policy", { Name: `beside-${Math.random().toString(36).slice(2)}` });
  }, 500);
  for (const ends = performance.now() + 15_000; performance.now() < ends; await sleep(2)) {
    const began = performance.now();
    times.push((await other.ask("/v1/acl/token/self", target.token)) - began);
  }
  clearInterval(writes);
  for (const { socket } of [...watchers, other]) socket.destroy();
  times.sort((a, b) => a - b);
  const name = `another client's read, ${count.toLocaleString("en-US")} waiters woken twice a second`;
  return [
    { name: `${name}, p99`, value: times[Math.floor(0.99 * times.length)] ?? 0, unit: "ms" },
    { name: `${name}, worst`, value: times.at(-1) ?? 0, unit: "ms" },
  ];
}

/** Compares equal writes without and with many waiters on another table. */
async function writesBeside(server: RunningServer, target: Target, bases: Bases): Promise<Row[]> {
  const write = {
    method: "PUT",
    path: "/v1/acl/token",
    body: JSON.stringify({ Description: "made by the benchmark" }),
  };
  const scenario = (name: string): Scenario => ({
    name,
    goals: [],
    streams: [{ name, connections: 32, source: { kind: "cycle", requests: [write] } }],
  });
  log("writes alone");
  const alone = await measure(scenario("create a token"), target, bases, CONDITIONS);
  log("writes beside waiters");
  const watchers = await openWatchers(target, 10_000);
  const answers = await startWaiting(target, watchers, "/v1/acl/roles");
  const name = "create a token, 10,000 waiters on roles";
  const beside = await measure(scenario(name), target, bases, CONDITIONS);
  for (const { socket } of watchers) socket.destroy();
  void answers;
  await sleep(1000);
  log(`resident memory when they have gone: ${residentMegabytes(server.pid).toFixed(0)} MB`);
  return [alone, beside];
}

async function lists(target: Target, bases: Bases): Promise<Row[]> {
  const rows: Row[] = [];
  let made = (await (
    await fetch(`${target.url}/v1/acl/roles`, { headers: { "x-consul-token": target.token } })
  ).json()) as unknown[];
  for (const [count, connections] of [
    [100, 32],
    [10_000, 4],
  ] as const) {
    log(`list of ${count}`);
    await inParallel(Array.from({ length: count - made.length }), 16, (_) =>
      call(target, "PUT", "/v1/acl/role", {
        Name: `role-${Math.random().toString(36).slice(2)}`,
        Description: "x".repeat(60),
      }),
    );
    made = Array.from({ length: count });
    await sleep(1500);
    const request: WireRequest = { method: "GET", path: "/v1/acl/roles" };
    const name = `list ${count.toLocaleString("en-US")} roles, unchanged`;
    const scenario: Scenario = {
      name,
      goals: [],
      streams: [{ name, connections, source: { kind: "cycle", requests: [request] } }],
    };
    rows.push(await measure(scenario, target, bases, CONDITIONS));
  }
  return rows;
}

await bench(async ({ server, target, bases }) => {
  const facts: Fact[] = [];
  facts.push(...(await readsBesideWaking(target, 2000)));
  for (const count of [1000, 10_000]) facts.push(...(await wakeUps(server, target, count)));
  return { facts, rows: [...(await writesBeside(server, target, bases)), ...(await lists(target, bases))] };
});
