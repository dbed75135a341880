/** A coordinator and two workers of Citus, from an installed PostgreSQL that has the extension. */
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findFreePort } from "../support/postgres.ts";
import { findRunAs, sharedTemporaryDirectory } from "../support/postgres-native.ts";
import { withClient } from "../support/postgres-schema.ts";

/** Nodes of the cluster; the coordinator is the first. */
const NAMES = ["coordinator", "worker-1", "worker-2"] as const;
export type NodeName = (typeof NAMES)[number];

export interface CitusCluster {
  /** URL of the database on a node. */
  url(node: NodeName): string;
  port(node: NodeName): number;
  kill(node: NodeName): Promise<void>;
  /** @param clock time that it shows, as `faketime` has it, such as `+30s` */
  start(node: NodeName, clock?: string): Promise<void>;
  stop(): Promise<void>;
}

/** Library of the package `faketime`. */
export const FAKETIME = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1";

const DATABASE = "tessera";
const SETTINGS = {
  shared_preload_libraries: "citus",
  "citus.enable_schema_based_sharding": "on",
  wal_level: "logical",
  max_prepared_transactions: "200",
  max_connections: "300",
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
};

/** @param bin directory with `postgres` @returns why there can be none; undefined when there can */
export function missingCitus(bin: string): string | undefined {
  const config = join(bin, "pg_config");
  if (!existsSync(config)) return `${config} is missing`;
  const library = join(execFileSync(config, ["--pkglibdir"], { encoding: "utf8" }).trim(), "citus.so");
  return existsSync(library) ? undefined : `${library} is missing`;
}

/** Starts it. @param bin as of `missingCitus` */
export async function startCitus(bin: string): Promise<CitusCluster> {
  const runAs = findRunAs();
  const root = mkdtempSync(join(sharedTemporaryDirectory(), "tessera-citus-"));
  if (runAs) chownSync(root, runAs.uid, runAs.gid);
  // A server looks for certificates in the home of who runs it, when it connects to another one.
  const env = { PATH: process.env["PATH"], LC_ALL: "C", TZ: "UTC", HOME: root };
  const options = { ...runAs, cwd: "/", stdio: "pipe" as const, env };
  const ports = Object.fromEntries(
    await Promise.all(NAMES.map(async (name) => [name, await findFreePort()])),
  ) as Record<NodeName, number>;
  const running = new Map<NodeName, ChildProcess>();
  const url = (node: NodeName, database = DATABASE) => `postgres://postgres@127.0.0.1:${ports[node]}/${database}`;

  async function start(node: NodeName, clock?: string): Promise<void> {
    const args = ["-D", join(root, node), "-p", String(ports[node])];
    const shifted = clock === undefined ? {} : { LD_PRELOAD: FAKETIME, FAKETIME: clock, DONT_FAKE_MONOTONIC: "1" };
    const child = spawn(join(bin, "postgres"), args, { ...options, env: { ...env, ...shifted } });
    child.stderr.resume();
    running.set(node, child);
    for (let attempt = 0; ; attempt++) {
      try {
        return await withClient(url(node, "postgres"), async (client) => void (await client.query("select 1")));
      } catch (error) {
        if (attempt === 600) throw error;
        await sleep(200);
      }
    }
  }

  async function end(node: NodeName, signal: NodeJS.Signals): Promise<void> {
    const child = running.get(node);
    running.delete(node);
    if (child === undefined || child.exitCode !== null) return;
    child.kill(signal);
    await once(child, "exit");
  }

  async function make(node: NodeName): Promise<void> {
    mkdirSync(join(root, node), { mode: 0o700 });
    if (runAs) chownSync(join(root, node), runAs.uid, runAs.gid);
    const flags = ["--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C", "--no-sync"];
    execFileSync(join(bin, "initdb"), [`--pgdata=${join(root, node)}`, ...flags], options);
    const lines = Object.entries(SETTINGS).map(([name, value]) => `${name} = '${value}'\n`);
    appendFileSync(join(root, node, "postgresql.conf"), lines.join(""));
    await start(node);
    await withClient(url(node, "postgres"), (client) => client.query(`create database ${DATABASE}`));
    await withClient(url(node), (client) => client.query("create extension citus; create extension pg_trgm"));
  }

  async function addWorkers(): Promise<void> {
    await withClient(url("coordinator"), async (client) => {
      await client.query("select citus_set_coordinator_host('127.0.0.1', $1)", [ports.coordinator]);
      for (const worker of NAMES.slice(1))
        await client.query("select citus_add_node('127.0.0.1', $1)", [ports[worker]]);
    });
  }

  async function stop(): Promise<void> {
    await Promise.all(NAMES.map((node) => end(node, "SIGQUIT")));
    rmSync(root, { recursive: true, force: true });
  }

  try {
    for (const node of NAMES) await make(node);
    await addWorkers();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url: (node) => url(node),
    port: (node) => ports[node],
    start,
    kill: (node) => end(node, "SIGQUIT"),
    stop,
  };
}
