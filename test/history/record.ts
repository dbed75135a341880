import { setTimeout as sleep } from "node:timers/promises";
import { withClient } from "../support/postgres-schema.ts";
import { createCaller } from "./caller.ts";
import type { Cluster } from "./cluster.ts";
import { planFaults, type Fault } from "./faults.ts";
import { readFinalState, unendedJobs, untilStill } from "./final.ts";
import type { History } from "./history.ts";
import { MUTATED, mutationEnvironment, type MutationName } from "./mutations.ts";
import { torment } from "./nemesis.ts";
import { readLog, startNodes, type Nodes } from "./nodes.ts";
import { createRandom } from "./random.ts";
import { createRecorder, type Recorder } from "./recorder.ts";
import { buildStage } from "./stage.ts";
import { CLIENTS, startWorkload, type Focus } from "./workload.ts";

export interface RunOptions {
  readonly cluster: Cluster;
  readonly seed: number;
  /** For how long the clients work and faults happen. */
  readonly milliseconds: number;
  /** Follow from the seed when left out. */
  readonly faults?: readonly Fault[];
  /** Focus of the clients: what they do more than anything else. */
  readonly focus?: Focus;
  /** Name of a database that is made for this run; that of the cluster when left out. */
  readonly database?: string;
  readonly mutation?: MutationName;
  /** Directory for data and logs of the nodes. */
  readonly directory: string;
  readonly onFault?: (at: number, what: string) => void;
}

export interface Recording {
  readonly history: History;
  /** Requests sent, recorded or not. */
  readonly sent: number;
}

/** With every fault mended the clients go on for so long, and until each watcher has been told of news, if it ever is. */
const MENDED_MS = 500;
const TOLD_MS = 10_000;
/** A watcher that has not been shown the last state after so long never will be; the checks ask for five seconds. */
const WATCHED_MS = 5500;
const LOOK_MS = 25;

/** Starts nodes on a cluster, torments them while clients work, and returns the book that was kept of it. */
export async function recordHistory(options: RunOptions): Promise<Recording> {
  const { cluster, database, mutation, directory } = options;
  if (database !== undefined) {
    await withClient(await cluster.adminUrl(), (client) => client.query(`create database ${database}`));
  }
  const nodes = await startNodes({
    databases: cluster.databaseUrls.map((url) => withDatabase(url, database)),
    replicas: cluster.replicaUrls.map((url) => (url === undefined ? undefined : withDatabase(url, database))),
    env: mutation === undefined ? {} : mutationEnvironment(mutation),
    directory,
  });
  try {
    const changed = nodes.urls.filter((_, node) => readLog(directory, node).includes(MUTATED)).length;
    if (changed !== (mutation === undefined ? 0 : nodes.urls.length)) throw new Error(`${changed} nodes are changed`);
    const recorder = createRecorder(options.onFault ?? (() => undefined));
    return { history: await record(options, nodes, recorder), sent: recorder.sent };
  } finally {
    await nodes.stop();
  }
}

async function record(options: RunOptions, nodes: Nodes, recorder: Recorder): Promise<History> {
  const { cluster, database, seed, milliseconds } = options;
  const random = createRandom(seed);
  const faults = options.faults ?? planFaults(random, nodes.urls.length, milliseconds);
  const caller = createCaller(CLIENTS + nodes.urls.length, nodes, recorder, random);
  const stage = await buildStage(caller);
  const workload = startWorkload(nodes, recorder, stage, seed, options.focus);
  try {
    // A given list of faults runs to its end, however long it takes.
    const end = options.faults === undefined ? milliseconds : Infinity;
    await torment(faults, end, cluster, nodes, recorder);
    await sleep(Math.max(0, milliseconds - recorder.now()));
    await nodes.untilReady();
    const shown = workload.watchers.highest();
    await sleep(MENDED_MS);
    const late = recorder.now() + TOLD_MS;
    while (workload.watchers.lowest() <= shown && recorder.now() < late) await sleep(LOOK_MS);
    await workload.stopClients();
    const quietFrom = recorder.now();
    const url = withDatabase(await cluster.adminUrl(), database);
    const left = await unendedJobs(caller, stage);
    await untilStill(url);
    const known = [...recorder.contradictions, ...nodes.crashes, ...left];
    const final = await readFinalState(caller, nodes.urls.length, stage, url, known);
    const last = final.nodes[0]?.indexes?.["roles"] ?? 0;
    while (workload.watchers.lowest() < last && recorder.now() < quietFrom + WATCHED_MS) await sleep(LOOK_MS);
    const ended = recorder.now();
    await Promise.all([workload.watchers.stop(), workload.followers.stop()]);
    const entries = recorder.entries.toSorted((one, other) => one.invoked - other.invoked);
    return { seed, entries, faults: recorder.faults, quietFrom, ended, final };
  } finally {
    await Promise.all([workload.stopClients(), workload.watchers.stop(), workload.followers.stop()]);
    caller.close();
  }
}

/** The same URL, which may name several hosts, with another database. */
function withDatabase(url: string, database: string | undefined): string {
  return database === undefined ? url : url.replace(/^(postgres(?:ql)?:\/\/[^/]+\/)[^?]*/, `$1${database}`);
}
