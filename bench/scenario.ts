/** What a scenario is, and how one is run beside its bases. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import {
  BARE_PATH,
  type LoadResult,
  type LoadSpec,
  type LoadStream,
  type SampleAnswer,
  type StreamResult,
  type WireRequest,
} from "./load-types.ts";
import { pinned } from "./machine.ts";
import { runOther, type Generator } from "./other-generators.ts";
import type { Target } from "./seed.ts";

/** A number that a stream has to reach. */
export interface Goal {
  /** The stream's place in the scenario; the first one when left out. */
  readonly stream?: number;
  /** `share`: of what the bare server reaches with the same bytes. */
  readonly metric: "perSecond" | "p50" | "p99" | "max" | "share";
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** One measurement: the first stream is what it is about, the others run beside it. */
export interface Scenario {
  readonly name: string;
  readonly goals: readonly Goal[];
  readonly streams: readonly LoadStream[];
}

/** What a scenario is measured against, with the same connections and bytes. */
export interface Bases {
  /** The same HTTP shell without any work: see floor.ts. */
  readonly shell: Target;
  /** A Node server without anything: see bare.ts. */
  readonly bare: Target;
}

/** A scenario's results beside those of its bases. */
export interface Row {
  readonly scenario: string;
  readonly goals: readonly Goal[];
  readonly streams: readonly StreamResult[];
  readonly shell: StreamResult | undefined;
  readonly bare: StreamResult | undefined;
  /** Processor time of the server, in microseconds for each request. */
  readonly microseconds: number;
  /** Share of its core that the load generator used in the fastest of the runs. */
  readonly generatorBusy: number;
}

/** How long to measure and to warm up before it, and who makes the load. */
export interface Conditions {
  readonly seconds: number;
  readonly warmupSeconds: number;
  readonly generator: Generator;
}

const run = promisify(execFile);

/** Runs a scenario against a server, then its bases with as many connections. */
export async function measure(scenario: Scenario, server: Target, bases: Bases, conditions: Conditions): Promise<Row> {
  const once = scenario.streams.some((stream) => stream.source.kind === "once");
  // Requests that can be sent only once are not spent on warming up, and end by themselves.
  const timing = once ? { ...conditions, seconds: 120, warmupSeconds: 0 } : conditions;
  const result = await runLoad({ ...server, ...timing, streams: scenario.streams }, conditions.generator);
  const [first] = result.streams;
  const [stream] = scenario.streams;
  if (!first || !stream) throw new Error(`${scenario.name} has no stream`);
  for (const [index, each] of result.streams.entries()) {
    refuseFailures(scenario.name, each, scenario.streams[index]?.status);
  }
  const base = async (name: string, target: Target, path: string, wanted?: number): Promise<LoadResult> => {
    const streams = [{ name, connections: stream.connections, source: repeated(stream, path) }];
    const based = await runLoad({ ...target, ...conditions, streams }, conditions.generator);
    for (const each of based.streams) refuseFailures(`${name} of ${scenario.name}`, each, wanted);
    return based;
  };
  const family = pathOf(stream).startsWith("/v1/") ? "/v1" : "/api/v2";
  const shell = await base("shell", bases.shell, `${family}/floor/${first.bodyBytes}`);
  await tellBare(bases.bare, first);
  const bare = await base("bare", bases.bare, pathOf(stream), stream.status);
  return {
    scenario: scenario.name,
    goals: scenario.goals,
    streams: result.streams,
    shell: shell.streams[0],
    bare: bare.streams[0],
    microseconds: result.microseconds,
    generatorBusy: Math.max(result.busy, shell.busy, bare.busy),
  };
}

/** Tells the bare server what to send. */
async function tellBare({ url }: Target, { head, bodyBytes }: SampleAnswer): Promise<void> {
  const answer = await fetch(`${url}${BARE_PATH}`, { method: "POST", body: JSON.stringify({ head, bodyBytes }) });
  await answer.arrayBuffer();
}

/** Runs the load generator in a process of its own on the second core. */
export async function runLoad(spec: LoadSpec, generator: Generator = "own"): Promise<LoadResult> {
  const other = await runOther(generator, spec);
  if (other) return other;
  const directory = mkdtempSync(join(tmpdir(), "tessera-bench-load-"));
  try {
    const file = join(directory, "spec.json");
    writeFileSync(file, JSON.stringify(spec));
    const command = [...pinned(1), process.execPath, join(import.meta.dirname, "load.ts"), file];
    const { stdout } = await run(command[0] ?? "", command.slice(1), { maxBuffer: 64 * 2 ** 20 });
    return JSON.parse(stdout) as LoadResult;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** A run with failures measures how fast the server fails. @param wanted the status, unless any of 2xx will do */
export function refuseFailures(name: string, result: StreamResult, wanted?: number): void {
  const isGood = (status: string): boolean => (wanted === undefined ? status.startsWith("2") : status === `${wanted}`);
  const good = Object.keys(result.statuses).every(isGood);
  if (good && result.errors === 0 && result.requests > 0) return;
  const statuses = JSON.stringify(result.statuses);
  throw new Error(
    `${name} (${result.name}): statuses ${statuses}, ${result.errors} broken connections\n${result.firstFailure}`,
  );
}

function sampleOf({ source }: LoadStream): WireRequest | undefined {
  return source.kind === "pairs" ? source.request : source.requests[0];
}

function pathOf(stream: LoadStream): string {
  return sampleOf(stream)?.path ?? "/";
}

/** One request like those of a stream, to another path. */
function repeated(stream: LoadStream, path: string): LoadStream["source"] {
  const sample = sampleOf(stream);
  const body = sample?.body === undefined ? {} : { body: sample.body };
  return { kind: "cycle", requests: [{ method: sample?.method ?? "GET", path, ...body }] };
}
