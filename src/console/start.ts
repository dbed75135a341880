/**
 * Provides the files of the console: from the package, with a finished build, or in a checkout from `dist/console`,
 * which is built once if it is missing or older than its sources. The server answers requests during the build.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { BUILT, CHECKOUT, buildIfStale, isBuildable, isFresh } from "./build.ts";
import { type ConsoleFiles, readConsole } from "./files.ts";

/** The console as the server has it now. */
export interface Console {
  /** Undefined while it is being built, and where there is none. */
  files(): ConsoleFiles | undefined;
  /** Whether it will be there soon. */
  isBuilding(): boolean;
  /** Ends a build that is under way. */
  stop(): Promise<void>;
}

/** A server that has none. */
export const NO_CONSOLE: Console = {
  files: () => undefined,
  isBuilding: () => false,
  stop: () => Promise.resolve(),
};

/** Beside the chunks of the package. */
const PACKED = join(import.meta.dirname, "../console");

export interface ConsoleOptions {
  log: Logger;
  /** Whether this process builds it; of several that share a port only one does, and the others wait for it. */
  builds: boolean;
  /** Root of the checkout; set by tests. */
  checkout?: string;
}

/** Begins to read the console, or to build it; returns at once. */
export function startConsole({ log, builds, checkout = CHECKOUT }: ConsoleOptions): Console {
  const stopping = new AbortController();
  let files: ConsoleFiles | undefined;
  let isBuilding = true;

  async function read(folder: string): Promise<void> {
    try {
      files = await readConsole(folder);
    } catch (error) {
      log.error({ err: error }, "cannot read the console");
    }
  }

  async function start(): Promise<void> {
    if (isPackaged(checkout)) return read(PACKED);
    if (!isBuildable(checkout)) return undefined;
    const isBuilt = builds
      ? await buildIfStale(log, checkout, stopping.signal)
      : await untilFresh(checkout, stopping.signal);
    return isBuilt ? read(join(checkout, BUILT)) : undefined;
  }

  const started = start().finally(() => (isBuilding = false));
  return {
    files: () => files,
    isBuilding: () => isBuilding,
    async stop() {
      stopping.abort();
      await started;
    },
  };
}

/** Whether the console comes from the package, which contains only the built files; a checkout has the sources. */
function isPackaged(checkout: string): boolean {
  return checkout === CHECKOUT && existsSync(join(PACKED, "index.html")) && !import.meta.url.endsWith(".ts");
}

const LOOK_MS = 2000;
/** Longer than any build takes: it has failed. */
const LONGEST_MS = 120_000;

/** @returns whether it has come */
async function untilFresh(checkout: string, signal: AbortSignal): Promise<boolean> {
  const end = performance.now() + LONGEST_MS;
  while (!signal.aborted && performance.now() < end) {
    if (isFresh(checkout)) return true;
    await sleep(LOOK_MS, undefined, { signal, ref: false }).catch(() => undefined);
  }
  return false;
}
