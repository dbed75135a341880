/** Commands as a newcomer runs them, and servers that they start; for the walks of the package. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Environment of a new user: the system's own npm and Node, not those of this checkout. */
const path = (process.env["PATH"] ?? "")
  .split(delimiter)
  .filter((folder) => !folder.includes("node_modules") && !folder.includes("node-gyp-bin"))
  .join(delimiter);
export const env = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|TESSERA_|NODE_(OPTIONS|ENV|COMPILE_CACHE)$)/i.test(name)),
  ),
  PATH: path,
};
/** npx installs before it starts, and after one that was cut waits a minute for its lock. */
const START_MS = 300_000;
const INSTALL_MS = 600_000;

/** @returns what it printed @throws Error when it fails */
export function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    env,
    encoding: "utf8",
    timeout: INSTALL_MS,
  });
  if (status !== 0)
    throw new Error(`${command} ${args.join(" ")} ended with ${status}\n${error ?? ""}${stdout}${stderr}`);
  return stdout;
}

export interface Installed {
  /** @throws Error when the response to a request with the first token has another status */
  expect(route: string, status: number, init?: RequestInit): Promise<string>;
  /** @returns the exit code; null when a signal ended it */
  stop(): Promise<number | null>;
  /**
   * Sends the interrupt that Ctrl-C sends at a terminal: all started processes get it. Resolves when all have ended.
   */
  interrupt(): Promise<void>;
  /** Ends all that is left of it, and removes its data. */
  remove(): void;
}

/** Starts a server as a command line, with its data below a folder. @throws Error when it does not start */
export async function start(command: string, args: readonly string[], cwd: string): Promise<Installed> {
  const dataDir = join(cwd, "data");
  const addressFile = join(cwd, "address");
  const options = ["serve", "--listen", "127.0.0.1:0", "--data-dir", dataDir, "--address-file", addressFile];
  rmSync(addressFile, { force: true });
  const child = spawn(command, [...args, ...options], {
    cwd,
    env,
    stdio: ["ignore", "ignore", "inherit"],
    detached: true,
  });
  const ended = new Promise<number | null>((done) => child.once("exit", done));
  const deadline = Date.now() + START_MS;
  while (!existsSync(addressFile)) {
    if (child.exitCode !== null || Date.now() > deadline) {
      killGroup(child.pid);
      throw new Error(`${command} ${args.join(" ")} did not start`);
    }
    await sleep(50);
  }
  const url = readFileSync(addressFile, "utf8").trim();
  const authorization = `Bearer ${readFileSync(join(dataDir, "management-token"), "utf8").trim()}`;
  return {
    async expect(route, wanted, init = {}) {
      // Commands run between two requests and hold this process: a connection that ends meanwhile would not be seen to.
      const answer = await fetch(`${url}${route}`, { ...init, headers: { authorization, connection: "close" } });
      const text = await answer.text();
      if (answer.status !== wanted) throw new Error(`${route} of ${command} answered ${answer.status}: ${text}`);
      return text;
    },
    async stop() {
      child.kill("SIGTERM");
      return ended;
    },
    async interrupt() {
      signalGroup(child.pid, "SIGINT");
      while (signalGroup(child.pid, 0)) await sleep(50);
    },
    remove() {
      killGroup(child.pid);
      rmSync(dataDir, { recursive: true, force: true });
      rmSync(addressFile, { force: true });
    },
  };
}

/** Kills a process that was started with `detached`, and all that it has started. */
export function killGroup(pid: number | undefined): void {
  signalGroup(pid, "SIGKILL");
}

/** @returns whether one of them was there to take it */
function signalGroup(pid: number | undefined, signal: NodeJS.Signals | 0): boolean {
  try {
    return pid !== undefined && process.kill(-pid, signal);
  } catch {
    // All have ended.
    return false;
  }
}
