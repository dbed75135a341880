/**
 * `node bench/threads.ts [N]`: what N threads (2 unless it is said) on the embedded database cost, against one: processor time
 * of a read and of a write, and memory. The server has all cores, the generator one of them, so that of the times the
 * processor's alone say something. One and N are measured by turns.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startServer, type RunningServer } from "../test/support/server.ts";
import type { LoadStream } from "./load-types.ts";
import { describeMachine, residentMegabytes } from "./machine.ts";
import { treeMicroseconds } from "./nodes/cpu.ts";
import { median } from "./median.ts";
import { refuseFailures, runLoad } from "./scenario.ts";

const SECONDS = 3;
const ROUNDS = 3;
const READY_MS = 5000;

const read = (name: string, path: string, connections: number): LoadStream => ({
  name,
  connections,
  source: { kind: "cycle", requests: [{ method: "GET", path }] },
});
async function prepare({ url, token }: RunningServer): Promise<LoadStream[]> {
  const headers = { "x-consul-token": token };
  const body = JSON.stringify({ Name: "written", Rules: 'acl = "read"' });
  const answer = await fetch(`${url}/v1/acl/policy`, { method: "PUT", headers, body });
  const { ID } = (await answer.json()) as { ID: string };
  const writing = (connections: number): LoadStream => {
    const request = { method: "PUT", path: `/v1/acl/policy/${ID}`, body };
    const name = `write a policy, ${connections} connections`;
    return { name, connections, source: { kind: "cycle", requests: [request] } };
  };
  return [
    read("token/self, 64 connections", "/v1/acl/token/self", 64),
    read("read a policy, 64 connections", `/v1/acl/policy/${ID}`, 64),
    read("read a policy, 8 connections", `/v1/acl/policy/${ID}`, 8),
    writing(64),
    writing(8),
  ];
}

interface Measured {
  microseconds: number;
  perSecond: number;
  p50: number;
}

async function measure({ url, token, pid }: RunningServer, stream: LoadStream): Promise<Measured> {
  const before = treeMicroseconds([pid]);
  const { streams } = await runLoad({ url, token, warmupSeconds: 0, seconds: SECONDS, streams: [stream] });
  const [result] = streams;
  if (result === undefined) throw new Error("nothing was measured");
  refuseFailures(stream.name, result);
  const { requests, perSecond, p50 } = result;
  return { microseconds: (treeMicroseconds([pid]) - before) / requests, perSecond, p50 };
}

async function main(): Promise<void> {
  const many = Number(process.argv[2] ?? 2);
  const directory = mkdtempSync(join(tmpdir(), "tessera-bench-"));
  const servers: RunningServer[] = [];
  try {
    for (const threads of [1, many]) {
      const outputFile = join(directory, `${threads}.log`);
      servers.push(await startServer({ outputFile, args: ["--threads", String(threads)] }));
    }
    // The threads come one after the other.
    await sleep(READY_MS);
    const memory = servers.map(({ pid }) => residentMegabytes(pid));
    const streams = await Promise.all(servers.map(prepare));
    process.stdout.write(`${describeMachine("the server has all cores, the load shares one of them")}\n`);
    for (const row of streams[0]?.keys() ?? []) {
      const found: Measured[][] = [[], []];
      for (let round = 0; round <= ROUNDS; round++) {
        for (const [index, server] of servers.entries()) {
          const stream = streams[index]?.[row];
          if (stream === undefined) continue;
          const measured = await measure(server, stream);
          // The first round warms up.
          if (round > 0) found[index]?.push(measured);
        }
      }
      const [one, other] = found.map((all) => ({
        microseconds: median(all.map(({ microseconds }) => microseconds)),
        perSecond: median(all.map(({ perSecond }) => perSecond)),
        p50: median(all.map(({ p50 }) => p50)),
      }));
      if (one === undefined || other === undefined) continue;
      const share = (other.microseconds / one.microseconds).toFixed(2);
      const text = [one, other].map(
        (m) => `${m.microseconds.toFixed(0)} µs, ${m.perSecond.toFixed(0)}/s, p50 ${m.p50.toFixed(2)} ms`,
      );
      process.stdout.write(
        `${streams[0]?.[row]?.name}: 1 thread ${text[0]}; ${many} threads ${text[1]}; ${share} times the processor time\n`,
      );
    }
    const after = servers.map(({ pid }) => residentMegabytes(pid));
    const each = after.map((mb, index) => `${memory[index]?.toFixed(0)} MB at first, ${mb.toFixed(0)} after the load`);
    process.stdout.write(`resident: 1 thread ${each[0]}; ${many} threads ${each[1]}\n`);
  } finally {
    await Promise.all(servers.map((server) => server.kill()));
    rmSync(directory, { recursive: true, force: true });
  }
}

await main();
