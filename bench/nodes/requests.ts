/** Cost of typical requests: processor time, statements and bytes, of the node and of the database. */
import { setTimeout as sleep } from "node:timers/promises";
import { measureCost, measureIdle, warmUp } from "./cost.ts";
import { withCluster, type Node } from "./cluster.ts";
import { seedKinds } from "./seed.ts";
import { renderPlain } from "./table.ts";
import { startWireCounter, type WireCounter, type WireCounts } from "./wire.ts";
import { log } from "../servers.ts";

const OPERATIONS = ["point", "query", "long", "transaction"];
const HEADER = [
  "request",
  "rate/s",
  "node µs",
  "database µs",
  ...OPERATIONS.map((name) => `${name}s`.replace("querys", "queries")),
  "statements",
  "transactions",
  "bytes to db",
  "bytes from db",
  "answer bytes",
  "p50 ms",
  "p99 ms",
];

/** @returns a table */
export async function benchRequests(seconds: number): Promise<string> {
  return withCluster(true, async ({ postgres, startNode, afterNodes }) => {
    const node = await startNode();
    const wire = await startWireCounter(postgres.url);
    afterNodes(async () => wire.close());
    log("cost: filling");
    const kinds = await seedKinds(node);
    const counted = await startNode([], wire.url);
    const setup = { targets: [node], trees: { node: [node.pid], database: [postgres.pid] } };
    const all = Object.values(kinds);
    const warm = all.map((kind) => ({ seconds, rate: kind.rate / 4, source: () => kind.source() }));
    await warmUp([node, counted], warm, Math.min(5, seconds * 3));
    const idle = await measureIdle(setup.trees, Math.max(2, seconds));
    const idleOperations = await perSecond(async () => readOperations(node));
    const idleWire = await perSecond(async () => ({ ...wire.read() }));
    const lines: (string | number)[][] = [];
    for (const kind of all) {
      log(`cost: ${kind.name}`);
      const load = { rate: kind.rate, seconds, source: () => kind.source() };
      // Its own rows and answers warm: the loads before were of other kinds.
      await warmUp([node, counted], [load], Math.min(1, seconds / 2));
      const operations = await during(async () => readOperations(node), idleOperations);
      const cost = await measureCost(setup, load, idle);
      const done = await operations(cost.requests);
      const wired = await countWire(wire, counted, { ...load, seconds: Math.min(1, seconds) }, idleWire);
      lines.push([
        kind.name,
        kind.rate,
        cost.net["node"] ?? 0,
        cost.net["database"] ?? 0,
        ...OPERATIONS.map((name) => done[name] ?? 0),
        ...(["statements", "transactions", "toDatabase", "fromDatabase"] as const).map((name) => wired[name] ?? 0),
        cost.bodyBytes,
        cost.p50,
        cost.p99,
      ]);
    }
    return renderPlain({ title: "cost of a request", header: HEADER, lines, notes: NOTES });
  });
}

const NOTES = [
  "All for one request, less what happens when idle; 32 connections, one node. The node is on core 0, the generator and the",
  "database on core 1. Points, queries and transactions are what the node asks its storage for (/metrics); reads by key that",
  "come together travel as one statement. Statements (with BEGIN and COMMIT), transactions and bytes were counted between node",
  "and database in a run of its own. The answer's bytes are of its body.",
];

type Counts = Record<string, number>;

/** @returns a function that gives what has been counted since then for each of some requests */
async function during(read: () => Promise<Counts>, idle: Counts): Promise<(requests: number) => Promise<Counts>> {
  const before = await read();
  const began = performance.now();
  return async (requests) => {
    const after = await read();
    const elapsed = (performance.now() - began) / 1000;
    const entry = ([name, value]: [string, number]): [string, number] => [
      name,
      (value - (before[name] ?? 0) - (idle[name] ?? 0) * elapsed) / requests,
    ];
    return Object.fromEntries(Object.entries(after).map(entry));
  };
}

async function perSecond(read: () => Promise<Counts>): Promise<Counts> {
  const done = await during(read, {});
  const seconds = 2;
  await sleep(seconds * 1000);
  return done(seconds);
}

async function countWire(
  wire: WireCounter,
  node: Node,
  load: Parameters<typeof measureCost>[1],
  idle: Counts,
): Promise<Partial<Record<keyof WireCounts, number>>> {
  const done = await during(async () => ({ ...wire.read() }), idle);
  const { requests } = await measureCost({ targets: [node], trees: {} }, load, {});
  return done(requests);
}

async function readOperations({ url, token }: Node): Promise<Counts> {
  const answer = await fetch(`${url}/metrics`, { headers: { "x-consul-token": token } });
  const text = await answer.text();
  const found = text.matchAll(/^tessera_storage_operations_total\{kind="(\w+)"\} (\d+)$/gm);
  return Object.fromEntries([...found].map(([, kind, count]) => [kind ?? "", Number(count)]));
}
