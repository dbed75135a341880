/** Definition of a scenario, and its run next to its bases. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import {
  BARE_PATH,
  DURABLE_PATH,
  type LoadResult,
  type LoadSpec,
  type LoadStream,
  type LoadTurns,
  type SampleAnswer,
  type StreamResult,
  type WireRequest,
} from "./load-types.ts";
import { pinned } from "./machine.ts";
import { median } from "./median.ts";
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
  /** Whether the first stream writes: it is held against a bare server that syncs, too. */
  readonly isDurable?: boolean;
}

/** Servers that a scenario is compared with, with equal connections and bytes. */
export interface Bases {
  /** HTTP shell of the server without any work: see floor.ts. */
  readonly shell: Target;
  /** Node server without anything else: see bare.ts. */
  readonly bare: Target;
}

/** A scenario's results beside those of its bases. */
export interface Row {
  readonly scenario: string;
  readonly goals: readonly Goal[];
  readonly streams: readonly StreamResult[];
  readonly shell: StreamResult | undefined;
  readonly bare: StreamResult | undefined;
  /** How much of what its bases reach: the median of the rounds. */
  readonly ofShell?: number;
  readonly ofBare?: number;
  /** How much of what the bare server reaches that syncs before it answers; of writes only. */
  readonly ofDurable?: number;
  /** Processor time of the server, in microseconds for each request. */
  readonly microseconds: number;
  /** Share of its core that the load generator used in the fastest of the runs. */
  readonly generatorBusy: number;
}

/** Times of measurement and warm-up, and the load generator. */
export interface Conditions {
  readonly seconds: number;
  readonly warmupSeconds: number;
  readonly generator: Generator;
}

const run = promisify(execFile);

/** Runs a scenario against a server and its bases with as many connections, by turns. */
export async function measure(scenario: Scenario, server: Target, bases: Bases, conditions: Conditions): Promise<Row> {
  const [stream] = scenario.streams;
  if (!stream) throw new Error(`${scenario.name} has no stream`);
  const once = scenario.streams.some(({ source }) => source.kind === "once");
  const { generator, seconds, warmupSeconds } = conditions;
  // Requests that can be sent only once are not spent on warming up, nor by turns, and end by themselves.
  const alone = await runLoad({ ...server, streams: scenario.streams, ...(once ? ONCE : PROBE) });
  const [sample] = alone.streams;
  if (sample === undefined) throw new Error(`${scenario.name} was not answered`);
  await tellBare(bases.bare, sample);
  const base = (name: string, target: Target, path: string, wanted?: number): LoadSpec => {
    const based = { name, connections: stream.connections, source: repeated(stream, path) };
    return {
      ...target,
      seconds,
      warmupSeconds,
      streams: [wanted === undefined ? based : { ...based, status: wanted }],
    };
  };
  const family = pathOf(stream).startsWith("/v1/") ? "/v1" : "/api/v2";
  const shell = base("shell", bases.shell, `${family}/floor/${sample.bodyBytes}`);
  const bare = base("bare", bases.bare, pathOf(stream), stream.status);
  const streams = scenario.streams.map((each, index) => behind(each, alone.streams[index]));
  const durable = scenario.isDurable ? [base("durable", bases.bare, DURABLE_PATH, stream.status)] : [];
  const turns = [...(once ? [] : [{ ...server, seconds, warmupSeconds, streams }]), shell, bare, ...durable];
  const rounds = await runTurns({ rounds: ROUNDS, loads: turns }, generator);
  const results = once ? rounds.map((round) => [alone, ...round]) : rounds;
  for (const result of results.flat().flatMap((each) => each.streams)) refuseFailures(scenario.name, result);
  return toRow(scenario, results);
}

/** How often a scenario and its bases take turns. */
const ROUNDS = 5;
const ONCE = { seconds: 120, warmupSeconds: 0 };
/** How long it takes to know what an answer looks like, with all connections. */
const PROBE = { seconds: 0.5, warmupSeconds: 0 };

/** Returns the stream without the pairs that were already sent. */
function behind(stream: LoadStream, asked: StreamResult | undefined): LoadStream {
  const { source, connections } = stream;
  if (source.kind !== "pairs" || asked === undefined) return stream;
  return { ...stream, source: { ...source, start: source.start + asked.requests + connections } };
}

function toRow({ name, goals, streams, isDurable }: Scenario, results: readonly LoadResult[][]): Row {
  const at = (load: number, stream = 0) => results.map((round) => round[load]?.streams[stream] as StreamResult);
  const share = (base: number) => {
    const of = at(base);
    return median(at(0).map(({ perSecond }, round) => perSecond / (of[round]?.perSecond ?? 0)));
  };
  return {
    scenario: name,
    goals,
    streams: streams.map((_, index) => inTheMiddle(at(0, index))),
    shell: inTheMiddle(at(1)),
    bare: inTheMiddle(at(2)),
    ofShell: share(1),
    ofBare: share(2),
    ...(isDurable && { ofDurable: share(3) }),
    microseconds: median(results.map(([first]) => first?.microseconds ?? 0)),
    generatorBusy: Math.max(...results.flat().map(({ busy }) => busy)),
  };
}

/** Returns the median of each value of a stream over the rounds. `max` is the maximum of all rounds. */
function inTheMiddle(rounds: readonly StreamResult[]): StreamResult {
  const [first] = rounds;
  if (first === undefined) throw new Error("nothing was measured");
  const of = (member: "perSecond" | "p50" | "p99") => median(rounds.map((round) => round[member]));
  const requests = rounds.reduce((sum, round) => sum + round.requests, 0);
  const max = Math.max(...rounds.map((round) => round.max));
  return { ...first, requests, perSecond: of("perSecond"), p50: of("p50"), p99: of("p99"), max };
}

/** Tells the bare server what to send. */
export async function tellBare({ url }: Target, { head, bodyBytes }: SampleAnswer): Promise<void> {
  const answer = await fetch(`${url}${BARE_PATH}`, { method: "POST", body: JSON.stringify({ head, bodyBytes }) });
  await answer.arrayBuffer();
}

/** Runs one load alone. */
export async function runLoad(spec: LoadSpec): Promise<LoadResult> {
  const [round] = await runTurns({ rounds: 1, loads: [spec] }, "own");
  const result = round?.[0];
  if (result === undefined) throw new Error("nothing was measured");
  return result;
}

/** Runs the load generator in a process of its own on the second core. @returns by round, then by load */
async function runTurns(turns: LoadTurns, generator: Generator): Promise<LoadResult[][]> {
  const others: LoadResult[] = [];
  for (const load of turns.loads) {
    const other = await runOther(generator, load);
    if (other !== undefined) others.push(other);
  }
  if (others.length === turns.loads.length) return [others];
  const directory = mkdtempSync(join(tmpdir(), "tessera-bench-load-"));
  try {
    const file = join(directory, "turns.json");
    writeFileSync(file, JSON.stringify(turns));
    const command = [...pinned(1), process.execPath, join(import.meta.dirname, "load.ts"), file];
    const { stdout } = await run(command[0] ?? "", command.slice(1), { maxBuffer: 64 * 2 ** 20 });
    return JSON.parse(stdout) as LoadResult[][];
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** A run with failures measures how fast the server fails. */
export function refuseFailures(name: string, result: StreamResult): void {
  const { wanted } = result;
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
