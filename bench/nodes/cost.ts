/** Loads of a constant rate, and what they cost the nodes and the databases in processor time. */
import { setTimeout as sleep } from "node:timers/promises";
import type { LoadStream, RequestSource, StreamResult } from "../load-types.ts";
import { treeMicroseconds } from "./cpu.ts";
import { refuseFailures, runLoad } from "../scenario.ts";
import type { Target } from "../seed.ts";

const CONNECTIONS = 32;

/** Targets of a load, and process trees whose processor time is measured. */
export interface Setup {
  /** Each has a generator of its own; the same node twice makes one node comparable with two. */
  readonly targets: readonly Target[];
  /** Process ids, each the root of a tree, by what is shown in a column. */
  readonly trees: Readonly<Record<string, readonly number[]>>;
}

/** Processor microseconds of each tree. */
export type Times = Record<string, number>;

/** Result of a load. */
export interface Cost {
  readonly requests: number;
  readonly perSecond: number;
  /** Milliseconds, the worse of the generators. */
  readonly p50: number;
  readonly p99: number;
  readonly bodyBytes: number;
  /** Microseconds of each tree for one request: all of it, and without what it takes when idle. */
  readonly gross: Times;
  readonly net: Times;
  /** Share of its core that a generator used, added up. */
  readonly generatorBusy: number;
}

/** A load: as fast as answers come when there is no rate. */
export interface Load {
  readonly rate?: number | undefined;
  readonly connections?: number;
  readonly seconds: number;
  source(): RequestSource;
}

/** Measures the processor time of the trees per second without requests. */
export async function measureIdle(trees: Setup["trees"], seconds: number): Promise<Times> {
  const watch = startWatch(trees);
  await sleep(seconds * 1000);
  const { times, elapsed } = watch();
  return mapTimes(times, (time) => time / elapsed);
}

/** How much longer than planned a load may take before it is cut off. */
const PATIENCE_SECONDS = 30;

/**
 * Loads the targets and counts. With a rate, all requests of so many seconds are sent and waited for, so that what is
 * divided by their number is theirs alone; without one the last on each connection are not counted. There is no warming up: that is a load of its own.
 *
 * @param idle what `measureIdle` gave for these trees
 * @throws when a request fails
 */
export async function measureCost(setup: Setup, load: Load, idle: Times): Promise<Cost> {
  const watch = startWatch(setup.trees);
  const results = await Promise.all(setup.targets.map((target) => runShare(target, load, setup.targets.length)));
  const { times, elapsed } = watch();
  const streams = results.flatMap((result) => result.streams);
  for (const stream of streams) refuseFailures(stream.name, stream);
  const requests = total(streams, "requests");
  return {
    requests,
    perSecond: total(streams, "perSecond"),
    p50: Math.max(...streams.map(({ p50 }) => p50)),
    p99: Math.max(...streams.map(({ p99 }) => p99)),
    bodyBytes: Math.max(...streams.map(({ bodyBytes }) => bodyBytes)),
    gross: mapTimes(times, (time) => time / requests),
    net: mapTimes(times, (time, name) => (time - (idle[name] ?? 0) * elapsed) / requests),
    generatorBusy: results.reduce((sum, { busy }) => sum + busy, 0),
  };
}

/** Runs a load for nothing but warm code and caches. */
export async function warmUp(targets: readonly Target[], kinds: readonly Load[], seconds: number): Promise<void> {
  await Promise.all(
    targets.map(async (target) => {
      const streams = kinds.map((kind) => ({ ...share(kind, kinds.length), name: "warming up" }));
      return runLoad({ ...pick(target), warmupSeconds: 0, seconds, streams });
    }),
  );
}

async function runShare(target: Target, load: Load, parts: number): ReturnType<typeof runLoad> {
  const stream = share(load, parts);
  if (stream.rate === undefined) {
    return runLoad({ ...pick(target), warmupSeconds: 0, seconds: load.seconds, streams: [stream] });
  }
  const streams = [{ ...stream, source: takeOnce(stream.source, Math.round(stream.rate * load.seconds)) }];
  return runLoad({ ...pick(target), warmupSeconds: 0, seconds: load.seconds + PATIENCE_SECONDS, streams });
}

/** One generator's part of a load. */
function share({ rate, connections = CONNECTIONS, source }: Load, parts: number): LoadStream {
  const count = Math.max(1, Math.round(connections / parts));
  return { name: "load", connections: count, source: source(), ...(rate === undefined ? {} : { rate: rate / parts }) };
}

/** Returns a source that sends a number of requests from a repeating source, once. */
function takeOnce(source: RequestSource, count: number): RequestSource {
  if (source.kind !== "cycle") throw new Error("only a source that is repeated can be counted off");
  const { requests } = source;
  return {
    kind: "once",
    requests: Array.from({ length: count }, (_, at) => requests[at % requests.length]).filter(isSet),
  };
}

function isSet<T>(value: T | undefined): value is T {
  return value !== undefined;
}

function pick({ url, token }: Target): Target {
  return { url, token };
}

function startWatch(trees: Setup["trees"]): () => { times: Times; elapsed: number } {
  const readAll = (): Times =>
    Object.fromEntries(Object.entries(trees).map(([name, roots]) => [name, treeMicroseconds(roots)]));
  const before = readAll();
  const began = performance.now();
  return () => {
    const times = mapTimes(readAll(), (time, name) => time - (before[name] ?? 0));
    return { times, elapsed: (performance.now() - began) / 1000 };
  };
}

function mapTimes(times: Times, change: (time: number, name: string) => number): Times {
  return Object.fromEntries(Object.entries(times).map(([name, time]) => [name, change(time, name)]));
}

function total(streams: readonly StreamResult[], member: "requests" | "perSecond"): number {
  return streams.reduce((sum, stream) => sum + stream[member], 0);
}
