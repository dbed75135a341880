/**
 * The load generator, a process of its own so that it can be pinned to another core than the server:
 * `node bench/load.ts TURNS.json` prints a LoadResult for each load of each round. It exists because the generators on npm are slower than the
 * server, so that they would measure themselves.
 */
import { readFileSync } from "node:fs";
import { createHistogram, type RecordableHistogram } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { openConnection, type LoadConnection } from "./load-connection.ts";
import { processorSeconds } from "./machine.ts";
import type {
  LoadResult,
  LoadSpec,
  LoadStream,
  LoadTurns,
  RequestSource,
  StreamResult,
  WireRequest,
} from "./load-types.ts";

/** Consecutive numbers scattered over all pairs: a prime step visits each once. */
const pairStep = 1_000_003;

/** The requests of a stream, through all rounds: those that count only once are sent once. */
class Requests {
  readonly #source: RequestSource;
  readonly #encode: (request: WireRequest) => string;
  readonly #prepared: readonly Buffer[];
  #next = 0;

  constructor(source: RequestSource, encode: (request: WireRequest) => string) {
    this.#source = source;
    this.#encode = encode;
    this.#prepared = source.kind === "pairs" ? [] : source.requests.map((request) => Buffer.from(encode(request)));
  }

  take(): Buffer | string | undefined {
    const source = this.#source;
    const index = this.#next;
    this.#next += 1;
    if (source.kind === "once") return this.#prepared[index];
    if (source.kind === "cycle") return this.#prepared[index % this.#prepared.length];
    const pair = ((source.start + index) * pairStep) % (source.a.length * source.b.length);
    const a = source.a[pair % source.a.length] ?? "";
    const b = source.b[Math.floor(pair / source.a.length)] ?? "";
    const fill = (text: string) => text.replace("{a}", a).replace("{b}", b);
    const { method, path, body } = source.request;
    return this.#encode({ method, path: fill(path), ...(body === undefined ? {} : { body: fill(body) }) });
  }
}

/** A stream for one round. */
class StreamRun {
  readonly stream: LoadStream;
  readonly done: Promise<void>;
  /** When it has its first answer. */
  readonly answered: Promise<void>;
  #finish: () => void = () => undefined;
  #noteAnswer: () => void = () => undefined;
  readonly #requests: Requests;
  #running = true;
  #open = 0;
  #times: RecordableHistogram = createHistogram({ figures: 3 });
  #statuses = new Map<number, number>();
  #errors = 0;
  #bodyBytes = 0;
  #head = "";
  #firstFailure = "";
  #since = performance.now();

  constructor(stream: LoadStream, requests: Requests) {
    this.stream = stream;
    this.#requests = requests;
    this.done = new Promise((resolve) => {
      this.#finish = resolve;
    });
    this.answered = new Promise((resolve) => {
      this.#noteAnswer = resolve;
    });
  }

  async start(host: string, port: number): Promise<void> {
    await Promise.all(Array.from({ length: this.stream.connections }, (_, index) => this.#connect(host, port, index)));
  }

  stop(): void {
    this.#running = false;
  }

  /** Forgets what was measured so far: the warm-up. */
  restart(): void {
    this.#times = createHistogram({ figures: 3 });
    this.#statuses = new Map();
    this.#errors = 0;
    this.#since = performance.now();
  }

  result(): StreamResult {
    const seconds = (performance.now() - this.#since) / 1000;
    const milliseconds = (percentile: number) => this.#times.percentile(percentile) / 1e6;
    const { name, status } = this.stream;
    return {
      name,
      connections: this.stream.connections,
      requests: this.#times.count,
      perSecond: this.#times.count / seconds,
      p50: milliseconds(50),
      p99: milliseconds(99),
      max: this.#times.count > 0 ? this.#times.max / 1e6 : 0,
      bodyBytes: this.#bodyBytes,
      head: this.#head,
      statuses: Object.fromEntries(this.#statuses),
      ...(status === undefined ? {} : { wanted: status }),
      errors: this.#errors,
      firstFailure: this.#firstFailure,
    };
  }

  async #connect(host: string, port: number, index: number): Promise<void> {
    const { rate, connections } = this.stream;
    const interval = rate === undefined ? 0 : (1000 * connections) / rate;
    let due = performance.now() + (interval * index) / connections;
    let started = 0;
    let connection: LoadConnection | undefined;
    const transmit = () => {
      const request = this.#running ? this.#requests.take() : undefined;
      if (request === undefined) {
        connection?.close();
        this.#open -= 1;
        if (this.#open === 0) this.#finish();
        return;
      }
      // Late is late: the time counts from when the request was due.
      started = interval > 0 ? Math.min(due, performance.now()) : performance.now();
      connection?.send(request);
    };
    const sendNext = () => {
      if (interval === 0) {
        transmit();
        return;
      }
      due += interval;
      const wait = due - performance.now();
      if (wait > 0.5) setTimeout(transmit, wait);
      else transmit();
    };
    connection = await openConnection(host, port, {
      answered: (status, bodyBytes, head) => {
        const now = performance.now();
        this.#times.record(Math.max(1, Math.round((now - started) * 1e6)));
        this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
        this.#bodyBytes = bodyBytes;
        this.#head = head;
        this.#noteAnswer();
        sendNext();
      },
      broken: () => {
        this.#errors += 1;
        sendNext();
      },
      failed: (text) => {
        if (this.#firstFailure === "") this.#firstFailure = text.slice(0, 1000);
      },
    });
    this.#open += 1;
    transmit();
  }
}

function makeEncoder(spec: LoadSpec): (request: WireRequest) => string {
  const { host } = new URL(spec.url);
  const shared = `host: ${host}\r\nauthorization: Bearer ${spec.token}\r\naccept: application/vnd.api+json\r\n`;
  return ({ method, path, body }) => {
    const type = path.startsWith("/api/") ? "application/vnd.api+json" : "application/json";
    const content =
      body === undefined
        ? "\r\n"
        : `content-type: ${type}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
    return `${method} ${path} HTTP/1.1\r\n${shared}${content}`;
  };
}

/** Before a round that is not the first: the connections are new, the code is warm. */
const SHORT_WARMUP_SECONDS = 0.1;

async function runRound(
  { url, pid, streams }: LoadSpec,
  requests: readonly Requests[],
  seconds: number,
  warmupSeconds: number,
): Promise<LoadResult> {
  const { hostname, port } = new URL(url);
  const runs = streams.map((stream, index) => new StreamRun(stream, at(requests, index)));
  await Promise.all(runs.map((run) => run.start(hostname, Number(port))));
  if (warmupSeconds > 0) {
    await sleep(warmupSeconds * 1000);
    for (const run of runs) run.restart();
  }
  const before = performance.eventLoopUtilization();
  const spentBefore = pid === undefined ? 0 : processorSeconds(pid);
  const onceOnly = runs.filter((run) => run.stream.source.kind === "once").map((run) => run.done);
  await Promise.race([...(onceOnly.length > 0 ? [Promise.all(onceOnly)] : []), sleep(seconds * 1000)]);
  // An answer may take longer than the round: without one there is nothing to tell.
  await Promise.race([Promise.all(runs.map((run) => run.answered)), sleep(30_000, undefined, { ref: false })]);
  const results = runs.map((run) => run.result());
  const busy = performance.eventLoopUtilization(before).utilization;
  const spent = pid === undefined ? 0 : processorSeconds(pid) - spentBefore;
  const sent = results.reduce((sum, result) => sum + result.requests, 0);
  for (const run of runs) run.stop();
  await Promise.race([Promise.all(runs.map((run) => run.done)), sleep(30_000, undefined, { ref: false })]);
  return { streams: results, busy, microseconds: sent === 0 ? 0 : (spent * 1e6) / sent };
}

async function takeTurns({ rounds, loads }: LoadTurns): Promise<LoadResult[][]> {
  const requests = loads.map((load) => load.streams.map(({ source }) => new Requests(source, makeEncoder(load))));
  const results: LoadResult[][] = [];
  for (let round = 0; round < rounds; round += 1) {
    const made: LoadResult[] = [];
    for (const [index, load] of loads.entries()) {
      const warmup = round === 0 ? load.warmupSeconds : Math.min(SHORT_WARMUP_SECONDS, load.warmupSeconds);
      made.push(await runRound(load, at(requests, index), load.seconds / rounds, warmup));
    }
    results.push(made);
  }
  return results;
}

function at<T>(list: readonly T[], index: number): T {
  const member = list[index];
  if (member === undefined) throw new Error(`there is no number ${index}`);
  return member;
}

const turns = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as LoadTurns;
process.stdout.write(`${JSON.stringify(await takeTurns(turns))}\n`, () => process.exit(0));
