/** Runs this version and the made-up next one beside each other. */
import { execFile } from "node:child_process";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { programFile } from "./program.ts";
import { startServer, type RunningServer, type ServerOptions } from "./server.ts";
import { ask } from "./two-nodes.ts";

const repository = resolve(import.meta.dirname, "../..");

/** The entry files. */
export const THIS_VERSION = programFile();
export const NEXT_VERSION = join(repository, "test/nodes/next-version.ts");

const running: RunningServer[] = [];

/** Starts a server that `stopServers` ends if the test does not. Beside a load that takes its time. */
export async function start(options: ServerOptions): Promise<RunningServer> {
  const server = await startServer({ startTimeoutMilliseconds: 60_000, ...options });
  running.push(server);
  return server;
}

/** Ends what `start` started. */
export async function stopServers(): Promise<void> {
  await Promise.all(running.splice(0).map(async (server) => server.kill()));
}

export interface Finished {
  status: number;
  stdout: string;
  stderr: string;
}

/** Runs one command line of a version until it ends. */
export async function runVersion(entry: string, ...args: readonly string[]): Promise<Finished> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("TESSERA_")));
  return new Promise((done) => {
    const child = execFile(process.execPath, [entry, ...args], { env, timeout: 60_000 }, (_error, stdout, stderr) =>
      done({ status: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

/** Messages of a server's log. */
export function messagesOf(server: RunningServer): string[] {
  const lines = server.stdout.split("\n").filter((line) => line.endsWith("}"));
  return lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
}

export interface Load {
  /** Answers so far. */
  done(): number;
  /** Answers that were not 200, and requests that got none. */
  readonly failures: readonly string[];
  stop(): Promise<void>;
}

const CLIENTS = 3;

/** Clients that make, change, read, list and delete policies and tokens, one request after the other. */
export function startLoad(server: RunningServer, token: string, prefix: string): Load {
  const failures: string[] = [];
  let answers = 0;
  let stopped = false;

  async function send(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
    const answer = await ask(server, token, method, path, body).catch((error: unknown) => {
      failures.push(`${method} ${path}: ${String(error)}`);
    });
    if (answer === undefined) return {};
    answers += 1;
    if (answer.status !== 200) failures.push(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  }

  async function work(client: number): Promise<void> {
    for (let round = 0; !stopped; round++) {
      const Name = `${prefix}-${client}-${round}`;
      const { ID } = await send("PUT", "/acl/policy", { Name, Rules: 'acl = "read"' });
      await send("GET", `/acl/policy/name/${Name}`);
      await send("PATCH", `/acl/policy/${String(ID)}`, { Description: Name });
      const { AccessorID } = await send("PUT", "/acl/token", { Policies: [{ Name }] });
      await send("GET", `/acl/token/${String(AccessorID)}`);
      await send("GET", "/acl/token/self");
      await send("GET", "/acl/policies?page-size=5");
      await send("DELETE", `/acl/token/${String(AccessorID)}`);
      await send("DELETE", `/acl/policy/${String(ID)}`);
      await sleep(20);
    }
  }

  const working = Promise.all(Array.from({ length: CLIENTS }, async (_, client) => work(client)));
  return {
    done: () => answers,
    failures,
    async stop() {
      stopped = true;
      await working;
    },
  };
}
