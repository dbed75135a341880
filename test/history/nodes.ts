import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startServer, type RunningServer } from "../support/server.ts";
import type { Targets } from "./caller.ts";
import { CLOCK_VARIABLE } from "./clock-variable.ts";
import { CONSOLE } from "./credentials.ts";

/** The servers of a run, each a process of its own; all have one master key. */
export interface Nodes extends Targets {
  /** SIGKILL. The node answers nobody until it is started again. */
  kill(node: number): Promise<void>;
  /** Starts a killed node with the same data directory, at a new address. Tries again while it cannot start. */
  restart(node: number): Promise<void>;
  /** SIGSTOP: it neither answers nor fails. */
  pause(node: number): void;
  resume(node: number): void;
  /** Sets its wall clock ahead of that of the machine, or behind it, at once. @param offset milliseconds */
  setClock(node: number, offset: number): void;
  /** Until every node says that it is ready. @throws Error when that takes longer than half a minute */
  untilReady(): Promise<void>;
  /** Nodes that ended by themselves, and how. */
  readonly crashes: readonly string[];
  stop(): Promise<void>;
}

export interface NodesOptions {
  /** `--database` and `--replica` of each node. */
  readonly databases: readonly string[];
  readonly replicas: readonly (string | undefined)[];
  /** More of it; `NODE_OPTIONS` with an import has the nodes start from their sources, which have no console. */
  readonly env: Readonly<Record<string, string>>;
  /** Directory for data and logs of the nodes. */
  readonly directory: string;
}

const READY_MS = 30_000;
const LOOK_MS = 50;
const CLOCK_HOOK = join(import.meta.dirname, "clock-hook.ts");

/** Starts them, the first one alone: it makes the schema, the master key and the first token. */
export async function startNodes(options: NodesOptions): Promise<Nodes> {
  const servers: RunningServer[] = [];
  const urls: string[] = [];
  const crashes: string[] = [];
  /** Servers that are ended on purpose. */
  const ended = new Set<RunningServer>();

  async function start(node: number): Promise<void> {
    const replica = options.replicas[node];
    const server = await startServer({
      database: options.databases[node] ?? "",
      dataDir: join(options.directory, `node-${node}`),
      outputFile: logOf(options.directory, node),
      env: {
        ...options.env,
        NODE_OPTIONS: `--require=${CLOCK_HOOK} ${options.env["NODE_OPTIONS"] ?? ""}`,
        [CLOCK_VARIABLE]: clockOf(options.directory, node),
      },
      args: [
        "--log-level",
        "warn",
        "--public-url",
        CONSOLE,
        // The last one finds what the others do by polls alone, and is later for it.
        ...(node === options.databases.length - 1 ? ["--feed", "poll"] : []),
        ...(replica === undefined ? [] : ["--replica", replica]),
        ...(node === 0 ? [] : ["--key-file", join(options.directory, "node-0", "master-key")]),
      ],
    });
    void server.exited.then((code) => {
      if (!ended.has(server)) crashes.push(`node ${node} ended by itself with ${code}`);
    });
    servers[node] = server;
    urls[node] = server.url;
  }

  function serverOf(node: number): RunningServer {
    const server = servers[node];
    if (server === undefined) throw new RangeError(`there is no node ${node}`);
    return server;
  }

  async function end(server: RunningServer): Promise<void> {
    ended.add(server);
    await server.kill({ keepData: true });
  }

  async function restart(node: number): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await start(node);
        return;
      } catch (error) {
        // Its database may be away just now.
        if (attempt === 10) throw error;
        await sleep(500);
      }
    }
  }

  async function untilReady(): Promise<void> {
    const deadline = performance.now() + READY_MS;
    for (const url of urls) {
      while (!(await isReady(url))) {
        if (performance.now() > deadline) throw new Error(`${url} is not ready after ${READY_MS} ms`);
        await sleep(LOOK_MS);
      }
    }
  }

  const stop = async (): Promise<void> => void (await Promise.all(servers.map(end)));
  try {
    await start(0);
    await Promise.all(options.databases.slice(1).map((_, index) => start(index + 1)));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    urls,
    token: serverOf(0).token,
    kill: (node) => end(serverOf(node)),
    restart,
    pause: (node) => void process.kill(serverOf(node).pid, "SIGSTOP"),
    resume: (node) => void process.kill(serverOf(node).pid, "SIGCONT"),
    setClock(node, offset) {
      writeFileSync(clockOf(options.directory, node), String(offset));
      process.kill(serverOf(node).pid, "SIGUSR2");
    },
    untilReady,
    crashes,
    stop,
  };
}

/** Reads the output of a node so far. */
export function readLog(directory: string, node: number): string {
  return readFileSync(logOf(directory, node), "utf8");
}

function clockOf(directory: string, node: number): string {
  return join(directory, `clock-${node}`);
}

function logOf(directory: string, node: number): string {
  return join(directory, `node-${node}.log`);
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2000) })).ok;
  } catch {
    return false;
  }
}
