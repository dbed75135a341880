/** Starts the real program as a child process, as a user would, for tests and benchmarks. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { nodeArguments } from "./answers/install.ts";
import { runDirectory } from "./directory.ts";
import { expectNoSecretInServer, noteSecret } from "./made-secrets.ts";
import { programFor } from "./program.ts";

/** Options of a server to start. */
export interface ServerOptions {
  /** The `--database` value; the embedded default inside the data directory when left out. */
  readonly database?: string;
  /** Listen address. Default: a free port of 127.0.0.1. */
  readonly listen?: string;
  /** A data directory that outlives the server; a temporary one, removed by `stop` and `kill`, when left out. */
  readonly dataDir?: string;
  /** More arguments behind `serve`. */
  readonly args?: readonly string[];
  /** More environment variables; the parent's `TESSERA_…` ones never reach the server. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** A command in front of node, for instance `["taskset", "-c", "0"]`. */
  readonly wrapper?: readonly string[];
  /** The file to run; the program of `programFile` when left out. */
  readonly entry?: string;
  /** A file that takes what the server prints, instead of `stdout` and `stderr`. */
  readonly outputFile?: string;
  /** How long the address file may take to appear. */
  readonly startTimeoutMilliseconds?: number;
  /** Outlives the test file: who starts it ends it. */
  readonly isKept?: boolean;
}

/** A server that has written its address. */
export interface RunningServer {
  readonly url: string;
  readonly pid: number;
  readonly dataDir: string;
  /** The first management token's SecretID; empty when the server made none. */
  readonly token: string;
  readonly stdout: string;
  readonly stderr: string;
  /** Sends SIGTERM and returns the exit code. A server that does not end within 20 s is killed and that is an error. */
  stop(): Promise<number>;
  /** Sends SIGKILL and waits. A temporary data directory stays only when `keepData` is true. */
  kill(options?: { readonly keepData?: boolean }): Promise<void>;
  /** Resolves with the exit code when the server ends by itself. */
  readonly exited: Promise<number>;
}

const repository = resolve(import.meta.dirname, "../..");
const running = new Set<ChildProcess>();
const scratches = new Set<string>();
let exitHookSet = false;

/** Kills every server that this process started and did not stop, and removes all their temporary files. */
export function removeServers(): void {
  for (const left of running) left.kill("SIGKILL");
  for (const scratch of scratches) rmSync(scratch, { recursive: true, force: true });
  scratches.clear();
}

/** Starts `tessera serve` on a free port of 127.0.0.1 and waits until it has written its address. */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const scratch = mkdtempSync(join(runDirectory(), "tessera-server-"));
  if (options.isKept !== true) scratches.add(scratch);
  const dataDir = options.dataDir ?? join(scratch, "data");
  const addressFile = join(scratch, "address");
  const child = spawnServer(options, dataDir, addressFile);
  const output = { stdout: "", stderr: "" };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
  const exited = once(child, "close").then(([code, signal]) =>
    exitCode(code as number | null, signal as string | null),
  );
  exited.catch(() => undefined);
  const cleanUp = () => {
    rmSync(scratch, { recursive: true, force: true });
    scratches.delete(scratch);
  };
  let url: string;
  try {
    url = await waitForAddress(addressFile, child, options.startTimeoutMilliseconds ?? 60_000);
  } catch (error) {
    child.kill("SIGKILL");
    await exited;
    cleanUp();
    throw new Error(`${(error as Error).message}\n${output.stdout}${output.stderr}`, { cause: error });
  }
  return {
    url,
    pid: serverPid(child),
    dataDir,
    get token() {
      return readToken(dataDir);
    },
    get stdout() {
      return output.stdout;
    },
    get stderr() {
      return output.stderr;
    },
    exited,
    async stop() {
      const token = readToken(dataDir);
      child.kill("SIGTERM");
      const code = await Promise.race([exited, sleep(20_000, undefined, { ref: false })]);
      if (code === undefined) child.kill("SIGKILL");
      await exited;
      if (token !== "") noteSecret(token);
      try {
        const { database, args = [] } = options;
        await expectNoSecretInServer({ database, dataDir, args, printed: output.stdout + output.stderr });
      } finally {
        cleanUp();
      }
      if (code === undefined) throw new Error(`the server did not stop within 20 s\n${output.stdout}${output.stderr}`);
      return code;
    },
    async kill({ keepData = false } = {}) {
      child.kill("SIGKILL");
      await exited;
      if (!keepData) cleanUp();
    },
  };
}

function spawnServer(options: ServerOptions, dataDir: string, addressFile: string): ChildProcess {
  const database = options.database === undefined ? [] : ["--database", options.database];
  const places = ["--listen", options.listen ?? "127.0.0.1:0", "--data-dir", dataDir, "--address-file", addressFile];
  const entry = options.entry ?? programFor(options.env);
  const checks = options.entry === undefined ? nodeArguments() : [];
  const command = [...(options.wrapper ?? []), process.execPath, ...checks, entry, "serve", ...places, ...database];
  const inherited = Object.entries(process.env).filter(([name]) => !/^(TESSERA_|NODE_OPTIONS$|VITEST)/.test(name));
  // A server that is started from its sources would build the console first, beside all the others.
  const unbuilt = entry === join(repository, "src/main.ts") ? { TESSERA_CONSOLE: "off" } : {};
  const output = options.outputFile === undefined ? "pipe" : openSync(options.outputFile, "a");
  const child = spawn(command[0] ?? process.execPath, [...command.slice(1), ...(options.args ?? [])], {
    cwd: options.cwd ?? repository,
    env: { ...Object.fromEntries(inherited), NODE_ENV: "production", ...unbuilt, ...options.env },
    stdio: ["ignore", output, output],
  });
  if (typeof output === "number") closeSync(output);
  if (options.isKept !== true) remember(child);
  return child;
}

/** A test that fails half-way must not leave its server behind. */
function remember(child: ChildProcess): void {
  running.add(child);
  child.once("close", () => running.delete(child));
  if (exitHookSet) return;
  exitHookSet = true;
  process.once("exit", removeServers);
}

async function waitForAddress(file: string, child: ChildProcess, timeout: number): Promise<string> {
  const deadline = Date.now() + timeout;
  let failure: Error | undefined;
  child.once("error", (error) => (failure = error));
  while (Date.now() < deadline) {
    const text = existsSync(file) ? readFileSync(file, "utf8") : "";
    // A file without its last line break is still being written.
    if (text.endsWith("\n")) return withScheme(text.trim());
    if (failure) throw failure;
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`the server ended with ${child.exitCode ?? child.signalCode} before it wrote its address`);
    }
    await sleep(5);
  }
  throw new Error(`the server wrote no address within ${timeout} ms`);
}

function withScheme(address: string): string {
  return address.includes("://") ? address : `http://${address}`;
}

function readToken(dataDir: string): string {
  const file = join(dataDir, "management-token");
  return existsSync(file) ? readFileSync(file, "utf8").trim() : "";
}

/** A shell's convention for a process that a signal ended: 128 and the signal's number are not told apart here. */
function exitCode(code: number | null, signal: string | null): number {
  return code ?? (signal === "SIGKILL" ? 137 : 128);
}

function serverPid(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error("the server has no process id");
  return child.pid;
}
