import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { startTcpProxy, type TcpProxy } from "../faults/tcp-proxy.ts";
import { startPostgres, type PostgresServer } from "../support/postgres.ts";
import { startReplica } from "../support/replica.ts";
import { withClient } from "../support/postgres-schema.ts";
import type { Cluster } from "./cluster.ts";
import { becomeStandby, promote, requireStandby, untilSynchronous } from "./standby.ts";

/** Enough log is kept for a standby that is made from a copy while much is written. */
const SETTINGS = { wal_keep_size: "256MB", max_wal_senders: "5" };

/** Two PostgreSQL servers of this machine, one the synchronous standby of the other, and for each node a proxy to each. */
export async function startLocalCluster(nodes: number): Promise<Cluster> {
  let primary: PostgresServer = await startPostgres({ durable: "kills", settings: SETTINGS });
  let standby: PostgresServer;
  try {
    standby = await startReplica(primary, SETTINGS);
  } catch (error) {
    await primary.stop("immediate");
    throw error;
  }
  const servers = [primary, standby];
  const proxies: TcpProxy[][] = [];
  for (let node = 0; node < nodes; node++) {
    proxies.push(await Promise.all(servers.map(({ url }) => startTcpProxy(url))));
  }
  const proxiesOf = (node: number): readonly TcpProxy[] => proxies[node] ?? [];

  async function stop(): Promise<void> {
    await Promise.all(proxies.flat().map((proxy) => proxy.close()));
    await Promise.all(servers.map((server) => server.stop("immediate")));
  }

  try {
    await requireStandby(primary);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    databaseUrls: proxies.map((pair) => severalHosts(pair.map(({ url }) => url))),
    // The standby at first. After a fail-over it is the primary, which is as good a place to read from.
    replicaUrls: proxies.map((pair) => pair[1]?.url),
    adminUrl: () => Promise.resolve(primary.url),
    async delayReplica(milliseconds) {
      const { url } = standby;
      await withClient(url, (client) => client.query("select pg_wal_replay_pause()"));
      await sleep(milliseconds);
      await withClient(url, (client) => client.query("select pg_wal_replay_resume()"));
    },
    async failOver() {
      await untilSynchronous(primary);
      const dead = primary;
      await dieAtOnce(dead);
      await promote(standby);
      primary = standby;
      standby = dead;
      await becomeStandby(standby, primary);
      await requireStandby(primary);
    },
    cut(node) {
      for (const proxy of proxiesOf(node)) proxy.cut();
    },
    async swallow(node, milliseconds) {
      for (const proxy of proxiesOf(node)) proxy.judge = () => "lose";
      await sleep(milliseconds);
      for (const proxy of proxiesOf(node)) {
        proxy.judge = () => "pass";
        proxy.cut();
      }
    },
    stop,
  };
}

/**
 * A machine that dies does so at once. Were its processes to die one after the other, one that waits for the standby
 * could notice and end its transaction before its turn comes, and another show what that wrote.
 */
async function dieAtOnce(server: PostgresServer): Promise<void> {
  const file = `/proc/${server.pid}/task/${server.pid}/children`;
  const children = existsSync(file) ? readFileSync(file, "utf8").trim().split(" ").filter(Boolean).map(Number) : [];
  for (const pid of [...children, server.pid]) {
    try {
      process.kill(pid, "SIGSTOP");
    } catch {
      // A session that ended by itself.
    }
  }
  await server.kill();
}

/** `postgres://user:password@first,second/database`, and of them the one that takes writes. */
function severalHosts(urls: readonly string[]): string {
  const hosts = urls.map((url) => new URL(url).host).join(",");
  const { username, password, pathname } = new URL(urls[0] ?? "");
  return `postgres://${username}:${password}@${hosts}${pathname}?target_session_attrs=read-write`;
}
