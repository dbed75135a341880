/** One node against two, and `--processes 1` against 2: what a request costs at a constant rate. */
import { measureCost, measureIdle, warmUp, type Cost, type Load, type Setup, type Times } from "./cost.ts";
import { withCluster, type Cluster, type Node } from "./cluster.ts";
import { seedKinds, type Kind } from "./seed.ts";
import { median } from "../median.ts";
import { renderPlain } from "./table.ts";
import { log } from "../servers.ts";

/** Requests a second of each node, or each process, when there are two of them. */
const RATE_OF_EACH = 1000;
const ROUNDS = 3;
const HEADER = [
  "request",
  "who",
  "per second",
  "p50 ms",
  "p99 ms",
  "node µs",
  "less idle",
  "database µs",
  "less idle",
  "within 10 %",
];

/** Two ways to serve the same requests, under the names of the table. */
type Pair = readonly [one: readonly [string, Setup], two: readonly [string, Setup]];

/** @returns a table */
export async function benchTwoNodes(seconds: number): Promise<string> {
  return withCluster(false, async (cluster) => {
    const a = await cluster.startNode();
    const b = await cluster.startNode();
    const pair: Pair = [
      ["one node", setupOf(cluster, [a, a], [a])],
      ["two nodes", setupOf(cluster, [a, b], [a, b])],
    ];
    return compare("two nodes against one", pair, a, seconds);
  });
}

/** @returns two tables: at a constant rate, and as fast as answers come */
export async function benchProcesses(seconds: number): Promise<string> {
  return withCluster(false, async (cluster) => {
    const one = await cluster.startNode();
    const two = await cluster.startNode(["--processes", "2"]);
    const pair: Pair = [
      ["1 process", setupOf(cluster, [one, one], [one])],
      ["2 processes", setupOf(cluster, [two, two], [two])],
    ];
    const kinds: Kind[] = [];
    const constant = await compare("--processes 2 against 1", pair, one, seconds, kinds);
    return `${constant}\n\n${await saturate(pair, kinds, seconds)}`;
  });
}

function setupOf({ postgres }: Cluster, targets: readonly Node[], counted: readonly Node[]): Setup {
  return { targets, trees: { node: counted.map(({ pid }) => pid), database: [postgres.pid] } };
}

/** A way to serve, and how many requests a second it is sent. */
interface Case {
  readonly who: string;
  readonly rate: number;
  readonly setup: Setup;
}

/** One at the rate of each, one at the rate of both, two at the rate of both. */
function casesOf([[one, alone], [two, together]]: Pair): readonly [Case, Case, Case] {
  return [
    { who: one, rate: RATE_OF_EACH, setup: alone },
    { who: one, rate: 2 * RATE_OF_EACH, setup: alone },
    { who: two, rate: 2 * RATE_OF_EACH, setup: together },
  ];
}

/** @param used takes the kinds of requests, for whoever goes on with them */
async function compare(title: string, pair: Pair, target: Node, seconds: number, used: Kind[] = []): Promise<string> {
  log(`${title}: filling`);
  const { self, rule, tags } = await seedKinds(target);
  used.push(self, rule, tags);
  // As fast as answers come: each of two processes gets half, and all should run optimised code.
  const warm = used.map((kind): Load => ({ seconds, source: () => kind.source() }));
  const all = pair.flatMap(([, setup]) => setup.targets);
  await warmUp([...new Set(all)], warm, Math.min(5, seconds * 4));
  const idle = new Map<Setup, Times>();
  for (const [, setup] of pair) idle.set(setup, await measureIdle(setup.trees, Math.max(1, seconds)));
  const lines: (string | number)[][] = [];
  for (const kind of used) {
    log(`${title}: ${kind.name}`);
    const costs = new Map<Case, Cost[]>(casesOf(pair).map((each) => [each, []]));
    for (let round = 0; round < ROUNDS; round += 1) {
      // In turns, so that what else happens on the machine hits all.
      for (const [{ rate, setup }, measured] of costs) {
        measured.push(await measureCost(setup, { rate, seconds, source: () => kind.source() }, idle.get(setup) ?? {}));
      }
    }
    lines.push(...describe(kind.name, costs));
  }
  const idles = pair.map(([name, setup]) => {
    const times = idle.get(setup) ?? {};
    return `${name} ${perSecond(times, "node")} ms, the database meanwhile ${perSecond(times, "database")} ms`;
  });
  return renderPlain({
    title: `${title}: processor time of a request at a constant rate`,
    header: HEADER,
    lines,
    notes: [
      `Medians of ${ROUNDS} rounds in turns, each ${seconds} s; two generators with 16 connections each, on core 1; nodes not pinned.`,
      `Idle, in a second: ${idles.join("; ")}.`,
      "All nodes run all the time, so the idle database is one of all. A request costs less at a higher rate, since more of them",
      "share a turn of the event loop. The same rate in all counts that against two; the same rate of each leaves most of it",
      "out, but generators and database of this one machine then bunch more requests together: the truth lies between.",
    ],
  });
}

function describe(request: string, costs: ReadonlyMap<Case, readonly Cost[]>): (string | number)[][] {
  const columns = [
    (cost: Cost) => cost.perSecond,
    (cost: Cost) => cost.p50,
    (cost: Cost) => cost.p99,
    (cost: Cost) => cost.gross["node"] ?? 0,
    (cost: Cost) => cost.net["node"] ?? 0,
    (cost: Cost) => cost.gross["database"] ?? 0,
    (cost: Cost) => cost.net["database"] ?? 0,
  ];
  const rows = [...costs].map(([{ who }, all]) => ({ who, values: columns.map((read) => median(all.map(read))) }));
  const [each, total, two] = rows;
  const ratio = (name: string, below: readonly number[] = []): (string | number)[] => {
    const ratios = (two?.values ?? []).map((value, at) => value / (below[at] ?? 0));
    // Times only: of rates and latencies a ratio says nothing.
    const cells = ratios.map((value, at) => (at < 3 ? "" : value.toFixed(2)));
    const [node = Infinity, database = Infinity] = [ratios[4], ratios[6]];
    return ["", name, ...cells, [node, database].map((value) => (value <= 1.1 ? "ok" : "MISSED")).join(", ")];
  };
  return [
    ...rows.map(({ who, values }, at) => [at === 0 ? request : "", who, ...values, ""]),
    ratio("  two / one, same rate of each", each?.values),
    ratio("  two / one, same rate in all", total?.values),
  ];
}

async function saturate(pair: Pair, kinds: readonly Kind[], seconds: number): Promise<string> {
  const lines: (string | number)[][] = [];
  for (const kind of kinds) {
    log(`as fast as answers come: ${kind.name}`);
    for (const [at, [name, setup]] of pair.entries()) {
      const cost = await measureCost(setup, { connections: 64, seconds, source: () => kind.source() }, {});
      const { perSecond: rate, p50, p99, gross, generatorBusy } = cost;
      const times = [gross["node"] ?? 0, gross["database"] ?? 0];
      lines.push([at === 0 ? kind.name : "", name, rate, p50, p99, ...times, generatorBusy]);
    }
  }
  return renderPlain({
    title: "--processes 2 against 1: as fast as answers come, 64 connections",
    header: ["request", "who", "per second", "p50 ms", "p99 ms", "node µs", "database µs", "generators' cores"],
    lines,
    notes: [
      "Generators, database and all processes share this machine's cores: more processes can only be faster where cores are free.",
    ],
  });
}

function perSecond(times: Times, tree: string): string {
  return ((times[tree] ?? 0) / 1000).toFixed(1);
}
