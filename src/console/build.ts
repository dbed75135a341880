/** Builds the console of a checkout, in a process of its own, where it is missing or older than what it is made from. */
import { spawn } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "pino";

/** Root of the checkout that contains this program. */
export const CHECKOUT = join(import.meta.dirname, "../..");
/** Output folder of the build. */
export const BUILT = "dist/console";
const SCRIPT = "console/build.ts";
/** Sources of the console. */
const SOURCES = ["console", "packages/client/src", "packages/model", "package-lock.json"];

/** Whether the sources of the console are there. */
export function isBuildable(checkout: string): boolean {
  return existsSync(join(checkout, SCRIPT));
}

/** Whether there is a built console that is as new as all that it is made from. */
export function isFresh(checkout: string): boolean {
  const page = statSync(join(checkout, BUILT, "index.html"), { throwIfNoEntry: false });
  if (page === undefined) return false;
  return SOURCES.every((source) => newest(join(checkout, source)) <= page.mtimeMs);
}

function newest(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return 0;
  if (!found.isDirectory()) return found.mtimeMs;
  const inside = readdirSync(path).filter((name) => name !== "node_modules");
  return Math.max(0, ...inside.map((name) => newest(join(path, name))));
}

/** Builds it where that is to be done, and says so in the log. @returns whether it is there */
export async function buildIfStale(log: Logger, checkout = CHECKOUT, signal?: AbortSignal): Promise<boolean> {
  if (!isBuildable(checkout)) return false;
  if (isFresh(checkout)) return true;
  const began = performance.now();
  log.info("building the console (first start only); the API is ready, /ui is not ready yet");
  const failure = await runBuild(checkout, signal);
  if (signal?.aborted === true) return false;
  const seconds = Number(((performance.now() - began) / 1000).toFixed(1));
  if (failure === undefined) log.info({ seconds }, "console built");
  else log.error({ failure }, `cannot build the console; run node ${SCRIPT} to see the error`);
  return failure === undefined;
}

/** The end of what a build says is enough to tell what went wrong. */
const MOST_SAID = 2000;

/** @returns what it said when it failed */
function runBuild(cwd: string, signal: AbortSignal | undefined): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  // The server's options may be secrets, and are nothing to a build.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("TESSERA_")));
  const stdio = ["ignore", "ignore", "pipe"] as ["ignore", "ignore", "pipe"];
  const child = spawn(process.execPath, [SCRIPT], { cwd, env, stdio, ...(signal !== undefined && { signal }) });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said = (said + text).slice(-MOST_SAID)));
  child.once("error", (error) => resolve(error.message));
  child.once("close", (code) => resolve(code === 0 ? undefined : `exit code ${String(code)}: ${said}`));
  return promise;
}
