/** Starts real PostgreSQL servers for tests: a fast shared one, or durable private ones that may be killed. */
import { spawn, execFileSync, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  findRunAs,
  prepareNativeFiles,
  sharedTemporaryDirectory,
  type NativeFiles,
  type PostgresVersion,
  type RunAs,
} from "./postgres-native.ts";

/** How PostgreSQL shuts down: `fast` ends sessions and checkpoints, `immediate` is a crash that it recovers from. */
export type StopMode = "smart" | "fast" | "immediate";

/** Options of a server to start. */
export interface PostgresOptions {
  /** 18 when left out. */
  readonly version?: PostgresVersion;
  /**
   * Committed data survives a power cut with `true`, as in production, and a kill of the processes with "kills", which
   * saves disk time. Default: neither, since the shared server of a test run is deleted.
   */
  readonly durable?: boolean | "kills";
  /** A fixed port on 127.0.0.1; a free one when left out. */
  readonly port?: number;
  /** A directory that outlives the server; a temporary one, removed by `stop`, when left out. */
  readonly dataDir?: string;
  /** More settings, each passed as `-c name=value`. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** A running server. */
export interface PostgresServer {
  readonly url: string;
  readonly dataDir: string;
  readonly pid: number;
  readonly log: string;
  /** Shuts down and removes what is temporary; `restart` is possible only before. */
  stop(mode?: StopMode): Promise<void>;
  /** Shuts down and keeps the data, so that `restart` can bring it back. */
  shutDown(mode?: StopMode): Promise<void>;
  /** Ends the server and its children by SIGKILL, as a crash of the machine's kernel would not but the OOM killer does. */
  kill(): Promise<void>;
  /** Starts again on the same port and data; stops first when it still runs. */
  restart(): Promise<void>;
}

const databaseName = "tessera_test";
const signals: Record<StopMode, NodeJS.Signals> = { smart: "SIGTERM", fast: "SIGINT", immediate: "SIGQUIT" };
/** A killed process leaves what it wrote to the system, maybe half a page of it. */
const unsyncedSettings = { fsync: "off" };
/** Nor does the server of all tests look after thousands of tables that live for seconds. */
const fastSettings = {
  ...unsyncedSettings,
  full_page_writes: "off",
  synchronous_commit: "off",
  autovacuum: "off",
  jit: "off",
};

interface Cluster {
  readonly version: PostgresVersion;
  readonly files: NativeFiles;
  readonly runAs: RunAs;
  readonly root: string | undefined;
  readonly dataDir: string;
  readonly password: string;
  readonly settings: Record<string, string>;
  readonly guard: ChildProcess;
  port: number;
  process: ChildProcess | undefined;
  log: string;
}

/** Starts a server with one database, its text sorted by the ICU locale en-US, from 15 on, so that faults of ordering show. */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const cluster = createCluster(options);
  try {
    if (!existsSync(join(cluster.dataDir, "PG_VERSION"))) initialise(cluster);
    await startOnFreePort(cluster, options.port);
    if (options.dataDir === undefined || !(await hasDatabase(cluster))) await createDatabase(cluster);
  } catch (error) {
    cluster.process?.kill("SIGQUIT");
    removeTemporaryFiles(cluster);
    throw error;
  }
  return {
    url: `postgres://postgres:${cluster.password}@127.0.0.1:${cluster.port}/${databaseName}`,
    dataDir: cluster.dataDir,
    get pid() {
      return cluster.process?.pid ?? 0;
    },
    get log() {
      return cluster.log;
    },
    async stop(mode = "fast") {
      await shutDown(cluster, mode);
      removeTemporaryFiles(cluster);
    },
    shutDown: async (mode = "fast") => shutDown(cluster, mode),
    kill: async () => kill(cluster),
    async restart() {
      await shutDown(cluster, "fast");
      await start(cluster);
    },
  };
}

function createCluster(options: PostgresOptions): Cluster {
  const runAs = findRunAs();
  const { version = 18 } = options;
  const files = prepareNativeFiles(runAs, version);
  const root = mkdtempSync(join(sharedTemporaryDirectory(), "tessera-postgres-"));
  if (runAs) chownSync(root, runAs.uid, runAs.gid);
  const dataDir = options.dataDir ?? join(root, "data");
  if (runAs && options.dataDir !== undefined && existsSync(dataDir)) chownSync(dataDir, runAs.uid, runAs.gid);
  const passwordFile = `${dataDir}.password`;
  const password = existsSync(passwordFile)
    ? readFileSync(passwordFile, "utf8").trim()
    : randomBytes(12).toString("hex");
  const settings = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "200",
    ...(options.durable === true ? {} : options.durable === "kills" ? unsyncedSettings : fastSettings),
    ...options.settings,
  };
  const guard = startGuard([root, ...(files.temporaryCopy === undefined ? [] : [files.temporaryCopy])]);
  return { version, files, runAs, root, dataDir, password, settings, guard, port: 0, process: undefined, log: "" };
}

/**
 * Starts a shell that outlives this process by a moment. When its stdin ends, however that came about, it ends the
 * server whose pid it read last and removes the temporary files: a test run killed by SIGKILL leaves nothing behind.
 */
function startGuard(directories: string[]): ChildProcess {
  const script = `pid=0; while read -r line; do pid=$line; done
    if [ "$pid" -gt 0 ]; then kill -QUIT "$pid"; n=0
      while kill -0 "$pid" && [ $n -lt 50 ]; do sleep 0.1; n=$((n+1)); done; fi
    rm -rf -- "$@"`;
  const guard = spawn("sh", ["-c", script, "guard", ...directories], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  guard.unref();
  (guard.stdin as unknown as { unref(): void }).unref();
  guard.stdin?.on("error", () => undefined);
  return guard;
}

function environment(cluster: Cluster): NodeJS.ProcessEnv {
  return { PATH: process.env["PATH"], LC_ALL: "C", TZ: "UTC", LD_LIBRARY_PATH: cluster.files.lib };
}

function initialise(cluster: Cluster): void {
  const passwordFile = `${cluster.dataDir}.password`;
  writeFileSync(passwordFile, `${cluster.password}\n`, { mode: 0o600 });
  if (cluster.runAs) chownSync(passwordFile, cluster.runAs.uid, cluster.runAs.gid);
  const flags = ["--auth=password", "--username=postgres", `--pwfile=${passwordFile}`, "--encoding=UTF8", "--locale=C"];
  // Before 15 only a column can have an ICU locale.
  const locale = cluster.version < 15 ? [] : ["--locale-provider=icu", "--icu-locale=en-US"];
  execFileSync(join(cluster.files.bin, "initdb"), [`--pgdata=${cluster.dataDir}`, "--no-sync", ...flags, ...locale], {
    ...cluster.runAs,
    cwd: "/",
    env: environment(cluster),
    stdio: "pipe",
  });
}

async function startOnFreePort(cluster: Cluster, port: number | undefined): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    cluster.port = port ?? (await findFreePort());
    try {
      await start(cluster);
      return;
    } catch (error) {
      // The port was free a moment ago; another process may have taken it since.
      if (port !== undefined || attempt === 5) throw error;
    }
  }
}

async function start(cluster: Cluster): Promise<void> {
  // After a kill the last children may hold the shared memory for a moment, and the start is refused.
  for (let attempt = 1; ; attempt += 1) {
    const from = cluster.log.length;
    if (await startOnce(cluster)) return;
    const reason = cluster.log.slice(from);
    if (attempt === 50 || !/still in use|lock file|starting up/.test(reason)) {
      throw new Error(`PostgreSQL did not start: ${reason}`);
    }
    await sleep(100);
  }
}

async function startOnce(cluster: Cluster): Promise<boolean> {
  const settings = Object.entries(cluster.settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const child = spawn(
    join(cluster.files.bin, "postgres"),
    ["-D", cluster.dataDir, "-p", String(cluster.port), ...settings],
    { ...cluster.runAs, cwd: "/", env: environment(cluster), stdio: ["ignore", "ignore", "pipe"], detached: true },
  );
  cluster.process = child;
  cluster.guard.stdin?.write(`${child.pid ?? 0}\n`);
  let recent = "";
  const ready = new Promise<boolean>((resolve, reject) => {
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      cluster.log = (cluster.log + text).slice(-100_000);
      recent = (recent + text).slice(-1000);
      if (/ready to accept (?:read-only )?connections/.test(recent)) resolve(true);
    });
    child.once("close", () => {
      if (cluster.process === child) cluster.process = undefined;
      resolve(false);
    });
    child.once("error", reject);
  });
  const started = await ready;
  child.unref();
  (child.stderr as unknown as { unref(): void }).unref();
  return started;
}

async function shutDown(cluster: Cluster, mode: StopMode): Promise<void> {
  const child = cluster.process;
  if (!child) return;
  const ended = once(child, "exit");
  child.ref();
  child.kill(signals[mode]);
  await ended;
  cluster.process = undefined;
  cluster.guard.stdin?.write("0\n");
}

async function kill(cluster: Cluster): Promise<void> {
  const child = cluster.process;
  if (!child) return;
  const ended = once(child, "exit");
  child.ref();
  const children = readChildren(child.pid);
  child.kill("SIGKILL");
  for (const pid of children) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It noticed the end of its parent first.
    }
  }
  await ended;
  cluster.process = undefined;
  cluster.guard.stdin?.write("0\n");
}

function readChildren(pid: number | undefined): number[] {
  const file = `/proc/${pid}/task/${pid}/children`;
  return existsSync(file) ? readFileSync(file, "utf8").trim().split(" ").filter(Boolean).map(Number) : [];
}

function removeTemporaryFiles(cluster: Cluster): void {
  if (cluster.root !== undefined) rmSync(cluster.root, { recursive: true, force: true });
  if (cluster.files.temporaryCopy !== undefined) {
    rmSync(cluster.files.temporaryCopy, { recursive: true, force: true });
  }
  cluster.guard.stdin?.end();
}

async function hasDatabase(cluster: Cluster): Promise<boolean> {
  const { withClient } = await import("./postgres-schema.ts");
  return withClient(maintenanceUrl(cluster), async (client) => {
    const found = await client.query("select 1 from pg_database where datname = $1", [databaseName]);
    return found.rows.length > 0;
  });
}

async function createDatabase(cluster: Cluster): Promise<void> {
  const { withClient } = await import("./postgres-schema.ts");
  await withClient(maintenanceUrl(cluster), async (client) => {
    await client.query(`create database ${databaseName}`);
  });
}

function maintenanceUrl(cluster: Cluster): string {
  return `postgres://postgres:${cluster.password}@127.0.0.1:${cluster.port}/postgres`;
}

/** A port of 127.0.0.1 that nobody has at this moment. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
