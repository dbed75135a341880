/** A database that somebody else runs, as the histories use it: a proxy for each node, and no faults of its own. */
import { setTimeout as sleep } from "node:timers/promises";
import { startTcpProxy } from "../faults/tcp-proxy.ts";
import type { Cluster } from "../history/cluster.ts";

/** @param url of one server, whose role may make databases */
export async function startUrlCluster(url: string, nodes: number): Promise<Cluster> {
  const proxies = await Promise.all(Array.from({ length: nodes }, () => startTcpProxy(url)));
  const { port, hostname } = new URL(url);
  if (port === "" || hostname === "") throw new Error("the URL has to name one host and its port");
  return {
    databaseUrls: proxies.map((proxy) => proxy.url),
    replicaUrls: proxies.map(() => undefined),
    adminUrl: () => Promise.resolve(url),
    delayReplica: () => Promise.resolve(),
    failOver: () => Promise.resolve(),
    cut: (node) => proxies[node]?.cut(),
    async swallow(node, milliseconds) {
      const proxy = proxies[node];
      if (proxy === undefined) return;
      proxy.judge = () => "lose";
      await sleep(milliseconds);
      proxy.judge = () => "pass";
      proxy.cut();
    },
    stop: async () => void (await Promise.all(proxies.map((proxy) => proxy.close()))),
  };
}
