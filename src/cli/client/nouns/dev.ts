import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createClient } from "@tessera-server/client";
import type { Call } from "../spec.ts";
import { CliError, EXIT } from "../exit.ts";
import { addSamples } from "../samples.ts";
import { createNodeFetch } from "../node-fetch.ts";
import type { Verb } from "../spec.ts";

export const verb: Verb = {
  name: "dev",
  summary: "Start a temporary development server with sample data.",
  description:
    "Starts a server in a temporary directory, adds sample data and opens the console. If the console is disabled, it opens /docs. Ctrl-C stops the server and deletes the directory.",
  operations: [],
  flags: [
    { name: "listen", value: "HOST:PORT", help: "Listen address. Default: a free port on 127.0.0.1." },
    { name: "no-open", help: "Do not open a browser." },
    { name: "no-samples", help: "Do not add sample data." },
  ],
  async run(call) {
    const folder = mkdtempSync(join(tmpdir(), "tessera-dev-"));
    const server = start(folder, call.flag("listen") ?? "127.0.0.1:0");
    try {
      const address = await addressOf(server, join(folder, "address"), call);
      const tokenFile = join(folder, "data/management-token");
      const token = readFileSync(tokenFile, "utf8").trim();
      const client = createClient({ address, token, fetch: call.io.fetch ?? createNodeFetch() });
      if (call.flags["samples"] !== false) await addSamples(client);
      await call.out.text(`${address}\n`);
      await call.out.warn(
        `A development server runs at ${address}. Press Ctrl-C to stop it. In another terminal:\n\n  export TESSERA_ADDR=${address} TESSERA_TOKEN_FILE=${tokenFile} TESSERA_ORGANIZATION=acme\n  tessera workspace list\n`,
      );
      if (call.flags["open"] !== false && call.io.stdout.isTerminal) {
        const { openBrowser } = await import("../login/loopback.ts");
        openBrowser(await pageOf(address), call.io.env);
      }
      await Promise.race([aborted(call.io.signal), once(server, "close")]);
      if (!call.io.signal.aborted) throw new CliError(EXIT.failed, "the server exited unexpectedly");
    } finally {
      await stop(server);
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** The console, also while it is being built; the reference where there is none. */
export async function pageOf(address: string): Promise<string> {
  const { ok, headers } = await fetch(`${address}/ui/`, { headers: { accept: "text/html" } });
  return ok || headers.has("refresh") ? `${address}/ui/` : `${address}/docs`;
}

function start(folder: string, listen: string): ChildProcess {
  const main = process.argv[1] ?? "";
  const args = [
    "serve",
    "--listen",
    listen,
    "--data-dir",
    join(folder, "data"),
    "--address-file",
    join(folder, "address"),
    "--log-level",
    "warn",
  ];
  // Nothing that is set for another server is for this one.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("TESSERA_")));
  return spawn(process.execPath, [...process.execArgv, main, ...args], { stdio: ["ignore", "ignore", "inherit"], env });
}

async function addressOf(server: ChildProcess, file: string, call: Call): Promise<string> {
  for (let waited = 0; waited < 60_000; waited += 25) {
    if (server.exitCode !== null) break;
    const text = read(file);
    if (text.endsWith("\n")) return text.trim();
    await call.sleep(25);
  }
  throw new CliError(EXIT.failed, "the server did not start");
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const closed = once(server, "close");
  server.kill("SIGTERM");
  const timer = setTimeout(() => server.kill("SIGKILL"), 15_000);
  await closed;
  clearTimeout(timer);
}
