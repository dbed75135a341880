/** Servers that are measured side by side, and Consul's start as such a one. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { openSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { LoadStream, SampleAnswer } from "../load-types.ts";
import { pinned } from "../machine.ts";

const MANAGEMENT = "5e0d1a92-6c3f-4a6e-9a5b-0c9a7f1e2d34";
/** Attempts, 100 ms apart, until a peer has elected itself. */
const ATTEMPTS = 300;

/** A row of the comparison. */
export interface SideRow {
  readonly name: string;
  /** The load, made anew for each round. */
  stream(): LoadStream;
  /** For what is timed as a whole instead: one act. */
  readonly once?: () => Promise<void>;
  /** Whether a bare server is held against it; `undefined` where it says nothing. */
  readonly bare?: true;
  /** How the last answer looked, for the bare server. */
  sample?: SampleAnswer;
}

/** A server with what is asked of it. */
export interface Contestant {
  readonly name: string;
  readonly url: string;
  readonly token: string;
  readonly pid: number;
  /** Whether it has our own API beside Consul's. */
  readonly isOurs: boolean;
  rows: readonly SideRow[];
  kill(): Promise<void>;
}

/** Stops all but one, so that nobody takes the core of whoever is measured. */
export function stopAll(contestants: readonly Contestant[], but?: Contestant): void {
  for (const each of contestants) process.kill(each.pid, each === but ? "SIGCONT" : "SIGSTOP");
}

/** Starts a Consul server: one node, its log on disk, everything denied that no rule allows. @param binary path of the program */
export async function startConsul(binary: string, directory: string): Promise<Contestant> {
  const dataDir = join(directory, "consul");
  mkdirSync(dataDir);
  const ports = await freePorts(6);
  const [http, dns, lan, wan, server, grpc] = ports;
  const config = join(directory, "consul.json");
  writeFileSync(
    config,
    JSON.stringify({
      server: true,
      bootstrap_expect: 1,
      data_dir: dataDir,
      bind_addr: "127.0.0.1",
      client_addr: "127.0.0.1",
      log_level: "warn",
      ports: { http, dns, serf_lan: lan, serf_wan: wan, server, grpc, grpc_tls: -1 },
      limits: { http_max_conns_per_client: 10_000 },
      acl: { enabled: true, default_policy: "deny", tokens: { initial_management: MANAGEMENT, agent: MANAGEMENT } },
    }),
  );
  const output = openSync(join(directory, "consul.log"), "w");
  const [command, ...args] = [...pinned(0), binary, "agent", `-config-file=${config}`];
  const child = spawn(command, args, { stdio: ["ignore", output, output] });
  const contestant = {
    name: "peer",
    url: `http://127.0.0.1:${http}`,
    token: MANAGEMENT,
    pid: child.pid ?? 0,
    isOurs: false,
    rows: [],
    async kill() {
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    },
  };
  await untilReady(contestant, () => child.exitCode === null);
  return contestant;
}

async function untilReady({ url, token }: Contestant, isRunning: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS && isRunning(); attempt += 1) {
    const headers = { authorization: `Bearer ${token}` };
    const status = await fetch(`${url}/v1/acl/token/self`, { headers }).then(
      async (answer) => (await answer.arrayBuffer(), answer.status),
      () => 0,
    );
    if (status === 200) return;
    await sleep(100);
  }
  throw new Error("the peer did not start; see consul.log");
}

/** Ports that nobody listens on now. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))));
  return ports;
}
