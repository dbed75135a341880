/** Writers of one partition and of four, on one node and on two: a partition's counter makes its writers serial. */
import type { LoadStream } from "../load-types.ts";
import { withCluster, type Node } from "./cluster.ts";
import { treeMicroseconds } from "./cpu.ts";
import { createPolicies, policyWrites } from "./seed.ts";
import { renderPlain } from "./table.ts";
import { refuseFailures, runLoad } from "../scenario.ts";
import { call, numbered } from "../seed.ts";
import { log } from "../servers.ts";

const CONNECTIONS = 64;
const PARTITIONS = 4;
const HEADER = ["partitions", "nodes", "writes/s", "p50 ms", "p99 ms", "max ms", "nodes µs", "database µs", "busy"];

/** @returns a table */
export async function benchPartitions(seconds: number): Promise<string> {
  return withCluster(false, async ({ postgres, startNode }) => {
    const nodes = [await startNode(), await startNode()];
    const [first] = nodes;
    if (first === undefined) throw new Error("no node");
    const writes: (readonly [string, ReturnType<typeof policyWrites>])[] = [];
    for (const name of numbered("unit", PARTITIONS)) {
      await call(first, "PUT", "/v1/partition", { Name: name });
      const scope = `?partition=${name}`;
      writes.push([name, policyWrites(await createPolicies(first, scope), scope)]);
    }
    const trees = { nodes: nodes.map(({ pid }) => pid), database: [postgres.pid] };
    const run = async (partitions: number, count: number, time: number): Promise<(string | number)[]> => {
      const streams = (share: number): LoadStream[] =>
        writes.slice(0, partitions).map(([name, requests]) => {
          const connections = Math.max(1, CONNECTIONS / partitions / share);
          return { name, connections, source: { kind: "cycle", requests } };
        });
      const before = Object.values(trees).map(treeMicroseconds);
      const results = await Promise.all(
        nodes
          .slice(0, count)
          .map(async ({ url, token }: Node) =>
            runLoad({ url, token, warmupSeconds: 0, seconds: time, streams: streams(count) }),
          ),
      );
      const times = Object.values(trees).map((tree, at) => treeMicroseconds(tree) - (before[at] ?? 0));
      const all = results.flatMap((result) => result.streams);
      for (const stream of all) refuseFailures(`writes in ${stream.name}`, stream);
      const requests = all.reduce((sum, stream) => sum + stream.requests, 0);
      const worst = (member: "p50" | "p99" | "max"): number => Math.max(...all.map((stream) => stream[member]));
      const rate = all.reduce((sum, stream) => sum + stream.perSecond, 0);
      const busy = results.reduce((sum, result) => sum + result.busy, 0);
      const costs = times.map((microseconds) => microseconds / requests);
      return [partitions, count, rate, worst("p50"), worst("p99"), worst("max"), ...costs, busy];
    };
    log("partitions: warming up");
    await run(PARTITIONS, 2, Math.min(5, seconds * 2));
    const lines: (string | number)[][] = [];
    for (const count of [1, 2]) {
      for (const partitions of [1, PARTITIONS]) {
        log(`partitions: ${partitions}, on ${count} nodes`);
        lines.push(await run(partitions, count, seconds));
      }
    }
    return renderPlain({
      title: `writes of policies, ${CONNECTIONS} connections in all`,
      header: HEADER,
      lines,
      notes: [
        "Durable commits; percentiles of the worst partition and node; busy: cores that the generators used (they share core 1).",
        "Nodes and database are not pinned. Times are of both nodes, also where one is idle; nothing is subtracted.",
        "The last write of each connection costs and is not counted.",
      ],
    });
  });
}
