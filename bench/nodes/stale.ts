/** Reads that a replica may answer, against the same reads without `?stale`. */
import { setTimeout as sleep } from "node:timers/promises";
import { startReplica } from "../../test/support/replica.ts";
import type { RequestSource } from "../load-types.ts";
import { measureCost, measureIdle, warmUp, type Cost, type Setup } from "./cost.ts";
import { withCluster } from "./cluster.ts";
import { seedKinds, type Kind } from "./seed.ts";
import { median } from "../median.ts";
import { renderPlain } from "./table.ts";
import { log } from "../servers.ts";

const RATE = 1000;
const ROUNDS = 3;
const HEADER = ["request", "", "load", "per second", "p50 ms", "p99 ms", "node µs", "primary µs", "replica µs"];

/** @returns a table */
export async function benchStale(seconds: number): Promise<string> {
  return withCluster(true, async ({ postgres, startNode, afterNodes }) => {
    // A first node brings the schema, so that the replica has it from the beginning.
    const filler = await startNode();
    log("stale: filling");
    const { rule, rules } = await seedKinds(filler);
    const replica = await startReplica(postgres, {}, true);
    afterNodes(async () => replica.stop());
    const node = await startNode(["--replica", replica.url]);
    await untilReplicaAnswers(node, rule);
    const trees = { node: [node.pid], primary: [postgres.pid], replica: [replica.pid] };
    const lines = await compare({ targets: [node], trees }, [rule, rules], seconds);
    return renderPlain({
      title: "reads with ?stale, answered by a replica",
      header: HEADER,
      lines,
      notes: [
        `Medians of ${ROUNDS} rounds in turns, each ${seconds} s, less what the processes take when idle; 32 connections.`,
        "The node is on core 0; the generator, the primary and the replica share core 1.",
        "Tokens and rights are read from the primary, and from a cache while nothing changes.",
      ],
    });
  });
}

async function compare(setup: Setup, kinds: readonly Kind[], seconds: number): Promise<(string | number)[][]> {
  const sources = kinds.flatMap((kind) =>
    [false, true].map((isStale) => ({ kind, isStale, source: () => (isStale ? stale(kind.source()) : kind.source()) })),
  );
  const warm = sources.map(({ source }) => ({ seconds, rate: 400, source }));
  await warmUp(setup.targets, warm, Math.min(5, seconds * 3));
  const idle = await measureIdle(setup.trees, Math.max(1, seconds));
  const lines: (string | number)[][] = [];
  for (const kind of kinds) {
    for (const rate of [RATE, undefined]) {
      const both = sources.filter((each) => each.kind === kind);
      const costs = both.map((): Cost[] => []);
      log(`stale: ${kind.name}, ${rate ?? "as fast as answers come"}`);
      for (let round = 0; round < (rate === undefined ? 1 : ROUNDS); round += 1) {
        for (const [at, { source }] of both.entries()) {
          costs[at]?.push(await measureCost(setup, { rate, seconds, source }, idle));
        }
      }
      for (const [at, { isStale }] of both.entries()) {
        const all = costs[at] ?? [];
        const middle = (read: (cost: Cost) => number): number => median(all.map(read));
        const times = Object.keys(setup.trees).map((name) => middle(({ net }) => net[name] ?? 0));
        lines.push([
          kind.name,
          isStale ? "?stale" : "default",
          rate === undefined ? "as fast as answers come" : `${rate}/s`,
          middle(({ perSecond }) => perSecond),
          middle(({ p50 }) => p50),
          middle(({ p99 }) => p99),
          ...times,
        ]);
      }
    }
  }
  return lines;
}

/** The same requests for any source. */
function stale(source: RequestSource): RequestSource {
  if (source.kind !== "cycle") throw new Error("only requests that are repeated can be made stale");
  const requests = source.requests.map((request) => ({
    ...request,
    path: `${request.path}${request.path.includes("?") ? "&" : "?"}stale`,
  }));
  return { kind: "cycle", requests };
}

/** Until then the primary answers in its place, and nothing is measured. */
async function untilReplicaAnswers({ url, token }: { url: string; token: string }, kind: Kind): Promise<void> {
  const source = stale(kind.source());
  const path = source.kind === "cycle" ? (source.requests[0]?.path ?? "") : "";
  const deadline = performance.now() + 10_000;
  while (performance.now() < deadline) {
    const answer = await fetch(`${url}${path}`, { headers: { "x-consul-token": token } });
    await answer.arrayBuffer();
    if (answer.headers.get("x-consul-lastcontact") !== "0") return;
    await sleep(50);
  }
  throw new Error("the replica answers no stale read");
}
