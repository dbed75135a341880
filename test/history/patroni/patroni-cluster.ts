/** Three PostgreSQL servers under Patroni and etcd, as docs/operations/high-availability.md describes them. */
import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { startTcpProxy, type TcpProxy } from "../../faults/tcp-proxy.ts";
import { sharedTemporaryDirectory } from "../../support/postgres-native.ts";
import type { Cluster } from "../cluster.ts";
import { findLeader, readMembers, type Member } from "./members.ts";

const script = resolve(import.meta.dirname, "../../../deploy/patroni/cluster.sh");
const run = promisify(execFile);
const databaseName = "tessera_test";
/** Patroni's lowest, so that a run sees several fail-overs. */
const TIMES = ["--ttl", "20", "--loop-wait", "2", "--retry-timeout", "3"];
const FAIL_OVER_MS = 75_000;

/**
 * Starts the cluster by `deploy/patroni/cluster.sh`, which as root also installs the Debian packages that are missing,
 * and a proxy for each node in front of each server. It ends with `stop`, or with this process, however that ends.
 *
 * @throws when the script fails
 */
export async function startPatroniCluster(nodes: number): Promise<Cluster> {
  const directory = mkdtempSync(join(sharedTemporaryDirectory(), "tessera-patroni-"));
  const cluster = (...args: string[]) => run(script, [...args, "--dir", directory]);
  const guard = spawn("sh", ["-c", 'cat >/dev/null; exec "$0" down --dir "$1"', script, directory], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  guard.unref();
  (guard.stdin as unknown as { unref(): void }).unref();
  try {
    await cluster("up", "--database", databaseName, ...TIMES);
    // A primary whose PostgreSQL alone dies is not given time to start again: a standby takes its place then too.
    const configuration = ["-c", join(directory, "a/patroni.yml"), "edit-config", "--force", "--set"];
    await run("patronictl", [...configuration, "primary_start_timeout=0"]);
    const members = readMembers(directory);
    const proxies = await Promise.all(Array.from({ length: nodes }, () => startProxies(members)));
    return describe(directory, members, proxies, cluster);
  } catch (error) {
    guard.stdin.end();
    throw error;
  }
}

function startProxies(members: readonly Member[]): Promise<TcpProxy[]> {
  return Promise.all(members.map(({ port }) => startTcpProxy(`postgres://127.0.0.1:${port}`)));
}

function describe(
  directory: string,
  members: readonly Member[],
  proxies: readonly (readonly TcpProxy[])[],
  cluster: (...args: string[]) => Promise<unknown>,
): Cluster {
  const secrets = readSecrets(directory);
  const hostsOf = (node: number) => (proxies[node] ?? []).map((proxy) => new URL(proxy.url).host);
  const urlOf = (hosts: readonly string[], query: string) =>
    `postgres://tessera:${secrets.tessera}@${hosts.join(",")}/${databaseName}${query}`;
  const adminOf = (port: number) => `postgres://postgres:${secrets.superuser}@127.0.0.1:${port}/${databaseName}`;
  let delays = Promise.resolve();
  let failOvers = 0;

  async function delay(milliseconds: number): Promise<void> {
    const leader = await findLeader(members);
    const standbys = members.filter(({ name }) => name !== leader?.name);
    await Promise.all(standbys.map(({ port }) => pauseReplay(adminOf(port), milliseconds)));
  }

  return {
    databaseUrls: proxies.map((_, node) => urlOf(hostsOf(node), "?target_session_attrs=read-write")),
    // Each node begins with another server, so that some read from a standby whoever is the primary.
    replicaUrls: proxies.map((_, node) => urlOf(rotate(hostsOf(node), node), "")),
    async adminUrl() {
      const leader = await findLeader(members);
      if (leader === undefined) throw new Error("the cluster has no primary now");
      return adminOf(leader.port);
    },
    delayReplica(milliseconds) {
      const ended = delay(milliseconds);
      delays = ended.catch(() => undefined);
      return ended;
    },
    async failOver() {
      // A standby that does not replay cannot be promoted.
      await delays;
      const before = await findLeader(members);
      failOvers += 1;
      await cluster("kill-primary", ...(failOvers % 2 === 0 ? ["--postgres-only"] : []));
      const deadline = performance.now() + FAIL_OVER_MS;
      for (;;) {
        const now = await findLeader(members);
        if (now !== undefined && now.name !== before?.name) break;
        if (performance.now() > deadline) throw new Error(`nobody took the place of ${before?.name ?? "no one"}`);
        await sleep(200);
      }
      // Starts the Patroni that was killed, and waits for two standbys, one of them synchronous.
      await cluster("up");
    },
    cut(node) {
      for (const proxy of proxies[node] ?? []) proxy.cut();
    },
    async swallow(node, milliseconds) {
      const own = proxies[node] ?? [];
      for (const proxy of own) proxy.judge = () => "lose";
      await sleep(milliseconds);
      for (const proxy of own) {
        proxy.judge = () => "pass";
        proxy.cut();
      }
    },
    async stop() {
      await Promise.all(proxies.flat().map((proxy) => proxy.close()));
      await cluster("down");
    },
  };
}

async function pauseReplay(url: string, milliseconds: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("select pg_wal_replay_pause()");
    await sleep(milliseconds);
    await client.query("select pg_wal_replay_resume()");
  } finally {
    await client.end();
  }
}

function rotate(hosts: readonly string[], by: number): string[] {
  const start = by % hosts.length;
  return [...hosts.slice(start), ...hosts.slice(0, start)];
}

function readSecrets(directory: string): { tessera: string; superuser: string } {
  const text = readFileSync(join(directory, "secrets"), "utf8");
  const find = (name: string) => new RegExp(`^${name}_PASSWORD=(.+)$`, "m").exec(text)?.[1] ?? "";
  return { tessera: find("TESSERA"), superuser: find("SUPERUSER") };
}
