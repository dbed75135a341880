/**
 * The well-known load generators, to check our own against: `--generator wrk` or `autocannon`. They can only repeat
 * one request without a body; every other stream stays with ours. autocannon is slower than the server on the floor.
 */
import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { promisify } from "node:util";
import type { LoadResult, LoadSpec, StreamResult } from "./load-types.ts";
import { pinned } from "./machine.ts";

/** Load generator. */
export type Generator = "own" | "wrk" | "autocannon";

const run = promisify(execFile);

/** Runs a load with another generator; undefined when it cannot make this load. */
export async function runOther(generator: Generator, spec: LoadSpec): Promise<LoadResult | undefined> {
  const [stream] = spec.streams;
  if (generator === "own" || !stream || spec.streams.length > 1 || stream.source.kind !== "cycle") return undefined;
  const [request] = stream.source.requests;
  if (!request || stream.source.requests.length > 1 || request.method !== "GET" || stream.rate !== undefined) {
    return undefined;
  }
  const url = `${spec.url}${request.path}`;
  const seconds = String(Math.max(1, Math.round(spec.seconds)));
  const headers = ["-H", `Authorization: Bearer ${spec.token}`, "-H", "Accept: application/vnd.api+json"];
  const connections = ["-c", String(stream.connections), "-d", seconds];
  const base = { name: stream.name, connections: stream.connections, errors: 0, firstFailure: "" };
  const result =
    generator === "wrk"
      ? parseWrk(await runPinned("wrk", ["-t1", "--latency", ...connections, ...headers, url]))
      : parseAutocannon(await runPinned(process.execPath, [autocannon(), "-j", ...connections, ...headers, url]));
  // Neither says how long the answers are.
  const answer = await fetch(url, { headers: { authorization: `Bearer ${spec.token}` } });
  const bodyBytes = (await answer.arrayBuffer()).byteLength;
  const lines = Array.from(answer.headers, ([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${answer.status} ${answer.statusText}`, ...lines].join("\r\n");
  return { streams: [{ ...base, ...result, bodyBytes, head }], busy: 0, microseconds: 0 };
}

function autocannon(): string {
  return createRequire(import.meta.url).resolve("autocannon");
}

async function runPinned(program: string, args: readonly string[]): Promise<string> {
  const command = [...pinned(1), program, ...args];
  const { stdout } = await run(command[0] ?? program, command.slice(1), { maxBuffer: 16 * 2 ** 20 });
  return stdout;
}

type Measured = Pick<StreamResult, "requests" | "perSecond" | "p50" | "p99" | "max" | "statuses">;

function parseAutocannon(output: string): Measured {
  const report = JSON.parse(output) as {
    requests: { total: number; average: number };
    latency: { p50: number; p99: number; max: number };
    statusCodeStats: Record<string, { count: number }>;
  };
  const { requests, latency } = report;
  const statuses = Object.entries(report.statusCodeStats).map(([status, { count }]) => [status, count] as const);
  return {
    requests: requests.total,
    perSecond: requests.average,
    p50: latency.p50,
    p99: latency.p99,
    max: latency.max,
    statuses: Object.fromEntries(statuses),
  };
}

function parseWrk(output: string): Measured {
  const field = (pattern: RegExp) => pattern.exec(output);
  const milliseconds = (found: RegExpExecArray | null) => {
    const unit = { us: 0.001, ms: 1, s: 1000, m: 60_000 }[found?.[2] ?? "ms"] ?? 1;
    return Number(found?.[1] ?? 0) * unit;
  };
  const requests = Number(field(/(\d+) requests in/)?.[1] ?? 0);
  const failures = Number(field(/Non-2xx or 3xx responses: (\d+)/)?.[1] ?? 0);
  return {
    requests,
    perSecond: Number(field(/Requests\/sec:\s+([\d.]+)/)?.[1] ?? 0),
    p50: milliseconds(field(/50%\s+([\d.]+)(us|ms|s|m)/)),
    p99: milliseconds(field(/99%\s+([\d.]+)(us|ms|s|m)/)),
    max: milliseconds(field(/Latency\s+\S+\s+\S+\s+([\d.]+)(us|ms|s|m)/)),
    statuses: { "200": requests - failures, ...(failures > 0 ? { other: failures } : {}) },
  };
}
